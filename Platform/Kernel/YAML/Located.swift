/// A value together with the place in the file that it was read from, so that whoever finds fault with it
/// later can still say where it stands.
public struct Located<Value> {
  /// What was read.
  public let value: Value
  /// Where it begins.
  public let position: SourcePosition

  /// Joins a value to its place.
  public init(_ value: Value, at position: SourcePosition) {
    self.value = value
    self.position = position
  }
}

extension Located: Sendable where Value: Sendable {}
extension Located: Equatable where Value: Equatable {}
