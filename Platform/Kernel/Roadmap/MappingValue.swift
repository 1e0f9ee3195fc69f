/// A value that a mapping writes out: what to compare with, what to put in a row's place.
public enum MappingValue: Sendable, Equatable {
  /// Nothing: the legacy row has no value there.
  case null
  /// A whole number.
  case integer(Int64)
  /// `true` or `false`.
  case bool(Bool)
  /// Text.
  case text(String)
}

extension MappingValue {
  /// What it is, for an error.
  var words: String {
    switch self {
    case .null: "null"
    case .integer(let value): "the number \(value)"
    case .bool(let value): "\(value)"
    case .text(let text): "the text \(QuotedText(text))"
    }
  }

  /// The value as a property that holds one of these kinds has it; nil where none can.
  func legacy(as kinds: [LegacyKind]) -> LegacyValue? {
    switch self {
    case .null: .null
    case .integer(let value) where kinds.contains(.integer): .integer(value)
    case .integer(let value) where kinds.contains(.number): .number(Double(value))
    case .bool(let value) where kinds.contains(.flag): .flag(value)
    case .text(let text) where kinds.contains(.text): .text(text)
    case .integer, .bool, .text: nil
    }
  }

  /// The value as such.
  var legacy: LegacyValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .bool(let value): .flag(value)
    case .text(let text): .text(text)
    }
  }
}

extension YAMLNode {
  /// What is plain must be unmistakable: a number, a truth value or a text, in every dialect of YAML.
  func mappingValue() throws(SourceFault) -> MappingValue {
    let text = try text()
    guard case .scalar(_, isPlain: true) = content else { return .text(text) }
    if text == "true" || text == "false" { return .bool(text == "true") }
    if let integer = DecimalInteger.value(of: text) { return .integer(integer) }
    if let meant = BooleanLookalike.meaning(of: text) {
      throw fault(
        "ambiguousValue", "\(QuotedText(text)) could be a truth value or text",
        remedy: "Write \(meant), or put the text in quotes.")
    }
    guard !looksLikeNumber(text) else {
      throw fault(
        "ambiguousValue", "\(QuotedText(text)) could be a number or text",
        remedy: "Write a whole number in decimal digits, or put the text in quotes.")
    }
    return .text(text)
  }

  /// A value, or `null` for nothing.
  func mappingValueOrNull() throws(SourceFault) -> MappingValue {
    if case .scalar(text: "null", isPlain: true) = content { return .null }
    return try mappingValue()
  }

  private func looksLikeNumber(_ text: String) -> Bool {
    let body = text.utf8.drop {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
    }
    return body.first.map { (0x30...0x39).contains($0) } ?? false
  }
}
