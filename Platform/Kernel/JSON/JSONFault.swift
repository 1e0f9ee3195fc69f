/// What can go wrong with JSON: text that isn't JSON, a value that JSON can't hold, a member of another kind
/// than was asked for.
public enum JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes aren't the JSON that Ferry takes; `offset` counts bytes from 0.
  case malformed(offset: Int, JSONProblem)
  /// A number that is infinite or not a number was to be written.
  case notFinite(path: String)
  /// A value nested deeper than ``JSONValue/deepestNesting`` was to be written.
  case tooDeepToWrite
  /// A member isn't there. `subject` is what it should be a member of: `record 'i3'`.
  case missing(path: String, subject: String)
  /// A member is of another kind than was asked for.
  case mismatch(path: String, subject: String, expected: String, found: String)

  /// A stable name for scripts.
  public var code: String {
    switch self {
    case .malformed(_, let problem): "json.\(problem.rule)"
    case .notFinite: "json.notFinite"
    case .tooDeepToWrite: "json.tooDeep"
    case .missing: "json.missingMember"
    case .mismatch: "json.unexpectedKind"
    }
  }

  /// What is wrong, for a person.
  public var sentence: String {
    switch self {
    case .malformed(let offset, let problem):
      "JSON, byte \(offset): \(problem.message)."
    case .notFinite(let path):
      "The number at \(path.isEmpty ? "the top" : "'\(path)'") isn't finite, and JSON has no form for it."
    case .tooDeepToWrite:
      "The value is nested more than \(JSONValue.deepestNesting) deep."
    case .missing(let path, let subject):
      "member \(QuotedText(path)) of \(subject) is missing."
    case .mismatch("", let subject, let expected, let found):
      "\(subject): expected \(expected), found \(found)."
    case .mismatch(let path, let subject, let expected, let found):
      "member \(QuotedText(path)) of \(subject): expected \(expected), found \(found)."
    }
  }

  /// What to do next.
  public var remedy: String {
    switch self {
    case .malformed(_, let problem): problem.remedy
    case .notFinite: "Leave the number out, or write null."
    case .tooDeepToWrite: "Flatten the value."
    case .missing, .mismatch: "Correct the record where it is kept, or update this program."
    }
  }

  /// The sentence, then the remedy.
  public var description: String { "\(sentence) \(remedy)" }
}

/// Why bytes aren't the JSON that Ferry takes.
public enum JSONProblem: Sendable, Equatable {
  /// There is nothing but white space.
  case empty
  /// The text ends inside a value.
  case unexpectedEnd
  /// Another byte than the grammar allows here.
  case unexpectedByte(UInt8, expected: String)
  /// Something follows the value.
  case trailingContent
  /// The text begins with a byte order mark, which RFC 8259 forbids to send.
  case byteOrderMark
  /// The bytes aren't UTF-8.
  case invalidUTF8
  /// A control character stands in a text without an escape.
  case controlCharacter(UInt8)
  /// An unknown escape, or one with too few digits.
  case invalidEscape
  /// Half of a surrogate pair: no text.
  case loneSurrogate
  /// A number with a leading zero, or without digits where they must be.
  case invalidNumber
  /// A number beyond what a `Double` holds.
  case numberOutOfRange
  /// A name that comes twice in one object.
  case duplicateName(String)
  /// Lists and objects nested deeper than ``JSONValue/deepestNesting``.
  case tooDeep

  /// The second half of the fault's code.
  var rule: String {
    switch self {
    case .empty: "empty"
    case .unexpectedEnd: "unexpectedEnd"
    case .unexpectedByte: "unexpectedByte"
    case .trailingContent: "trailingContent"
    case .byteOrderMark: "byteOrderMark"
    case .invalidUTF8: "invalidUTF8"
    case .controlCharacter: "controlCharacter"
    case .invalidEscape: "invalidEscape"
    case .loneSurrogate: "loneSurrogate"
    case .invalidNumber: "invalidNumber"
    case .numberOutOfRange: "numberOutOfRange"
    case .duplicateName: "duplicateName"
    case .tooDeep: "tooDeep"
    }
  }

  /// Part of a sentence.
  var message: String {
    switch self {
    case .empty: "there is no value"
    case .unexpectedEnd: "the text ends inside a value"
    case .unexpectedByte(let byte, let expected): "expected \(expected), found \(Self.shown(byte))"
    case .trailingContent: "something follows the value"
    case .byteOrderMark: "the text begins with a byte order mark"
    case .invalidUTF8: "the text isn't UTF-8"
    case .controlCharacter(let byte): "\(Self.shown(byte)) stands in a text without an escape"
    case .invalidEscape: "unknown or incomplete escape"
    case .loneSurrogate: "half of a surrogate pair isn't text"
    case .invalidNumber: "a number is written as JSON doesn't allow"
    case .numberOutOfRange: "the number is too large"
    case .duplicateName(let name): "member \(QuotedText(name)) comes twice"
    case .tooDeep: "lists and objects are nested more than \(JSONValue.deepestNesting) deep"
    }
  }

  /// A whole sentence.
  var remedy: String {
    switch self {
    case .empty, .unexpectedEnd: "Check that the text arrived whole, and fetch it again."
    case .trailingContent: "Keep one value to a text, or one to a line."
    case .byteOrderMark, .invalidUTF8: "Save the text as UTF-8 without a byte order mark."
    case .duplicateName: "Keep one of the two."
    case .tooDeep: "Flatten the value."
    default: "Correct the text where it is made."
    }
  }

  private static func shown(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
  }
}
