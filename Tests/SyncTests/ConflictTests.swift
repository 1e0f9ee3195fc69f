import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import FerrySync

/// Cards that two sides have changed since they last agreed.
@Suite struct `A conflict` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  private func there(_ id: String) -> JSONObject? { remote.history("cards", alice).record(id)?.content }

  /// A device that has a card in common with the server, edited here and there.
  private func device(
    _ base: JSONObject? = Card.record(title: "base", changedAt: 5, tags: ["x", "y"]),
    deletion: DeletionRule = .editWins, here: (SyncDevice) throws -> Void, there: JSONObject?
  ) async throws -> (SyncDevice, SyncReport) {
    let device = try await SyncDevice(domains: [.cards(deletion: deletion)])
    if let base {
      remote.put("cards", alice, "a", base)
      try await device.sync(remote)
    }
    try here(device)
    if let there { remote.put("cards", alice, "a", there) } else { remote.delete("cards", alice, "a") }
    return (device, try await device.sync(remote))
  }

  /// The device and the server have the same.
  private func expectAgreement(_ device: SyncDevice) async throws {
    let again = try await device.sync(remote)
    #expect(again.total.push == PushCounts())
    #expect(again.total.pull.written + again.total.pull.deleted + again.total.pull.conflicts == 0)
    #expect(try device.outbox().isEmpty)
    for card in try device.cards() {
      let form = try device.account().blockingRead { try Domain.card.feeds[0].encode(card.id.rawValue, $0) }
      #expect(form == there(card.id.rawValue))
    }
    #expect(try device.cards().count == remote.history("cards", alice).count)
  }

  @Test func `is none where two fields were changed`() async throws {
    let (device, report) = try await device(
      here: { try $0.edit("a") { $0.title = "mine" } },
      there: Card.record(title: "base", note: "theirs", changedAt: 5, tags: ["x", "y"]))
    #expect(report.total.pull.conflicts == 0)
    #expect(report.total.push == PushCounts(written: 1))
    let card = try #require(try device.card("a"))
    #expect(card.title == "mine" && card.note == "theirs")
    #expect(try device.conflicts().isEmpty)
    try await expectAgreement(device)
  }

  @Test func `is none where both changed the same to the same`() async throws {
    let (device, report) = try await device(
      here: { try $0.edit("a") { $0.title = "same" } },
      there: Card.record(title: "same", changedAt: 5, tags: ["x", "y"]))
    #expect(report.total.pull.conflicts == 0)
    #expect(report.total.push == PushCounts())
    #expect(remote.pushes.isEmpty)
    try await expectAgreement(device)
  }

  @Test func `is settled for the server where that is the rule, and nothing is sent`() async throws {
    let (device, report) = try await device(
      here: { try $0.edit("a") { $0.title = "mine" } },
      there: Card.record(title: "theirs", changedAt: 5, tags: ["x", "y"]))
    #expect(report.total.pull.conflicts == 1)
    #expect(try device.card("a")?.title == "theirs")
    #expect(remote.pushes.isEmpty)
    let conflict = try #require(try device.conflicts().first)
    #expect(conflict.id == "cards/a/2")
    #expect(conflict.decision == "server" && conflict.fields == "title=server")
    #expect(conflict.local?.contains("mine") == true && conflict.content?.contains("theirs") == true)
    try await expectAgreement(device)
  }

  @Test func `is settled for this device where that is the rule`() async throws {
    let (device, report) = try await device(
      here: { try $0.edit("a") { $0.note = "mine" } },
      there: Card.record(title: "base", note: "theirs", changedAt: 5, tags: ["x", "y"]))
    #expect(report.total.pull.conflicts == 1)
    #expect(there("a")?["note"]?.stringValue == "mine")
    let conflict = try #require(try device.conflicts().first)
    #expect(conflict.decision == "local" && conflict.fields == "note=local")
    try await expectAgreement(device)
  }

  @Test(arguments: [(4, "theirs"), (6, "theirs"), (7, "theirs"), (8, "mine")])
  func `is settled for the later one where that is the rule`(mine: Int64, winner: String) async throws {
    let (device, _) = try await device(
      here: { device in
        try device.edit("a") { card in
          card.rank = 100
          card.changedAt = Timestamp(nanoseconds: mine)
        }
      }, there: Card.record(title: "base", rank: 200, changedAt: 7, tags: ["x", "y"]))
    let card = try #require(try device.card("a"))
    #expect(card.rank == (winner == "mine" ? 100 : 200))
    #expect(card.changedAt.nanoseconds == max(7, mine))
    try await expectAgreement(device)
  }

  @Test func `of two lists keeps what either added and loses what either removed`() async throws {
    let (device, _) = try await device(
      here: { try $0.edit("a") { $0.tags = ["mine", "y"] } },
      there: Card.record(title: "base", changedAt: 5, tags: ["x", "theirs"]))
    #expect(try device.card("a")?.tags == ["theirs", "mine"])
    #expect(try device.conflicts().map(\.fields) == ["tags=union"])
    try await expectAgreement(device)
  }

  @Test func `keeps both where that is the rule, this device's under an id of its own`() async throws {
    let (device, report) = try await device(
      here: { device in
        try device.edit("a") { card in
          card.body = "mine"
          card.note = "my note"
        }
      }, there: Card.record(title: "base", changedAt: 5, tags: ["x", "y"], body: "theirs"))
    #expect(report.total.pull.conflicts == 1)
    #expect(report.total.push == PushCounts(written: 1))
    let cards = try device.cards()
    #expect(cards.count == 2)
    #expect(try device.card("a")?.body == "theirs")
    #expect(try device.card("a")?.note == nil)
    let copy = try #require(cards.first { $0.id.rawValue != "a" })
    #expect(copy.body == "mine" && copy.note == "my note" && copy.title == "base")
    #expect(try device.conflicts().map(\.decision) == ["copy"])
    try await expectAgreement(device)
  }

  @Test func `of several fields is settled for each by its own rule`() async throws {
    let (device, _) = try await device(
      here: { device in
        try device.edit("a") { card in
          (card.title, card.note, card.rank) = ("mine", "mine", 1)
          card.changedAt = Timestamp(nanoseconds: 9)
          card.tags += ["mine"]
        }
      },
      there: Card.record(
        title: "theirs", note: "theirs", rank: 2, changedAt: 8, tags: ["x", "y", "theirs"], kind: "lined"))
    let card = try #require(try device.card("a"))
    #expect(card.title == "theirs" && card.note == "mine" && card.rank == 1)
    #expect(card.tags == ["x", "y", "theirs", "mine"])
    #expect(card.kind == .lined)
    let conflict = try #require(try device.conflicts().first)
    #expect(conflict.decision == "fields")
    #expect(
      Set(conflict.fields.split(separator: " ")) == [
        "title=server", "note=local", "rank=local", "changedAt=local", "tags=union",
      ])
    try await expectAgreement(device)
  }

  @Test(arguments: [DeletionRule.editWins, .deletionWins])
  func `between an edit here and a deletion there is settled by the stated rule`(rule: DeletionRule)
    async throws
  {
    let (device, report) = try await device(
      deletion: rule, here: { try $0.edit("a") { $0.title = "mine" } }, there: nil)
    #expect(report.total.pull.conflicts == 1)
    #expect(try device.card("a")?.title == (rule == .editWins ? "mine" : nil))
    let conflict = try #require(try device.conflicts().first)
    #expect(conflict.decision == (rule == .editWins ? "kept" : "deleted"))
    #expect(conflict.content == nil && conflict.local?.contains("mine") == true)
    try await expectAgreement(device)
  }

  @Test(arguments: [DeletionRule.editWins, .deletionWins])
  func `between a deletion here and an edit there is settled by the stated rule`(rule: DeletionRule)
    async throws
  {
    let (device, report) = try await device(
      deletion: rule, here: { try $0.delete("a") },
      there: Card.record(title: "theirs", changedAt: 5, tags: ["x", "y"]))
    #expect(report.total.pull.conflicts == 1)
    #expect(try device.card("a")?.title == (rule == .editWins ? "theirs" : nil))
    let conflict = try #require(try device.conflicts().first)
    #expect(conflict.decision == (rule == .editWins ? "kept" : "deleted"))
    #expect(conflict.local == nil && conflict.content?.contains("theirs") == true)
    try await expectAgreement(device)
  }

  @Test func `is none where a record was only written again and is deleted here`() async throws {
    let (device, report) = try await device(
      here: { try $0.delete("a") }, there: Card.record(title: "base", changedAt: 5, tags: ["x", "y"]))
    #expect(report.total.pull.conflicts == 0)
    #expect(report.total.push == PushCounts(deleted: 1))
    try await expectAgreement(device)
  }

  @Test func `is none where both sides deleted it`() async throws {
    let (device, report) = try await device(here: { try $0.delete("a") }, there: nil)
    #expect(report.total.pull.conflicts == 0)
    #expect(remote.pushes.isEmpty)
    try await expectAgreement(device)
  }

  @Test func `of two cards made under one id is settled field by field with no common ground`() async throws {
    let (device, report) = try await device(
      nil, here: { try $0.put(.make("a") { ($0.title, $0.tags) = ("mine", ["m"]) }) },
      there: Card.record(title: "theirs", tags: ["t"]))
    #expect(report.total.pull.conflicts == 1)
    #expect(try device.card("a")?.title == "theirs")
    #expect(try device.card("a")?.tags == ["t", "m"])
    try await expectAgreement(device)
  }

  @Test func `that shows only at the push is settled in the same run`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "base"))
    try await device.sync(remote)
    try device.edit("a") { ($0.note, $0.title) = ("mine", "mine") }
    let once = Locked(true)
    remote.beforePush { [remote, alice] _ in
      guard
        once.withLock({ once in
          defer { once = false }; return once
        })
      else { return }
      remote.put("cards", alice, "a", Card.record(title: "theirs"))
    }
    let report = try await device.sync(remote)
    #expect(report.total.pull.conflicts == 1)
    #expect(report.total.push == PushCounts(written: 1))
    #expect(there("a") == Card.record(title: "theirs", note: "mine"))
    #expect(try device.conflicts().count == 1)
    try await expectAgreement(device)
  }

  @Test func `with a deletion that shows only at the push is settled in the same run`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "base"))
    try await device.sync(remote)
    try device.edit("a") { $0.title = "mine" }
    remote.beforePush { [remote, alice] changes in
      if changes.first?.precondition == .revision(1) { remote.delete("cards", alice, "a") }
    }
    let report = try await device.sync(remote)
    #expect(report.total.pull.conflicts == 1)
    #expect(there("a")?["title"]?.stringValue == "mine")
    #expect(try device.conflicts().map(\.decision) == ["kept"])
    try await expectAgreement(device)
  }

  @Test func `of two devices that were offline ends the same on both`() async throws {
    let (one, two) = (try await SyncDevice(), try await SyncDevice())
    try one.put(.make("a") { $0.title = "base" })
    for device in [one, two] { try await device.sync(remote) }
    try one.edit("a") { ($0.title, $0.tags) = ("one", ["1"]) }
    try two.edit("a") { ($0.title, $0.tags) = ("two", ["2"]) }
    for device in [one, two, one, two] { try await device.sync(remote) }
    #expect(try one.cards() == two.cards())
    #expect(try one.card("a")?.tags == ["1", "2"])
    try await expectAgreement(one)
  }
}

