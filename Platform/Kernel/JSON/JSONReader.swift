/// Reads the members of a value as what the program expects, with faults that name the member and what it
/// belongs to: `member 'title' of record 'i3': expected text, found number.`
///
///     let record = JSONReader(value, of: "record", named: "i3")
///     let title = try record.text("title")
///     let folder = try record.ifPresent("folder")?.text()
public struct JSONReader: Sendable {
  /// The value at hand.
  public let value: JSONValue
  private let kind: String
  private let name: String?
  private let path: JSONPath

  /// Reads `value`, which faults call `record 'i3'` for `of: "record", named: "i3"`.
  public init(_ value: JSONValue, of kind: String, named name: String? = nil) {
    self.init(value, kind: kind, name: name, path: JSONPath())
  }

  private init(_ value: JSONValue, kind: String, name: String?, path: JSONPath) {
    self.value = value
    self.kind = kind
    self.name = name
    self.path = path
  }
}

/// The value at hand, as one kind.
extension JSONReader {
  /// Text.
  public func text() throws(JSONFault) -> String { try read("text", value.stringValue) }
  /// A whole number.
  public func integer() throws(JSONFault) -> Int64 { try read("a whole number", value.integerValue) }
  /// A number, whole or not.
  public func number() throws(JSONFault) -> Double { try read("a number", value.numberValue) }
  /// A truth value.
  public func bool() throws(JSONFault) -> Bool { try read("true or false", value.boolValue) }
  /// An object.
  public func object() throws(JSONFault) -> JSONObject { try read("an object", value.objectValue) }
  /// The items of a list.
  public func items() throws(JSONFault) -> [JSONReader] {
    try read("a list", value.arrayValue).enumerated().map { index, item in
      inner(item, .item(index))
    }
  }
}

/// The members of the object at hand.
extension JSONReader {
  /// A member that must be there; it may be `null`.
  public func member(_ name: String) throws(JSONFault) -> JSONReader {
    guard let member = try object()[name] else {
      throw .missing(path: path.appending(.member(name)).text, subject: subject)
    }
    return inner(member, .member(name))
  }

  /// A member that may be left out or be `null`: then `nil`.
  public func ifPresent(_ name: String) throws(JSONFault) -> JSONReader? {
    guard let member = try object()[name], !member.isNull else { return nil }
    return inner(member, .member(name))
  }

  /// A member that is text.
  public func text(_ name: String) throws(JSONFault) -> String { try member(name).text() }
  /// A member that is a whole number.
  public func integer(_ name: String) throws(JSONFault) -> Int64 { try member(name).integer() }
  /// A member that is a number.
  public func number(_ name: String) throws(JSONFault) -> Double { try member(name).number() }
  /// A member that is a truth value.
  public func bool(_ name: String) throws(JSONFault) -> Bool { try member(name).bool() }
  /// The items of a member that is a list.
  public func items(_ name: String) throws(JSONFault) -> [JSONReader] { try member(name).items() }
}

extension JSONReader {
  /// A fault at the value at hand, for what only the caller can judge: `expected: "a UUID"`.
  public func mismatch(expected: String, found: String) -> JSONFault {
    .mismatch(path: path.text, subject: subject, expected: expected, found: found)
  }

  private var subject: String {
    name.map { "\(kind) \(QuotedText($0))" } ?? kind
  }

  private func read<Kind>(_ expected: String, _ found: Kind?) throws(JSONFault) -> Kind {
    guard let found else { throw mismatch(expected: expected, found: value.kind) }
    return found
  }

  private func inner(_ value: JSONValue, _ step: JSONPath.Step) -> JSONReader {
    JSONReader(value, kind: kind, name: name, path: path.appending(step))
  }
}
