import FerryKernel
import FerryStore
import TestKit
import Testing

@testable import FerrySync

@Suite struct `A change that the server never takes` {
  private let alice = LibraryRows.alice
  private let remote = ScriptedRemote()

  private func held() async throws -> SyncDevice {
    let device = try await SyncDevice()
    for name in ["a", "bad", "c"] { try device.put(.make(name) { $0.title = name }) }
    remote.poison("bad", "title: too long")
    let report = try await device.sync(remote)
    #expect(report.failures == 0)
    #expect(report.total.push == PushCounts(written: 2, held: 1))
    return device
  }

  @Test func `is set aside with the reason, stays unsent, and holds nothing up`() async throws {
    let device = try await held()
    let row = try #require(try device.quarantine().first)
    #expect(row.id == "push cards/alice@home/bad")
    #expect(row.unsentFeed == "cards")
    #expect(!row.isLegacyRow)
    #expect(row.reason == "title: too long")
    #expect(row.content.contains("bad"))
    #expect(try device.card("bad") != nil)
    #expect(try device.outbox().map(\.key) == ["bad"])
    #expect(remote.history("cards", alice).count == 2)
  }

  @Test func `isn't sent again by the next runs`() async throws {
    let device = try await held()
    let pushes = remote.pushes.count
    let report = try await device.sync(remote)
    #expect(remote.pushes.count == pushes)
    #expect(report.total.push == PushCounts())
    #expect(report.unsent == [alice: 1])
    #expect(try device.quarantine().count == 1)
  }

  @Test func `is in no plan`() async throws {
    let device = try await held()
    var options = SyncOptions()
    options.isDryRun = true
    let plan = try #require(try await device.sync(remote, options: options).units.first?.plan)
    #expect(plan.outgoing == FeedPlan.Outgoing())
  }

  @Test func `is sent once it is another one`() async throws {
    let device = try await held()
    remote.poison("bad", nil)
    try device.edit("bad") { $0.title = "good" }
    #expect(try await device.sync(remote).total.push == PushCounts(written: 1))
    #expect(try device.quarantine().isEmpty)
    #expect(try device.outbox().isEmpty)
  }

  @Test func `is sent once a person says so`() async throws {
    let device = try await held()
    remote.poison("bad", nil)
    try Domain.card.feeds[0].sendAgain("bad", of: device.account())
    #expect(try device.quarantine().isEmpty)
    #expect(try await device.sync(remote).total.push == PushCounts(written: 1))
  }

  @Test func `is forgotten with its row`() async throws {
    let device = try await held()
    try device.delete("bad")
    #expect(try device.outbox().isEmpty)
    try await device.sync(remote)
    #expect(try device.quarantine().isEmpty)
    #expect(try device.account().blockingRead { try $0.count(HeldChange.all) } == 0)
  }

  @Test func `may be let go of, and stays unsent`() async throws {
    let device = try await held()
    let quarantine = Quarantine(plan: device.plan, store: try device.store, source: MemoryLegacySource([]))
    #expect(try quarantine.drop("push cards/alice@home/bad").reason == "title: too long")
    let pushes = remote.pushes.count
    try await device.sync(remote)
    #expect(remote.pushes.count == pushes)
    #expect(try device.outbox().map(\.key) == ["bad"])
  }
}