/// Rows that crossed, and that no server was asked about.
@Suite struct `A row that crossed` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  @Test func `is pushed where the server doesn't have it, and only after it was asked`() async throws {
    let device = try await SyncDevice(legacy: [("a", "a"), ("b", "b"), ("c", "c")])
    #expect(try device.outbox().isEmpty)
    remote.put("cards", alice, "sb", Card.record(title: "b"))
    remote.put("cards", alice, "sc", Card.record(title: "theirs"))
    let report = try await device.sync(remote)
    #expect(report.total.push == PushCounts(written: 1))
    #expect(remote.pushes == [[.create("sa", Card.record(title: "a"))]])
    #expect(report.total.pull.conflicts == 1)
    #expect(try device.card("sc")?.title == "theirs")
    #expect(try await device.sync(remote).total.push == PushCounts())
  }

  @Test func `is counted by the plan`() async throws {
    let device = try await SyncDevice(legacy: [("a", "a"), ("b", "b"), ("c", "c")])
    remote.put("cards", alice, "sb", Card.record(title: "b"))
    var options = SyncOptions()
    options.isDryRun = true
    let unit = try #require(try await device.sync(remote, options: options).units.first)
    #expect(unit.plan?.outgoing.written == 2)
    #expect(unit.plan?.incoming?.unchanged == 1)
  }

  @Test func `and whose deletion crossed with it goes from the server`() async throws {
    let device = try await SyncDevice()
    try device.account().blockingWrite(origin: .crossing) { transaction in
      try transaction.enqueueDeletion(of: try Card.make("a"))
      try transaction.enqueueDeletion(of: try Card.make("never there"))
    }
    #expect(try device.outbox().map(\.base) == [.unknown, .unknown])
    remote.put("cards", alice, "a", Card.record(title: "a"))
    let report = try await device.sync(remote)
    #expect(report.total.push == PushCounts(deleted: 1))
    #expect(report.total.pull.conflicts == 0)
    #expect(remote.history("cards", alice).count == 0)
    #expect(try device.outbox().isEmpty)
  }

  @Test func `with many deletions is held against what the server has`() async throws {
    let device = try await SyncDevice()
    try device.account().blockingWrite(origin: .crossing) { transaction in
      for number in 0..<20 { try transaction.enqueueDeletion(of: try Card.make("c\(number)")) }
    }
    for number in 0..<40 { remote.put("cards", alice, "c\(number)", Card.record()) }
    #expect(try await device.sync(remote).failureKinds == [.brake])
    for number in 40..<100 { remote.put("cards", alice, "c\(number)", Card.record()) }
    #expect(try await device.sync(remote).failures == 0)
    #expect(remote.history("cards", alice).count == 80)
  }
}
