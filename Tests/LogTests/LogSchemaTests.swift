import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@testable import LogDomain

/// The log's tables as they were first published.
private struct OldEntry: Record {
  typealias Scope = DeviceScope
  typealias Key = Identifier<OldEntry>
  let id: Identifier<OldEntry>
  let at: Timestamp
  let level: LogLevel
  let category: String
  let message: String
  let account: AccountID?

  static let table = Table<OldEntry>(
    "log", key: \.id,
    columns: Column("id", \.id), Column("at", \.at), Column("level", \.level), Column("category", \.category),
    Column("message", \.message), Column("account", \.account),
    indexes: [Index(\.at)],
    make: OldEntry.init(id:at:level:category:message:account:))
}

private struct OldDrain: Record {
  typealias Scope = DeviceScope
  typealias Key = String
  let spill: String
  let offset: Int64

  static let table = Table<OldDrain>(
    "log_drain", key: \.spill, columns: Column("spill", \.spill), Column("offset", \.offset),
    make: OldDrain.init(spill:offset:))
}

@Suite struct `A store from before the log had fields` {
  @Test func `opens with its lines, and drains on from where it was`() async throws {
    let folder = try GoldenFolder()
    let url = folder.url.appendingPathComponent("ferry.sqlite")
    let spill = try LogSpill(path: folder.path("log.spill"))
    func log(_ message: String) {
      spill.append(
        LogLine(at: Timestamp(nanoseconds: 5), level: .info, category: "test", message: message))
    }
    log("drained by the old build")
    let mark = try spill.read(after: []).mark
    log("not drained")
    let old = Schema(owner: "log", tables: [OldEntry.table.declaration, OldDrain.table.declaration])
    let before = try Store.open(at: url, schemas: [old])
    let account = try AccountID(server: "home", user: "alice")
    try before.device.blockingWrite { transaction in
      try transaction.insert(
        OldEntry(
          id: try #require(Identifier("\(mark.spill)/49")), at: Timestamp(nanoseconds: 4), level: .unknown(7),
          category: "test", message: "drained by the old build", account: account))
      try transaction.insert(OldDrain(spill: mark.spill, offset: mark.offset))
    }
    await before.close()
    let store = try Store.open(at: url, schemas: [Domain.log.schema])
    #expect(try await LogDAO.drain(spill, into: store.device) == 1)
    let entries = try await LogDAO.recent(store.device)
    #expect(entries.map(\.message) == ["not drained", "drained by the old build"])
    #expect(entries.map(\.sequence) == [1, 0])
    #expect(entries[1].level == .unknown(7) && entries[1].account == account && entries[1].fields == [:])
    await store.close()
  }
}
