import FerryKernel
import FerryStore
import TestKit
import Testing

/// Everything that is wrong with a mapping is told before anything starts: where it stands in the roadmap, which
/// legacy file it doesn't fit, and what to do.
@Suite struct `A mapping that is wrong` {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let part: String
    let other: String
    let description: String
    var testDescription: String { other }

    init(_ part: String, _ other: String, _ description: String) {
      (self.part, self.other, self.description) = (part, other, description)
    }
  }

  // Line 14 is `            fields: {id: id, title: title, changed-at: changed, is-unsent: unsent}`.
  static let written: [Mistake] = [
    Mistake(
      "title: title", "title: {property: title, map: {a: b}, time: seconds}",
      "roadmap.yaml:14:33: 'map' and 'time' can't both convert a value. Remove one of the two."),
    Mistake(
      "title: title", "title: {constant: x, property: title}",
      "roadmap.yaml:14:33: 'constant' gives every row its value, so 'property' has no meaning beside it. "
        + "Remove one of the two."),
    Mistake(
      "title: title", "title: {map: {a: b}}",
      "roadmap.yaml:14:33: key 'property' is missing. Add 'property: …' here."),
    Mistake(
      "title: title", "title: {property: title, mapp: {a: b}}",
      "roadmap.yaml:14:51: unknown key 'mapp'; did you mean 'map'? "
        + "The keys here are 'property', 'constant', 'default', 'map', 'time', 'key'."),
    Mistake(
      "title: title", "title: {property: title, map: {}}",
      "roadmap.yaml:14:56: the map names no value. Write 'old: new' pairs in it."),
    Mistake(
      "title: title", "title: {property: title, map: {a: yes}}",
      "roadmap.yaml:14:60: 'yes' could be a truth value or text. Write true, or put the text in quotes."),
    Mistake(
      "changed-at: changed", "changed-at: {property: changed, time: second}",
      "roadmap.yaml:14:78: unknown unit 'second'; did you mean 'seconds'? "
        + "Write seconds, milliseconds, microseconds or seconds-since-2001."),
    Mistake(
      "title: title", "title: {property: title, key: false}",
      "roadmap.yaml:14:56: 'key: false' says nothing. Remove it."),
    Mistake(
      "title: title", "title: {property: title, default: 7}",
      "roadmap.yaml:14:60: 'title' can't be the number 7: it needs texts. Write a value that it can have."),
    Mistake(
      "title: title", "title: {constant: true}",
      "roadmap.yaml:14:44: 'title' can't be true: it needs texts. Write a value that it can have."),
    Mistake(
      "title: title", "title: {property: title, time: seconds}",
      "roadmap.yaml:14:57: this conversion makes times, and 'title' needs texts. "
        + "Remove the conversion, or name another one."),
    Mistake(
      "changed-at: changed", "changed-at: {property: changed, key: true}",
      "roadmap.yaml:14:77: this conversion makes whole numbers, or texts, or UUIDs, or ObjectIds, and "
        + "'changed-at' needs times. Remove the conversion, or name another one."),
    Mistake(
      "{where: {is-unsent: true}}", "{where: []}",
      "roadmap.yaml:13:27: the list has no condition. Write one, or remove the key."),
    Mistake(
      "{where: {is-unsent: true}}", "{}",
      "roadmap.yaml:13:19: there is no condition here. "
        + "Write {where: {field: value}} or {where-property: {property: value}}."),
    Mistake(
      "preserve: all, ", "preserve: all, pending-deletes: {gone: true}, ",
      "roadmap.yaml:15:63: 'note' never leaves the device, so no server is to hear of its deletions. "
        + "Remove 'pending-deletes'."),
  ]

  @Test(arguments: written)
  func `is refused where it stands`(mistake: Mistake) throws {
    let text = Library.roadmap.replacing(mistake.part, with: mistake.other, maxReplacements: 1)
    #expect(PlanFaultTests.faults(text).map(\.description) == [mistake.description])
  }

  static let unfit: [Mistake] = [
    Mistake(
      "title: title", "title: titel",
      "roadmap.yaml:14:33: class BookRow has no property 'titel'; did you mean 'title'? "
        + "In memory/alice@home it has 'id', 'title', 'changed', 'unsent', 'kind', 'shelf'."),
    Mistake(
      "title: title", "title: shelf",
      "roadmap.yaml:14:33: property 'shelf' of class BookRow holds links, and 'title' needs texts. "
        + "Name a property of memory/alice@home that fits, or a conversion that does."),
    Mistake(
      "title: title", "title: {property: changed, map: {0: a}}",
      "roadmap.yaml:14:44: property 'changed' of class BookRow holds times, and the conversion needs whole "
        + "numbers, or texts, or true or false. "
        + "Name a property of memory/alice@home that fits, or a conversion that does."),
    Mistake(
      "title: title", "title: {property: kind, map: {zero: a}}",
      "roadmap.yaml:14:56: property 'kind' of class BookRow holds whole numbers, and can't be 'zero'. "
        + "Write values that it can have in memory/alice@home."),
    Mistake(
      "title: title", "title: {property: unsent, map: {'yes': a}}",
      "roadmap.yaml:14:58: property 'unsent' of class BookRow holds true or false, and can't be 'yes'. "
        + "Write values that it can have in memory/alice@home."),
    Mistake(
      "changed-at: changed", "changed-at: {property: title, time: seconds}",
      "roadmap.yaml:14:63: property 'title' of class BookRow holds texts, and the conversion needs whole "
        + "numbers, or numbers. Name a property of memory/alice@home that fits, or a conversion that does."),
    Mistake(
      "title: title", "title: {property: kind, key: true}",
      "roadmap.yaml:14:44: property 'kind' of class BookRow holds whole numbers, and the conversion needs "
        + "links. Name a property of memory/alice@home that fits, or a conversion that does."),
    Mistake(
      "{where: {is-unsent: true}}", "{where-property: {dirty: true}}",
      "roadmap.yaml:13:37: class BookRow has no property 'dirty'. "
        + "In memory/alice@home it has 'id', 'title', 'changed', 'unsent', 'kind', 'shelf'."),
    Mistake(
      "{where: {is-unsent: true}}", "{where-property: {kind: true}}",
      "roadmap.yaml:13:37: property 'kind' of class BookRow holds whole numbers, and can't be true. "
        + "Name a property of memory/alice@home that fits, or a conversion that does."),
    Mistake(
      "preserve: {where: {is-unsent: true}}", "pending-deletes: {unsent: 1}",
      "roadmap.yaml:13:27: property 'unsent' of class BookRow holds true or false, and can't be the number 1. "
        + "Name a property of memory/alice@home that fits, or a conversion that does."),
    Mistake(
      "class: BookRow", "class: BookRow\n        account: changed",
      "roadmap.yaml:13:18: property 'changed' of class BookRow holds times, and an account's user needs texts, "
        + "or whole numbers, or UUIDs, or ObjectIds, or links. "
        + "Name a property of memory/alice@home that fits, or a conversion that does."),
  ]

  @Test(arguments: unfit)
  func `for a file is refused with the file's name, and nothing is written`(mistake: Mistake) async throws {
    let books = LegacyClass(
      name: "BookRow", properties: ["id", "title", "changed", "unsent", "kind", "shelf"],
      kinds: [.integer, .text, .time, .flag, .integer, .link], rowCount: 0)
    var rig = try LibraryRig(KindSource(books))
    rig.roadmap = Library.roadmap.replacing(mistake.part, with: mistake.other, maxReplacements: 1)
    try withExtendedLifetime(rig.open()) {}
    let before = try rig.dump()
    let error = await #expect(throws: SourceFaults.self) { try await rig.cross() }
    #expect(error?.faults.map(\.description) == [mistake.description])
    #expect(try rig.dump() == before)
  }

  @Test func `in several places is told whole`() async throws {
    let books = LegacyClass(
      name: "BookRow", properties: ["id", "title", "changed", "unsent"],
      kinds: [.integer, .text, .integer, .integer], rowCount: 0)
    let rig = try LibraryRig(KindSource(books))
    let error = await #expect(throws: SourceFaults.self) { try await rig.cross() }
    #expect(error?.faults.map(\.code) == ["roadmap.wrongKind", "roadmap.wrongKind"])
    #expect(error?.faults.map(\.position?.line) == [14, 14])
  }
}

/// A library one of whose classes says what its properties hold.
struct KindSource: LegacySource {
  private let described: LegacyClass
  private let rows = LibraryRows().source()

  init(_ described: LegacyClass) { self.described = described }

  var accounts: [AccountID] { rows.accounts }
  func path(of account: AccountID) -> String { rows.path(of: account) }
  func manifest(of account: AccountID) throws -> LegacyManifest { try rows.manifest(of: account) }
  func classes(of account: AccountID) throws -> [LegacyClass] {
    [described] + (try rows.classes(of: account)).filter { $0.name != described.name }
  }
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {}
  func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? { nil }
}
