import FerryKernel
import Testing

/// Reading a node as what the program expects.
@Suite struct YAMLReadingTests {
  private func value(_ text: String) throws -> YAMLNode {
    try YAMLDocument.parse(text: "k: \(text)\n", file: "f.yaml", vocabulary: "roadmap")
      .mapping(required: ["k"]).value("k")
  }

  private func fault(_ text: String, _ read: (YAMLNode) throws -> Void) -> String? {
    #expect(throws: SourceFault.self) { try read(value(text)) }?.description
  }

  @Test("true and false are truth values")
  func bools() throws {
    #expect(try value("true").bool())
    #expect(try !value("false").bool())
  }

  @Test(
    "whatever else YAML takes for a truth value is refused and says what to write",
    arguments: [
      ("yes", "found 'yes'. Write true, without quotes."),
      ("no", "found 'no'. Write false, without quotes."),
      ("on", "found 'on'. Write true, without quotes."),
      ("off", "found 'off'. Write false, without quotes."),
      ("True", "found 'True'. Write true, without quotes."),
      ("FALSE", "found 'FALSE'. Write false, without quotes."),
      ("n", "found 'n'. Write false, without quotes."),
      ("\"true\"", "found 'true' in quotes. Write true, without quotes."),
      ("1", "found '1'. Write true or false."),
      ("", "found nothing. Write true or false."),
      ("[true]", "found a list. Write true or false."),
    ])
  func lookalikes(text: String, rest: String) {
    let column = text.isEmpty ? 3 : 4
    #expect(fault(text) { _ = try $0.bool() } == "f.yaml:1:\(column): expected true or false, \(rest)")
  }

  @Test(
    "text is taken as it is written",
    arguments: [
      ("no", "no"), ("007", "007"), ("1.10", "1.10"), ("''", ""), ("\"null\"", "null"), ("a b", "a b"),
      ("\"\\u00e9\\0\"", "\u{E9}\0"), ("'~'", "~"),
    ])
  func text(written: String, read: String) throws {
    #expect(try Array(value(written).text().utf8) == Array(read.utf8))
  }

  @Test("nothing isn't text", arguments: ["~", "null", "Null", "NULL"])
  func nothing(text: String) {
    #expect(
      fault(text) { _ = try $0.text() }
        == "f.yaml:1:4: expected text, found nothing. "
        + "Write the text; in quotes if it is empty or the word itself.")
  }

  @Test("a mapping isn't text")
  func mappingAsText() {
    #expect(
      fault("{a: 1}") { _ = try $0.text() } == "f.yaml:1:4: expected text, found a mapping. Write text here.")
  }

  @Test(
    "decimal digits are a whole number",
    arguments: [
      ("0", 0), ("42", 42), ("-1", -1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ] as [(String, Int64)])
  func integers(text: String, number: Int64) throws {
    #expect(try value(text).integer() == number)
  }

  @Test(
    "every other way to write a number is refused",
    arguments: ["007", "0x10", "1_000", "+1", "1.0", "1e3", "-x", "-0", "9223372036854775808", "\u{664}"])
  func otherNumbers(text: String) {
    #expect(
      fault(text) { _ = try $0.integer() }
        == "f.yaml:1:4: expected a whole number, found '\(text)'. "
        + "Write it in decimal digits, without quotes.")
  }

  @Test("a number in quotes is text")
  func quotedNumber() {
    #expect(
      fault("'1'") { _ = try $0.integer() }
        == "f.yaml:1:4: expected a whole number, found text '1' in quotes. "
        + "Write it in decimal digits, without quotes.")
  }

  @Test("a list that was left empty says how to write none")
  func emptyList() {
    #expect(
      fault("") { _ = try $0.sequence() }
        == "f.yaml:1:3: expected a list, found nothing. "
        + "Write its items below, each after '- ', or [] for none.")
    #expect(
      fault("x") { _ = try $0.sequence() }
        == "f.yaml:1:4: expected a list, found 'x'. Write each item after '- '.")
  }

  @Test("a value where a mapping is expected is refused")
  func notAMapping() {
    #expect(
      fault("x") { _ = try $0.entries() }
        == "f.yaml:1:4: expected a mapping, found 'x'. Write 'key: value' pairs here.")
  }

  @Test(
    "an unknown key is refused and, where it is close to a known one, corrected",
    arguments: [
      ("stratgy", "; did you mean 'strategy'?"), ("srtategy", "; did you mean 'strategy'?"),
      ("Domain", "; did you mean 'domain'?"), ("colour", ""), ("\u{1B}[31m", ""),
    ])
  func unknownKey(key: String, hint: String) throws {
    let shown = key.replacing("\u{1B}", with: "\\u{1b}")
    let written = key.replacing("\u{1B}", with: "\\e")
    let node = try YAMLDocument.parse(
      text: "domain: x\n\"\(written)\": copy\n", file: "f.yaml", vocabulary: "roadmap")
    let fault = #expect(throws: SourceFault.self) {
      try node.mapping(required: ["domain"], optional: ["strategy"])
    }
    #expect(fault?.code == "roadmap.unknownKey")
    #expect(
      fault?.description
        == "f.yaml:2:1: unknown key '\(shown)'\(hint.isEmpty ? "." : hint) The keys here are 'domain', 'strategy'."
    )
  }

  @Test("a missing key is named at the mapping that lacks it")
  func missingKey() throws {
    let node = try YAMLDocument.parse(text: "- a: 1\n", file: "f.yaml").sequence()[0]
    let fault = #expect(throws: SourceFault.self) { try node.mapping(required: ["a", "b"]) }
    #expect(fault?.code == "yaml.missingKey")
    #expect(fault?.description == "f.yaml:1:3: key 'b' is missing. Add 'b: …' here.")
  }

  @Test("long and many-lined text doesn't flood the message")
  func longText() {
    let text = "\"\(String(repeating: "x", count: 80))\""
    #expect(
      fault(text) { _ = try $0.bool() }
        == "f.yaml:1:4: expected true or false, found '\(String(repeating: "x", count: 60))…' in quotes. "
        + "Write true or false.")
  }
}
