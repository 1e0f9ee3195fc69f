/// Why something was attached, and which line of code asked for it.
public struct Cause: Sendable, Hashable, CustomStringConvertible {
  public enum Reason: String, Sendable {
    /// A person went there.
    case visit
    /// A deep link or a push notification led there.
    case link
    /// Another account was made the active one.
    case accountSwitch = "account switch"
  }

  public let reason: Reason
  /// `Module/File.swift`, as `#fileID` gives it.
  public let file: StaticString
  public let line: UInt

  public init(_ reason: Reason, file: StaticString = #fileID, line: UInt = #line) {
    self.reason = reason
    self.file = file
    self.line = line
  }

  public var description: String { "\(reason.rawValue) by \(file):\(line)" }

  public static func == (left: Cause, right: Cause) -> Bool { left.description == right.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
