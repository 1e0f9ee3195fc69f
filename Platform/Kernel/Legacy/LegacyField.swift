import FerryStore
import Foundation

/// A canonical field that a crossing wants of each legacy row, and the Swift type it wants it as.
public struct LegacyField<Value: LegacyFieldValue>: Sendable {
  let name: String

  /// - Parameter name: what roadmap.yaml calls it, in kebab case.
  public init(_ name: String) { self.name = name }

  var declaration: FieldDeclaration {
    FieldDeclaration(name: name, isOptional: Value.isOptional, kinds: Value.kinds)
  }
}

/// What the roadmap's check needs to know of a field.
public struct FieldDeclaration: Sendable, Equatable {
  public let name: String
  /// Whether a mapping may leave it out; it is then nil in every row.
  public let isOptional: Bool
  /// What a property may hold to be it.
  public let kinds: [LegacyKind]
}

/// A Swift type that a legacy value can become.
public protocol LegacyFieldValue: Sendable {
  static var isOptional: Bool { get }
  /// What a property may hold to be read as it.
  static var kinds: [LegacyKind] { get }
  /// Reads the value, or says in `notes` what had to be bent.
  ///
  /// - Throws: `RowRefusal` where the value can't be one of this type; the row is then quarantined.
  static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Self
}

/// What had to be bent so that a row could cross.
public struct RowNotes: Sendable, Equatable {
  /// Times beyond the range of `Timestamp`, which became its nearest end.
  public var clampedTimes = 0
}

/// Why a row can't cross. It is quarantined with this reason.
public struct RowRefusal: Error, Sendable, Equatable {
  public let reason: String
  public init(_ reason: String) { self.reason = reason }

  static func expected(_ what: String, _ value: LegacyValue) -> RowRefusal {
    RowRefusal("expected \(what), found \(value.kind)")
  }
}

extension LegacyFieldValue {
  public static var isOptional: Bool { false }
}

extension Optional: LegacyFieldValue where Wrapped: LegacyFieldValue {
  public static var kinds: [LegacyKind] { Wrapped.kinds }
  public static var isOptional: Bool { true }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Wrapped? {
    if case .null = value { nil } else { try Wrapped.read(value, &notes) }
  }
}

extension Int64: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.integer] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Int64 {
    guard case .integer(let value) = value else { throw .expected("an integer", value) }
    return value
  }
}

extension Bool: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.flag] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Bool {
    guard case .flag(let value) = value else { throw .expected("true or false", value) }
    return value
  }
}

extension Double: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.number] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Double {
    guard case .number(let number) = value else { throw .expected("a number", value) }
    guard !number.isNaN else { throw RowRefusal("a number is NaN, which the store can't hold") }
    return number
  }
}

extension String: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.text] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> String {
    guard case .text(let text) = value else { throw .expected("text", value) }
    return text
  }
}

extension Data: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.bytes] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Data {
    guard case .bytes(let bytes) = value else { throw .expected("bytes", value) }
    return Data(bytes)
  }
}

extension Timestamp: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.time] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Timestamp {
    guard case .time(let seconds, let nanoseconds) = value else { throw .expected("a time", value) }
    let (time, wasClamped) = Timestamp.clamping(seconds: seconds, nanoseconds: Int64(nanoseconds))
    if wasClamped { notes.clampedTimes += 1 }
    return time
  }
}

extension LegacyKey: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.integer, .text, .uuid, .objectID, .link] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> LegacyKey {
    guard let key = LegacyKey(value) else { throw .expected("a key", value) }
    return key
  }
}

extension Array: LegacyFieldValue where Element: LegacyFieldValue {
  public static var kinds: [LegacyKind] { [.list] }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> [Element] {
    guard case .list(let members) = value else { throw .expected("a list", value) }
    var elements: [Element] = []
    for member in members { elements.append(try Element.read(member, &notes)) }
    return elements
  }
}

/// A legacy key as the identifier of a kind of record.
extension Identifier: LegacyFieldValue {
  public static var kinds: [LegacyKind] { LegacyKey.kinds }
  public static func read(_ value: LegacyValue, _ notes: inout RowNotes) throws(RowRefusal) -> Identifier {
    let key = try LegacyKey.read(value, &notes)
    guard let identifier = Identifier(legacy: key) else {
      throw RowRefusal("the key \"\(key.plainText)\" is a placeholder, not an identity")
    }
    return identifier
  }
}
