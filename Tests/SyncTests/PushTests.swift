import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import FerrySync

/// What becomes of local changes.
@Suite struct `A push` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  private func there(_ id: String) -> JSONObject? { remote.history("cards", alice).record(id)?.content }
  private func titles(_ device: SyncDevice) throws -> [String] {
    try device.cards().map { "\($0.id) \($0.title)" }
  }

  @Test func `sends the outbox oldest first, after everything was pulled, each change with its precondition`()
    async throws
  {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    remote.put("cards", alice, "b", Card.record(title: "b"))
    try await device.sync(remote)
    try device.put(.make("z") { $0.title = "new" })
    try device.delete("a")
    try device.edit("b") { $0.title = "changed" }
    let report = try await device.sync(remote)
    #expect(report.total.push == PushCounts(written: 2, deleted: 1))
    #expect(
      remote.pushes == [
        [
          .create("z", Card.record(title: "new")), .delete("a", of: 1),
          .update("b", Card.record(title: "changed"), of: 2),
        ]
      ])
    #expect(try device.outbox().isEmpty)
    #expect(there("a") == nil)
    #expect(there("b")?["title"]?.stringValue == "changed")
    // What was pushed comes by again and changes nothing.
    let again = try await device.sync(remote)
    #expect(again.total.push == PushCounts())
    #expect(again.total.pull.written + again.total.pull.deleted == 0)
    #expect(remote.pushes.count == 1)
  }

  @Test func `sends no more at once than the server takes`() async throws {
    let device = try await SyncDevice()
    for number in 1...7 { try device.put(.make("c\(number)")) }
    remote.be(RemoteSession(user: "alice", batchLimit: 3, isReadOnly: false, keepsBlobs: true))
    #expect(try await device.sync(remote).total.push.written == 7)
    #expect(remote.pushes.map(\.count) == [3, 3, 1])
  }

  @Test func `waits where the server takes no changes any more since it said who it is`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("mine"))
    remote.put("cards", alice, "a", Card.record())
    remote.failPushes(.refusal(.readOnly(server: "home")))
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(report.total.pull.written == 1)
    #expect(report.unsent == [alice: 1])
  }

  @Test func `sends nothing to a server that takes no changes, and pulls from it`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("mine"))
    remote.put("cards", alice, "a", Card.record())
    remote.be(RemoteSession(user: "alice", batchLimit: 3, isReadOnly: true, keepsBlobs: true))
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(report.total.pull.written == 1)
    #expect(report.unsent == [alice: 1])
    #expect(remote.pushes.isEmpty)
  }

  @Test
  func `leaves a row in the outbox that is edited on its way, with the server's new revision for its base`()
    async throws
  {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    try device.edit("a") { $0.title = "first" }
    let once = Locked(true)
    remote.beforePush { _ in
      guard
        once.withLock({ once in
          defer { once = false }; return once
        })
      else { return }
      try device.edit("a") { $0.title = "second" }
    }
    #expect(try await device.sync(remote).total.push.written == 1)
    #expect(there("a")?["title"]?.stringValue == "first")
    #expect(try device.outbox().map(\.base) == [.revision(2)])
    #expect(try device.card("a")?.title == "second")
    try await device.sync(remote)
    #expect(there("a")?["title"]?.stringValue == "second")
    #expect(try device.conflicts().isEmpty)
  }

  @Test func `deletes what was deleted here while it was being made there`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a"))
    remote.beforePush { changes in if changes.first?.content != nil { try device.delete("a") } }
    try await device.sync(remote)
    #expect(try device.outbox().map { "\($0.key) \($0.operation) \($0.base)" } == ["a delete revision(1)"])
    try await device.sync(remote)
    #expect(there("a") == nil)
    #expect(try device.cards().isEmpty)
    #expect(try device.outbox().isEmpty)
  }

  @Test func `makes anew what was deleted and made again while the deletion was on its way`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    try device.delete("a")
    remote.beforePush { changes in
      if changes.first?.content == nil { try device.put(.make("a") { $0.title = "anew" }) }
    }
    try await device.sync(remote)
    #expect(try device.outbox().map(\.base) == [.absent])
    try await device.sync(remote)
    #expect(there("a")?["title"]?.stringValue == "anew")
    #expect(try device.conflicts().isEmpty)
  }

  @Test func `makes anew what was deleted before, without asking itself who did it`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a") { $0.title = "a" })
    try await device.sync(remote)
    try device.delete("a")
    try await device.sync(remote)
    try device.put(.make("a") { $0.title = "anew" })
    #expect(try await device.sync(remote).total.pull.conflicts == 0)
    #expect(there("a")?["title"]?.stringValue == "anew")
    #expect(try device.conflicts().isEmpty)
  }

  @Test func `of what was made and deleted before the first one sends nothing`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a"))
    try device.delete("a")
    try await device.sync(remote)
    #expect(remote.pushes.isEmpty)
  }

  @Test func `of what was edited and edited back sends nothing`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    try device.edit("a") { $0.title = "b" }
    try device.edit("a") { $0.title = "a" }
    #expect(try device.outbox().count == 1)
    try await device.sync(remote)
    #expect(try device.outbox().isEmpty)
    #expect(remote.pushes.isEmpty)
  }

  @Test func `whose answer was lost is found to be done, and sent only once more`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a") { $0.title = "mine" })
    remote.failPushes(.lostAnswer)
    let report = try await device.sync(remote)
    #expect(report.total.push == PushCounts(written: 1))
    #expect(remote.pushes.count == 2)
    #expect(remote.history("cards", alice).revision == 1)
    #expect(try device.outbox().isEmpty)
  }

  @Test func `whose answer was lost isn't taken for another's edit, though the row was edited since`()
    async throws
  {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    try device.edit("a") { $0.title = "first" }
    remote.beforePush { _ in throw RemoteError.unreachable(server: "home", why: "killed") }
    let failed = try await device.sync(remote)
    #expect(failed.failureKinds == [.network])
    // It arrived all the same, and then the person went on.
    remote.beforePush(nil)
    remote.put("cards", alice, "a", Card.record(title: "first"))
    try device.edit("a") { $0.title = "second" }
    let report = try await device.sync(remote)
    #expect(report.total.pull.conflicts == 0)
    #expect(try device.conflicts().isEmpty)
    #expect(there("a")?["title"]?.stringValue == "second")
    #expect(try device.card("a")?.title == "second")
    #expect(try device.account().blockingRead { try $0.count(SentChange.all) } == 0)
  }

  @Test func `whose creation was lost, and undone here since, leaves nothing there`() async throws {
    let device = try await SyncDevice()
    let card = try Card.make("a") { $0.title = "mine" }
    try device.put(card)
    remote.beforePush { _ in throw RemoteError.unreachable(server: "home", why: "killed") }
    try await device.sync(remote)
    remote.beforePush(nil)
    remote.put("cards", alice, "a", Card.record(title: "mine"))
    try device.delete("a")
    #expect(try device.outbox().isEmpty)
    try await device.sync(remote)
    #expect(there("a") == nil)
    #expect(try device.cards().isEmpty)
  }

  @Test func `of a deletion that was done already is done`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record())
    try await device.sync(remote)
    try device.delete("a")
    remote.beforePush { [remote, alice] _ in remote.delete("cards", alice, "a") }
    let report = try await device.sync(remote)
    #expect(report.total.push == PushCounts(deleted: 1))
    #expect(try device.outbox().isEmpty)
    #expect(try device.conflicts().isEmpty)
  }

  @Test func `sends again what the server undid after it had said that it was done`() async throws {
    let device = try await SyncDevice()
    for number in 1...4 { try device.put(.make("c\(number)")) }
    remote.failPushes(.collision(at: 2))
    let report = try await device.sync(remote)
    #expect(report.total.push == PushCounts(written: 4))
    #expect(remote.pushes.map(\.count) == [4, 3])
    #expect(remote.history("cards", alice).count == 4)
  }

  @Test func `that is told to come later ends there, and the next one goes on`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a"))
    remote.failPushes(.busy)
    #expect(try await device.sync(remote).failureKinds == [.network])
    #expect(try device.outbox().count == 1)
    #expect(try await device.sync(remote).total.push.written == 1)
  }

  @Test func `meets a record that can't be read once, and sets it aside`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    var broken = Card.record(title: "a")
    broken["rank"] = "first"
    remote.put("cards", alice, "a", broken)
    try device.edit("a") { $0.title = "mine" }
    for _ in 0..<2 {
      let pushes = remote.pushes.count
      let report = try await device.sync(remote)
      #expect(report.failures == 0)
      #expect(report.total.pull.refused + report.total.push.held <= 2)
      #expect(remote.pushes.count == pushes + 1)
      #expect(report.unsent == [alice: 1])
      #expect(try device.quarantine().map(\.entity) == ["feed cards"])
    }
    // Mended there, both are settled.
    remote.put("cards", alice, "a", Card.record(title: "theirs"))
    try await device.sync(remote)
    #expect(try device.outbox().isEmpty)
    #expect(try device.quarantine().isEmpty)
    #expect(try device.card("a")?.title == "theirs")
  }

  @Test func `of a record that can't be read in place of one that was deleted counts it once`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a"))
    try await device.sync(remote)
    try device.delete("a")
    try await device.sync(remote)
    remote.put("cards", alice, "a", ["rank": "first"])
    #expect(try await device.sync(remote).total.pull.refused == 1)
    #expect(try await device.sync(remote).total.pull.refused <= 1)
    #expect(try device.quarantine().count == 1)
  }

  @Test func `that is never answered is unsure, and the next run finds out`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("a"))
    remote.failPushes(
      .cut(after: 0), .cut(after: 0), .cut(after: 0), .cut(after: 0), .cut(after: 0), .cut(after: 0))
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(report.total.push == PushCounts(unsure: 1))
    #expect(try await device.sync(remote).total.push == PushCounts(written: 1))
  }

  @Test func `keeps what the others wrote beside our members, and kinds that this build has no name for`()
    async throws
  {
    let device = try await SyncDevice()
    var record = Card.record(title: "a", kind: "squared")
    record["colour"] = ["name": "red", "deep": [1, 2.5, .wide("18446744073709551615")]]
    record["attachment"] = ["location": "x"]
    remote.put("cards", alice, "a", record)
    try await device.sync(remote)
    #expect(try device.card("a")?.kind == .unknown("squared"))
    try device.edit("a") { $0.note = "mine" }
    try await device.sync(remote)
    record["note"] = "mine"
    #expect(there("a") == record)
    // A member of ours that is gone here is gone there, too.
    try device.edit("a") { $0.note = nil }
    try await device.sync(remote)
    record["note"] = nil
    #expect(there("a") == record)
  }

  @Test func `leaves a number in the words of whoever wrote it`() async throws {
    let device = try await SyncDevice()
    var record = Card.record(title: "a")
    record["rank"] = 5.0
    remote.put("cards", alice, "a", record)
    let refused = try await device.sync(remote)
    #expect(refused.total.pull.refused == 1)
    record["rank"] = 5
    record["note"] = .null
    remote.put("cards", alice, "a", record)
    try await device.sync(remote)
    try device.edit("a") { $0.title = "b" }
    try await device.sync(remote)
    record["title"] = "b"
    // An absent note and one that is null are the same to us: it isn't rewritten.
    #expect(there("a") == record)
  }

  @Test func `never sends what is local only, and leaves it alone where the server has the same key`()
    async throws
  {
    let device = try await SyncDevice()
    try device.put(.make("mine") { ($0.title, $0.isLocal) = ("mine", true) })
    remote.put("cards", alice, "mine", Card.record(title: "theirs"))
    let report = try await device.sync(remote)
    #expect(report.total.pull.conflicts == 0)
    #expect(try device.card("mine")?.title == "mine")
    #expect(remote.pushes.isEmpty)
    #expect(there("mine")?["title"]?.stringValue == "theirs")
    // Once it is for others it meets theirs.
    try device.edit("mine") { $0.isLocal = false }
    try await device.sync(remote)
    #expect(try device.card("mine")?.title == "theirs")
    #expect(try device.conflicts().map { $0.local?.contains(#""title":"mine""#) } == [true])
  }

  @Test func `counts a record that can't be read where a row that never travels has its key`() async throws {
    let device = try await SyncDevice()
    try device.put(.make("mine") { $0.isLocal = true })
    var broken = Card.record(title: "theirs")
    broken["rank"] = "first"
    remote.put("cards", alice, "mine", broken)
    #expect(try await device.sync(remote).total.pull.refused == 1)
    let requests = remote.requests.count
    #expect(try await device.sync(remote).total.pull.refused == 0)
    #expect(remote.requests.count == requests + 1)
  }

  @Test func `takes from the server what became local only here`() async throws {
    let device = try await SyncDevice()
    remote.put("cards", alice, "a", Card.record(title: "a"))
    try await device.sync(remote)
    try device.edit("a") { $0.isLocal = true }
    try await device.sync(remote)
    #expect(there("a") == nil)
    try await device.sync(remote)
    #expect(try device.card("a")?.title == "a")
  }
}

extension PushCounts {
  init(written: Int = 0, deleted: Int = 0, held: Int = 0, unsure: Int = 0, lost: Int = 0) {
    self.init()
    (self.written, self.deleted, self.held, self.unsure, self.lost) = (written, deleted, held, unsure, lost)
  }
}
