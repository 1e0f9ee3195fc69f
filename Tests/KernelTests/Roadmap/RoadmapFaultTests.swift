import FerryKernel
import Testing

/// `roadmap.yaml` as it is sometimes written.
@Suite struct RoadmapFaultTests {
  /// One change to the example, and the fault that it makes.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let part: String
    let other: String
    let code: String
    let description: String

    init(_ part: String, _ other: String, _ code: String, _ description: String) {
      self.part = part
      self.other = other
      self.code = code
      self.description = description
    }

    var testDescription: String { "\(code): \(other)" }
  }

  static let mistakes: [Mistake] = [
    Mistake(
      "version: 1", "version: 2", "roadmap.version",
      "roadmap.yaml:1:10: this build reads version 1 of the file's format, not version 2. "
        + "Install a newer build."),
    Mistake(
      "version: 1", "version: 0", "roadmap.version",
      "roadmap.yaml:1:10: this build reads version 1 of the file's format, not version 0. Write 'version: 1'."
    ),
    Mistake(
      "version: 1", "version: '1'", "roadmap.expectedInteger",
      "roadmap.yaml:1:10: expected a whole number, found text '1' in quotes. "
        + "Write it in decimal digits, without quotes."),
    Mistake(
      "version: 1", "# version", "roadmap.missingKey",
      "roadmap.yaml:2:1: key 'version' is missing. Add 'version: 1' as the first line."),
    Mistake(
      "version: 1", "version: 1\nname: x", "roadmap.unknownKey",
      "roadmap.yaml:2:1: unknown key 'name'. The keys here are 'version', 'domains'."),
    Mistake(
      "domain: item", "domain: search-history", "roadmap.duplicateDomain",
      "roadmap.yaml:13:13: domain 'search-history' is named twice, first on line 3. Remove one of the two."),
    Mistake(
      "domain: item", "domain: Item", "roadmap.notKebabCase",
      "roadmap.yaml:13:13: a domain's name must be kebab-case, found 'Item'. "
        + "Use lower-case letters, digits and single hyphens, such as 'search-history'."),
    Mistake(
      "domain: item", "name: item", "roadmap.unknownKey",
      "roadmap.yaml:13:5: unknown key 'name'. "
        + "The keys here are 'domain', 'strategy', 'enabled', 'core', 'legacy'."),
    Mistake(
      "strategy: resync", "stratgy: resync", "roadmap.unknownKey",
      "roadmap.yaml:14:5: unknown key 'stratgy'; did you mean 'strategy'? "
        + "The keys here are 'domain', 'strategy', 'enabled', 'core', 'legacy'."),
    Mistake(
      "strategy: resync", "core: false", "roadmap.missingKey",
      "roadmap.yaml:13:5: key 'strategy' is missing. Add 'strategy: …' here."),
    Mistake(
      "strategy: resync", "strategy: resink", "roadmap.unknownStrategy",
      "roadmap.yaml:14:15: unknown strategy 'resink'; did you mean 'resync'? Write copy, resync or discard."),
    Mistake(
      "strategy: resync", "strategy: move", "roadmap.unknownStrategy",
      "roadmap.yaml:14:15: unknown strategy 'move'. Write copy, resync or discard."),
    Mistake(
      "enabled: true", "enabled: yes", "roadmap.expectedBool",
      "roadmap.yaml:4:14: expected true or false, found 'yes'. Write true, without quotes."),
    Mistake(
      "core: true", "core: on", "roadmap.expectedBool",
      "roadmap.yaml:5:11: expected true or false, found 'on'. Write true, without quotes."),
    Mistake(
      "      draft:", "      Draft:", "roadmap.notKebabCase",
      "roadmap.yaml:20:7: an entity's name must be kebab-case, found 'Draft'. "
        + "Use lower-case letters, digits and single hyphens, such as 'search-history'."),
    Mistake(
      "      draft:", "      item:", "yaml.duplicateKey",
      "roadmap.yaml:20:7: key 'item' is given twice, first on line 16. Remove one of the two."),
    Mistake(
      "class: NoteSummary", "class: ''", "roadmap.emptyName",
      "roadmap.yaml:17:16: a class's name is empty. Write the name."),
    Mistake(
      "class: NoteSummary", "class:", "roadmap.expectedText",
      "roadmap.yaml:17:15: expected text, found nothing. "
        + "Write the text; in quotes if it is empty or the word itself."),
    Mistake(
      "class: NoteSummary", "class: \"Note\\0\"", "roadmap.controlCharacter",
      "roadmap.yaml:17:16: a class's name holds a control character: 'Note\\u{0}'. "
        + "Write the name on one line, without escapes."),
    Mistake(
      "remote-id: remoteItemID", "remoteID: remoteItemID", "roadmap.notKebabCase",
      "roadmap.yaml:18:26: a field's name must be kebab-case, found 'remoteID'. "
        + "Use lower-case letters, digits and single hyphens, such as 'search-history'."),
    Mistake(
      "folder: container", "folder: [container]", "roadmap.expectedText",
      "roadmap.yaml:18:59: expected text, found a list. Write text here."),
    Mistake(
      "fields: {id: uuid}", "fields: {}", "roadmap.missingFields",
      "roadmap.yaml:23:17: entity 'draft' has rows to carry but no fields. "
        + "Add 'fields:' with a 'field: property' line for each field."),
    Mistake(
      "class: SearchHistory", "class: SearchHistory\n        preserve: none", "roadmap.preserveWithCopy",
      "roadmap.yaml:10:19: 'preserve' has no meaning with strategy copy, which carries every row. "
        + "Remove 'preserve'."),
    Mistake(
      "preserve: all", "preserve: some", "roadmap.expectedPreserve",
      "roadmap.yaml:22:19: expected none, all or a condition, found 'some'. "
        + "Write none, all, or {where: {field: value}}."),
    Mistake(
      "{where: {remote-id: 0}}", "{were: {remote-id: 0}}", "roadmap.unknownKey",
      "roadmap.yaml:19:20: unknown key 'were'; did you mean 'where'? The keys here are 'where', 'where-property'."
    ),
    Mistake(
      "{where: {remote-id: 0}}", "{where: {remoteid: 0}}", "roadmap.unknownField",
      "roadmap.yaml:19:28: 'fields' has no field 'remoteid'; did you mean 'remote-id'? "
        + "Name a field that 'fields' lists, or add it there."),
    Mistake(
      "{where: {remote-id: 0}}", "{where: {remote-id: 0, id: 1}}", "roadmap.expectedOneField",
      "roadmap.yaml:19:27: a condition compares one field, this one has 2. "
        + "Write {field: value} with one field; a list of them, where any is enough."),
    Mistake(
      "{where: {remote-id: 0}}", "{where: {remote-id: no}}", "roadmap.ambiguousValue",
      "roadmap.yaml:19:39: 'no' could be a truth value or text. Write false, or put the text in quotes."),
    Mistake(
      "{where: {remote-id: 0}}", "{where: {remote-id: 0x0}}", "roadmap.ambiguousValue",
      "roadmap.yaml:19:39: '0x0' could be a number or text. "
        + "Write a whole number in decimal digits, or put the text in quotes."),
  ]

  @Test("is refused, with its place and its remedy", arguments: mistakes)
  func refused(_ mistake: Mistake) {
    let text = RoadmapTests.example.replacing(mistake.part, with: mistake.other, maxReplacements: 1)
    let fault = #expect(throws: SourceFault.self) { try Roadmap.parse(text: text) }
    #expect(fault?.code == mistake.code)
    #expect(fault?.description == mistake.description)
  }

  @Test("a roadmap without domains is refused")
  func noDomains() {
    let fault = #expect(throws: SourceFault.self) { try Roadmap.parse(text: "version: 1\ndomains: []\n") }
    #expect(
      fault?.description == "roadmap.yaml:2:10: the roadmap names no domain. List at least one domain.")
  }

  @Test("fields may be left out where no row is carried, and only there")
  func fieldsLeftOut() throws {
    func roadmap(_ rest: String) throws -> Roadmap {
      try Roadmap.parse(
        text: "version: 1\ndomains:\n- {domain: a, legacy: {a: {class: A\(rest)}}, strategy: discard}\n")
    }
    #expect(try roadmap("").steps[0].legacy[0].fields.isEmpty)
    #expect(try roadmap(", preserve: all, fields: {id: id}").steps[0].legacy[0].preserve == .all)
    let fault = #expect(throws: SourceFault.self) { try roadmap(", preserve: all") }
    #expect(fault?.code == "roadmap.missingFields")
  }
}
