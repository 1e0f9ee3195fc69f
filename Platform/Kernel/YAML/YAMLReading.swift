/// Reading nodes as what the program expects: each function gives the value or a fault at the node's place.
extension YAMLNode {
  /// The scalar's text, as written: `1` and `no` are text where text is asked for. Nothing (an empty value,
  /// `~`, `null`) isn't.
  public func text() throws(SourceFault) -> String {
    guard case .scalar(let text, _) = content, !isNothing else {
      throw fault(
        "expectedText", "expected text, found \(kind)",
        remedy: isNothing
          ? "Write the text; in quotes if it is empty or the word itself." : "Write text here.")
    }
    return text
  }

  /// `true` or `false`; what YAML 1.1 also took for a truth value (`yes`, `on`, `True`) is a fault that says
  /// which of the two to write.
  public func bool() throws(SourceFault) -> Bool {
    guard case .scalar(let text, let isPlain) = content, !isNothing else {
      throw fault("expectedBool", "expected true or false, found \(kind)", remedy: "Write true or false.")
    }
    switch (text, isPlain) {
    case ("true", true): return true
    case ("false", true): return false
    default:
      let meant = BooleanLookalike.meaning(of: text)
      throw fault(
        "expectedBool", "expected true or false, found \(QuotedText(text))\(isPlain ? "" : " in quotes")",
        remedy: meant.map { "Write \($0), without quotes." } ?? "Write true or false.")
    }
  }

  /// A whole number in decimal digits, without quotes, that fits 64 bits.
  public func integer() throws(SourceFault) -> Int64 {
    guard case .scalar(let text, true) = content, let number = DecimalInteger.value(of: text) else {
      throw fault(
        "expectedInteger", "expected a whole number, found \(kind)",
        remedy: "Write it in decimal digits, without quotes.")
    }
    return number
  }

  /// The list's items.
  public func sequence() throws(SourceFault) -> [YAMLNode] {
    guard case .sequence(let items) = content else {
      throw fault(
        "expectedSequence", "expected a list, found \(kind)",
        remedy: isNothing
          ? "Write its items below, each after '- ', or [] for none." : "Write each item after '- '.")
    }
    return items
  }

  /// The entries of a mapping whose keys are the file's own choice.
  public func entries() throws(SourceFault) -> [Entry] {
    guard case .mapping(let entries) = content else {
      throw fault(
        "expectedMapping", "expected a mapping, found \(kind)", remedy: "Write 'key: value' pairs here.")
    }
    return entries
  }

  /// Whether the node is an empty value, `~` or `null`.
  public var isNothing: Bool {
    guard case .scalar(let text, true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// What the node is, in words that end a message.
  var kind: String {
    switch content {
    case .scalar where isNothing: "nothing"
    case .scalar(let text, let isPlain):
      isPlain ? "\(QuotedText(text))" : "text \(QuotedText(text)) in quotes"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}

/// What people write for true and false in other dialects of YAML.
enum BooleanLookalike {
  /// The truth value that was most likely meant, or `nil`.
  static func meaning(of text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "y": true
    case "false", "no", "off", "n": false
    default: nil
    }
  }
}

/// Whole numbers in the one spelling that can't be misread: no sign but `-`, no leading zero, no `0x` or `_`.
enum DecimalInteger {
  static func value(of text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard let first = digits.first, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard first != UInt8(ascii: "0") || text == "0" else { return nil }
    return Int64(text)
  }
}
