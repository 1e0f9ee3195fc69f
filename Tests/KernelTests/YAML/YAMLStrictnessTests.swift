import FerryKernel
import Testing

/// What a configuration file may not hold, each with its place and its remedy.
@Suite struct YAMLStrictnessTests {
  struct Refusal: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let code: String
    let description: String

    init(_ name: String, _ text: String, _ code: String, _ description: String) {
      self.name = name
      self.text = text
      self.code = code
      self.description = description
    }

    var testDescription: String { name }
  }

  static let refusals: [Refusal] = [
    Refusal(
      "a key given twice", "a: 1\nb: 2\na: 3\n", "yaml.duplicateKey",
      "f.yaml:3:1: key 'a' is given twice, first on line 1. Remove one of the two."),
    Refusal(
      "a key given twice, once in quotes", "x:\n  k: 1\n  \"k\": 2\n", "yaml.duplicateKey",
      "f.yaml:3:3: key 'k' is given twice, first on line 2. Remove one of the two."),
    Refusal(
      "a key given twice in braces", "x: {k: 1, k: 2}\n", "yaml.duplicateKey",
      "f.yaml:1:11: key 'k' is given twice, first on line 1. Remove one of the two."),
    Refusal(
      "an anchor", "a: &one 1\n", "yaml.anchor",
      "f.yaml:1:4: anchor '&one' isn't allowed. Remove it and write each value out where it is used."),
    Refusal(
      "an anchor on a list", "a: &l [1]\n", "yaml.anchor",
      "f.yaml:1:4: anchor '&l' isn't allowed. Remove it and write each value out where it is used."),
    Refusal(
      "an anchor on a mapping", "a: &m {b: 1}\n", "yaml.anchor",
      "f.yaml:1:4: anchor '&m' isn't allowed. Remove it and write each value out where it is used."),
    Refusal(
      "an anchor on a key", "&k a: 1\n", "yaml.anchor",
      "f.yaml:1:1: anchor '&k' isn't allowed. Remove it and write each value out where it is used."),
    Refusal(
      "an alias", "a: *one\n", "yaml.alias",
      "f.yaml:1:4: alias '*one' isn't allowed. Write the value out where it is used."),
    Refusal(
      "an alias as a key", "*one : 1\n", "yaml.alias",
      "f.yaml:1:1: alias '*one' isn't allowed. Write the value out where it is used."),
    Refusal(
      "a merge key", "a:\n  <<: {b: 1}\n", "yaml.mergeKey",
      "f.yaml:2:3: the merge key '<<' isn't allowed. Write the keys out where they belong."),
    Refusal(
      "a standard tag", "a: !!str 1\n", "yaml.tag",
      "f.yaml:1:4: tag '!!str' isn't allowed. Remove it; the key says which type its value has."),
    Refusal(
      "a private tag on a mapping", "a: !thing {b: 1}\n", "yaml.tag",
      "f.yaml:1:4: tag '!thing' isn't allowed. Remove it; the key says which type its value has."),
    Refusal(
      "the tag that libyaml swallows", "é: x\na: ! 1\n", "yaml.tag",
      "f.yaml:2:4: tag '!' isn't allowed. Remove it; the key says which type its value has."),
    Refusal(
      "the tag that libyaml swallows, before quotes", "a: ! \"1\"\n", "yaml.tag",
      "f.yaml:1:4: tag '!' isn't allowed. Remove it; the key says which type its value has."),
    Refusal(
      "a directive", "%YAML 1.1\n---\na: 1\n", "yaml.directive",
      "f.yaml:1:1: directives ('%YAML', '%TAG') aren't allowed. Remove the line that starts with '%'."),
    Refusal(
      "a second document", "a: 1\n---\nb: 2\n", "yaml.severalDocuments",
      "f.yaml:2:1: a second document begins here. Keep one document in a file."),
    Refusal(
      "a second document without a marker", "a: 1\n...\nb: 2\n", "yaml.syntax",
      "f.yaml:3:1: did not find expected <document start>. "
        + "Check the indentation, quotes and brackets around this place."),
    Refusal(
      "a list as a key", "? [1, 2]\n: 3\n", "yaml.keyNotText",
      "f.yaml:1:3: a list or a mapping can't be a key. Write the key as text."),
    Refusal(
      "a mapping as a key", "{a: 1}: 2\n", "yaml.keyNotText",
      "f.yaml:1:1: a list or a mapping can't be a key. Write the key as text."),
    Refusal(
      "a key without text", "{'': 1}\n", "yaml.emptyKey",
      "f.yaml:1:2: a key is missing before ':'. Write the key before the colon."),
    Refusal(
      "a question mark without a key", "?\n: 1\n", "yaml.emptyKey",
      "f.yaml:1:2: a key is missing before ':'. Write the key before the colon."),
    Refusal(
      "an indenting tab", "a:\n\tb: 1\n", "yaml.tab",
      "f.yaml:2:1: found character that cannot start any token while scanning for the next token that begins "
        + "on line 2 (it is a tab). Indent with spaces."),
    Refusal(
      "a bracket that isn't closed", "a: [1, 2\nb: 3\n", "yaml.syntax",
      "f.yaml:2:2: did not find expected ',' or ']' while parsing a flow sequence that begins on line 1. "
        + "Check the indentation, quotes and brackets around this place."),
    Refusal(
      "a quotation mark that isn't closed", "a: 'x\n", "yaml.syntax",
      "f.yaml:2:1: found unexpected end of stream while scanning a quoted scalar that begins on line 1. "
        + "Check the indentation, quotes and brackets around this place."),
    Refusal(
      "a colon too many", "a: b: c\n", "yaml.syntax",
      "f.yaml:1:5: mapping values are not allowed in this context. "
        + "Check the indentation, quotes and brackets around this place."),
    Refusal(
      "wrong indentation", "a:\n  b: 1\n c: 2\n", "yaml.syntax",
      "f.yaml:3:2: did not find expected key while parsing a block mapping that begins on line 1. "
        + "Check the indentation, quotes and brackets around this place."),
    Refusal(
      "a control character", "é: 1\nb: \u{1}\n", "yaml.syntax",
      "f.yaml:2:4: control characters are not allowed. "
        + "Remove the character, or write it as an escape in double quotes."),
    Refusal("nothing", "", "yaml.empty", "f.yaml:1:1: the file is empty. Write its content, or restore it."),
    Refusal(
      "nothing but a byte order mark", "\u{FEFF}", "yaml.empty",
      "f.yaml:1:1: the file is empty. Write its content, or restore it."),
    Refusal(
      "nothing but comments", "# later\n\n", "yaml.empty",
      "f.yaml:1:1: the file is empty. Write its content, or restore it."),
    Refusal(
      "an empty document", "---\n...\n", "yaml.empty",
      "f.yaml:1:1: the file is empty. Write its content, or restore it."),
    Refusal(
      "nesting without end", String(repeating: "[", count: 100_000), "yaml.tooDeep",
      "f.yaml:1:65: lists and mappings are nested more than 64 deep. Check that this is the right file."),
    Refusal(
      "a file too large", "a: " + String(repeating: "x", count: 1 << 20), "yaml.tooLarge",
      "f.yaml:1:1: the file is larger than 1048576 bytes. Check that this is the right file."),
  ]

  @Test("is refused, with its place and its remedy", arguments: refusals)
  func refused(_ refusal: Refusal) {
    let fault = #expect(throws: SourceFault.self) {
      try YAMLDocument.parse(text: refusal.text, file: "f.yaml", vocabulary: "roadmap")
    }
    #expect(fault?.code == refusal.code)
    #expect(fault?.description == refusal.description)
  }

  @Test(
    "text that isn't UTF-8 is refused at its first bad byte",
    arguments: [
      ([0x61, 0x3A, 0x20, 0xFF], "1:4"), ([0x61, 0x3A, 0x0A, 0x20, 0xC3, 0xA9, 0xC0, 0x80], "2:3"),
      ([0x61, 0x3A, 0x0D, 0x0A, 0xED, 0xA0, 0x80], "2:1"), ([0xC3], "1:1"), ([0x61, 0x0D, 0xFE], "2:1"),
      ([0xFF, 0xFE, 0x61, 0x00], "1:1"),
    ] as [([UInt8], String)])
  func invalidUTF8(bytes: [UInt8], place: String) {
    let fault = #expect(throws: SourceFault.self) { try YAMLDocument.parse(bytes, file: "f.yaml") }
    #expect(fault?.description == "f.yaml:\(place): the text isn't UTF-8 here. Save the file as UTF-8.")
    #expect(fault?.code == "yaml.invalidUTF8")
  }

  @Test("keys that differ only in how a letter is composed are two keys")
  func composedAndDecomposedKeys() throws {
    let node = try YAMLDocument.parse(text: "\u{E9}: 1\ne\u{301}: 2\n", file: "f.yaml")
    #expect(try node.entries().count == 2)
    #expect(try node.mapping(required: ["e\u{301}", "\u{E9}"]).value("e\u{301}").integer() == 2)
  }

  @Test("a byte order mark, an explicit start and an explicit end are no fault")
  func harmless() throws {
    let node = try YAMLDocument.parse(text: "\u{FEFF}---\na: \"\u{E9}!\" # !\n...\n", file: "f.yaml")
    #expect(try node.mapping(required: ["a"]).value("a").text() == "\u{E9}!")
    #expect(node.position == SourcePosition(line: 2, column: 1))
  }

  @Test("no garbage and no cut of a real file crashes the parser")
  func garbage() {
    var random = SeededRandom(seed: 25)
    let alphabet = Array("a: -[]{}&*!|>'\"%@`,?#\n\t\\\u{E9}~<0".utf8)
    let roadmap = Array(RoadmapTests.example.utf8)
    for _ in 0..<2_000 {
      let garbage = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      _ = try? YAMLDocument.parse(garbage, file: "f.yaml")
      var damaged = Array(roadmap.prefix(Int.random(in: 0...roadmap.count, using: &random)))
      if let index = damaged.indices.randomElement(using: &random) {
        damaged[index] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? Roadmap.parse(damaged)
    }
  }
}
