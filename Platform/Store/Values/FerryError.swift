/// What every error of the house can say of itself.
///
/// Each room has its own enum; this protocol is what they share, so that an app can print any of them
/// without knowing the room it came from.
public protocol FerryError: Error, Sendable, CustomStringConvertible {
  /// A stable name for scripts, `room.case`. Never changes once published.
  var code: String { get }
  /// What is wrong, for a person: one sentence that names the thing it happened to.
  var sentence: String { get }
  /// What to do next: one sentence in the imperative.
  var remedy: String { get }
}

extension FerryError {
  public var description: String { "\(sentence) \(remedy)" }
}
