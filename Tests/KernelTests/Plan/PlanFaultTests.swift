import FerryKernel
import TestKit
import Testing

/// Faults of a roadmap that show only beside the registered domains: each is told once, where it is.
@Suite struct PlanFaultTests {
  /// Changes to the library's roadmap, and the fault that they make.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let edits: [(String, String)]
    let code: String
    let description: String

    init(_ name: String, _ edits: [(String, String)], _ code: String, _ description: String) {
      (testDescription, self.edits, self.code, self.description) = (name, edits, code, description)
    }
  }

  static let mistakes: [Mistake] = [
    Mistake(
      "the last domain comes first",
      [(Library.diaryStep, ""), ("domains:\n", "domains:\n" + Library.diaryStep)], "roadmap.notLast",
      "roadmap.yaml:3:13: domain 'diary' must be the last one, and 'book' comes after it. Move it below line 19."
    ),
    Mistake(
      "the last domain is missing", [(Library.diaryStep, "")], "roadmap.noQueue",
      "roadmap.yaml:8:13: the last domain must have a serial queue of its own, and 'book' has none. "
        + "End the roadmap with 'diary'."),
    Mistake(
      "a misspelt domain", [("domain: shelf", "domain: shelv")], "roadmap.unknownDomain",
      "roadmap.yaml:3:13: there is no domain 'shelv'; did you mean 'shelf'? "
        + "Known are 'shelf', 'book', 'diary'."),
    Mistake(
      "an unknown domain",
      [(Library.diaryStep, "  - {domain: pictures, strategy: copy}\n" + Library.diaryStep)],
      "roadmap.unknownDomain",
      "roadmap.yaml:16:14: there is no domain 'pictures'. Known are 'shelf', 'book', 'diary'."),
    Mistake(
      "a domain named twice",
      [(Library.diaryStep, "  - {domain: shelf, strategy: copy}\n" + Library.diaryStep)],
      "roadmap.duplicateDomain",
      "roadmap.yaml:16:14: domain 'shelf' is named twice, first on line 3. Remove one of the two."),
    Mistake(
      "a dependency that isn't there", [(Library.shelfStep, "")], "roadmap.missingDependency",
      "roadmap.yaml:3:13: domain 'book' depends on 'shelf', which the roadmap doesn't have. "
        + "Add 'shelf' above it."),
    Mistake(
      "a dependency that comes later",
      [(Library.shelfStep, ""), (Library.diaryStep, Library.shelfStep + Library.diaryStep)], "roadmap.order",
      "roadmap.yaml:3:13: domain 'book' comes before 'shelf', which it depends on. Move it below line 15."),
    Mistake(
      "a dependency that is off", [("core: true", "enabled: false")], "roadmap.missingDependency",
      "roadmap.yaml:8:13: domain 'book' depends on 'shelf', which line 4 turns off. "
        + "Enable 'shelf' or turn 'book' off too."),
    Mistake(
      "a misspelt entity", [("      note:", "      notes:")], "roadmap.unknownEntity",
      "roadmap.yaml:15:7: domain 'book' has no 'notes'; did you mean 'note'? It has 'book', 'note'."),
    Mistake(
      "an unknown entity", [("      note:", "      cover: {class: C, fields: {id: id}}\n      note:")],
      "roadmap.unknownEntity",
      "roadmap.yaml:15:7: domain 'book' has no 'cover'. It has 'book', 'note'."),
    Mistake(
      "a missing entity",
      [("\n      note: {class: NoteRow, preserve: all, fields: {id: id, text: text}}", "")],
      "roadmap.missingEntity",
      "roadmap.yaml:8:5: domain 'book' doesn't say where its 'note' comes from. "
        + "Add 'note' with its class and fields under 'legacy'."),
    Mistake(
      "a misspelt field", [("changed-at: changed", "changed-on: changed")], "roadmap.unknownField",
      "roadmap.yaml:14:40: 'book' has no field 'changed-on'; did you mean 'changed-at'? "
        + "It has 'id', 'title', 'changed-at', 'is-unsent'."),
    Mistake(
      "an unknown field", [("name: name", "name: name, colour: colour")], "roadmap.unknownField",
      "roadmap.yaml:7:61: 'shelf' has no field 'colour'. It has 'id', 'name'."),
    Mistake(
      "a missing field", [(", name: name", "")], "roadmap.missingField",
      "roadmap.yaml:7:14: 'shelf' needs the field 'name'. Name the property that has it."),
    Mistake(
      "a resync without a feed", [("preserve: all, fields", "fields")], "roadmap.noFeed",
      "roadmap.yaml:15:13: 'note' has no feed, so no server can send it again. Say 'preserve: all'."),
    Mistake(
      "a resync of a part without a feed", [("preserve: all", "preserve: {where: {id: 1}}")],
      "roadmap.noFeed",
      "roadmap.yaml:15:13: 'note' has no feed, so no server can send it again. Say 'preserve: all'."),
  ]

  @Test("A roadmap that doesn't fit the domains is told what is wrong, once", arguments: mistakes)
  func isTold(_ mistake: Mistake) throws {
    var text = Library.roadmap
    for (part, other) in mistake.edits {
      try #require(text.contains(part), "the example has \(part)")
      text = text.replacing(part, with: other, maxReplacements: 1)
    }
    let faults = PlanFaultTests.faults(text)
    #expect(faults.map(\.description) == [mistake.description])
    #expect(faults.map(\.code) == [mistake.code])
  }

  @Test("Several faults are told together, in the order of the file")
  func areToldTogether() {
    let text = Library.roadmap.replacing("name: name", with: "nam: name").replacing(
      "class: BookRow", with: "class: B"
    )
    .replacing("domain: diary", with: "domain: dairy")
    #expect(
      PlanFaultTests.faults(text).map(\.code) == ["roadmap.unknownField", "roadmap.unknownDomain"])
  }

  @Test("A last domain that has no queue is refused")
  func queueIsNeeded() {
    let faults = PlanFaultTests.faults(Library.roadmap, Library.domains(queue: nil))
    #expect(
      faults.map(\.description) == [
        "roadmap.yaml:16:13: the last domain must have a serial queue of its own, and 'diary' has none. "
          + "End the roadmap with 'diary'."
      ])
  }

  static func faults(_ text: String, _ domains: [Domain] = Library.domains()) -> [SourceFault] {
    do {
      _ = try Plan(Roadmap.parse(text: text), domains: domains)
      return []
    } catch let fault as SourceFault {
      return [fault]
    } catch let faults as SourceFaults {
      return faults.faults
    } catch {
      Issue.record(error)
      return []
    }
  }
}
