/// A value that no log line shows: printed, interpolated, described, dumped or looked into, alone or within other
/// values, it is `<redacted>`. It has no coding and no JSON form.
///
///     log.append(LogLine(…, message: "signed in with \(token)"))   // signed in with <redacted>
///
/// Code that needs the value itself says so by `reveal`, which is what a reviewer searches for.
public struct Redacted<Value: Sendable>: Sendable {
  private let value: Value

  public init(_ value: Value) { self.value = value }

  /// Hands the value to `body`.
  public func reveal<Result>(_ body: (Value) throws -> Result) rethrows -> Result { try body(value) }
}

extension Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<redacted>" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Redacted: Equatable where Value: Equatable {}
extension Redacted: Hashable where Value: Hashable {}
