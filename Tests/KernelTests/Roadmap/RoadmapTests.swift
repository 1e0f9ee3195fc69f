import FerryKernel
import Testing

/// `roadmap.yaml` as it is meant to be written.
@Suite struct RoadmapTests {
  static let example = """
    version: 1
    domains:                       # order = order of the crossing
      - domain: search-history     # names are kebab-case
        enabled: true
        core: true
        strategy: copy
        legacy:
          search-history:
            class: SearchHistory
            fields:
              query: query
              searched-at: searchedAt
      - domain: item
        strategy: resync
        legacy:
          item:
            class: NoteSummary
            fields: {id: id, remote-id: remoteItemID, folder: container}
            preserve: {where: {remote-id: 0}}
          draft:
            class: Draft
            preserve: all
            fields: {id: uuid}
      - domain: log
        enabled: false
        strategy: discard

    """

  private func at(_ line: Int, _ column: Int) -> SourcePosition { SourcePosition(line: line, column: column) }

  @Test("the steps come in the order of the file, with their switches")
  func steps() throws {
    let roadmap = try Roadmap.parse(text: Self.example)
    #expect(roadmap.file == "roadmap.yaml")
    #expect(roadmap.version == 1)
    #expect(roadmap.steps.map(\.domain.value) == ["search-history", "item", "log"])
    #expect(roadmap.steps.map(\.isEnabled) == [true, true, false])
    #expect(roadmap.steps.map(\.isCore) == [true, false, false])
    #expect(roadmap.steps.map(\.strategy.value) == [.copy, .resync, .discard])
    #expect(roadmap.steps.map(\.legacy.count) == [1, 2, 0])
  }

  @Test("everything a later check may find fault with knows its place")
  func positions() throws {
    let roadmap = try Roadmap.parse(text: Self.example)
    #expect(roadmap.steps.map(\.position) == [at(3, 5), at(13, 5), at(24, 5)])
    #expect(roadmap.steps.map(\.domain.position) == [at(3, 13), at(13, 13), at(24, 13)])
    #expect(roadmap.steps.map(\.enabledPosition) == [at(4, 14), at(13, 5), at(25, 14)])
    #expect(roadmap.steps[0].strategy.position == at(6, 15))
    let mapping = roadmap.steps[1].legacy[0]
    #expect(mapping.entity.position == at(16, 7))
    #expect(mapping.className.position == at(17, 16))
    #expect(mapping.position == at(17, 9))
    #expect(mapping.fields[1].canonical.position == at(18, 26))
    #expect(mapping.fields[1].property?.position == at(18, 37))
  }

  @Test("a mapping names class, fields and what is preserved")
  func mappings() throws {
    let legacy = try Roadmap.parse(text: Self.example).steps[1].legacy
    #expect(legacy.map(\.entity.value) == ["item", "draft"])
    #expect(legacy.map(\.className.value) == ["NoteSummary", "Draft"])
    #expect(legacy[0].fields.map(\.canonical.value) == ["id", "remote-id", "folder"])
    #expect(legacy[0].fields.map(\.property?.value) == ["id", "remoteItemID", "container"])
    #expect(
      legacy[0].preserve
        == .matching([
          Condition(
            .field(Located("remote-id", at: at(19, 28))), equals: Located(.integer(0), at: at(19, 39)))
        ]))
    #expect(legacy[1].preserve == .all)
  }

  @Test(
    "a condition compares with a number, a truth value or text",
    arguments: [
      ("-7", .integer(-7)), ("false", .bool(false)), ("'false'", .text("false")), ("unsent", .text("unsent")),
      ("'0'", .text("0")), ("''", .text("")),
    ] as [(String, MappingValue)])
  func conditions(written: String, value: MappingValue) throws {
    let text = Self.example.replacing("{remote-id: 0}", with: "{remote-id: \(written)}")
    guard case .matching(let read) = try Roadmap.parse(text: text).steps[1].legacy[0].preserve else {
      Issue.record("no condition was read")
      return
    }
    #expect(read.map(\.value.value) == [value])
  }

  @Test("a step's meaning is one line, whatever its layout")
  func canonicalText() throws {
    let steps = try Roadmap.parse(text: Self.example).steps
    #expect(
      steps[1].canonicalText
        == #"{"domain":"item","legacy":{"draft":{"class":"Draft","fields":{"id":"uuid"},"preserve":"all"},"#
        + #""item":{"class":"NoteSummary","fields":{"folder":"container","id":"id","#
        + #""remote-id":"remoteItemID"},"preserve":{"where":{"remote-id":0}}}},"strategy":"resync"}"#)
    #expect(steps[2].canonicalText == #"{"domain":"log","legacy":{},"strategy":"discard"}"#)
  }

  @Test(
    "layout, order of keys, core and enabled don't change a step's meaning",
    arguments: [
      (
        "{id: id, remote-id: remoteItemID, folder: container}",
        "{folder: container, id: 'id', remote-id: remoteItemID}"
      ),
      ("strategy: resync", "strategy: resync\n    core: true\n    enabled: false"),
      ("class: Draft", "class:   'Draft'  # unsent"),
    ])
  func sameMeaning(part: String, other: String) throws {
    let step = try Roadmap.parse(text: Self.example).steps[1]
    let rewritten = try Roadmap.parse(text: Self.example.replacing(part, with: other)).steps[1]
    #expect(step != rewritten)
    #expect(step.canonicalText == rewritten.canonicalText)
  }

  @Test(
    "class, property, condition, strategy and preserved rows do",
    arguments: [
      ("NoteSummary", "Note"), ("folder: container", "folder: parent"),
      ("{remote-id: 0}", "{remote-id: '0'}"),
      ("preserve: all", "preserve: none"), ("strategy: resync", "strategy: discard"),
      ("draft:", "unsent-draft:"), ("domain: item", "domain: note"),
    ])
  func otherMeaning(part: String, other: String) throws {
    let step = try Roadmap.parse(text: Self.example).steps[1]
    let rewritten = try Roadmap.parse(text: Self.example.replacing(part, with: other)).steps[1]
    #expect(step.canonicalText != rewritten.canonicalText)
  }

  @Test("a later check states its fault in the roadmap's own words")
  func laterFault() throws {
    let roadmap = try Roadmap.parse(text: Self.example)
    let fault = roadmap.fault(
      "order", at: roadmap.steps[1].position,
      "domain 'item' comes before 'folder', which it depends on", remedy: "Move it below line 19.")
    #expect(fault.code == "roadmap.order")
    #expect(
      fault.sentence == "roadmap.yaml:13:5: domain 'item' comes before 'folder', which it depends on.")
    #expect(
      "\(fault)"
        == "roadmap.yaml:13:5: domain 'item' comes before 'folder', which it depends on. "
        + "Move it below line 19.")
  }
}
