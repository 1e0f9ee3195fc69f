import Testing

@testable import FerryStore

@Suite struct `The count of what people changed` {
  let mailbox: Mailbox

  init() throws { mailbox = try Mailbox() }

  private func count() throws -> Int64 { try mailbox.store.device.blockingRead { try $0.localEdits() } }

  @Test func `grows with each row, tracked or not, of an account or the device`() throws {
    #expect(try count() == 0)
    try mailbox.account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
    #expect(try count() == 2)
    try mailbox.account.blockingWrite { try $0.insert((1...3).map { Draft.page($0) }) }
    #expect(try count() == 5)
    try mailbox.store.device.blockingWrite { try $0.upsert(Counter(id: 1, value: 1)) }
    #expect(try count() == 6)
    try mailbox.account.blockingWrite { transaction in
      try transaction.upsert([Folder("a"), Folder("b", name: "new")])
      try transaction.delete(Folder.self, Identifier(known: "a"))
      try transaction.deleteAll(Draft.self)
    }
    #expect(try count() == 11)
  }

  @Test
  func `stays as it is for what a server, a crossing or the program writes, and for what was rolled back`()
    throws
  {
    for origin in [Origin.server, .crossing, .system] {
      try mailbox.account.blockingWrite(origin: origin) { transaction in
        try transaction.upsert(Folder("a", name: "\(origin)"))
        try transaction.upsert(Draft.page(1))
        try transaction.enqueue(Folder.self, Identifier(known: "a"), base: .unknown)
        try transaction.delete(Folder.self, Identifier(known: "a"))
        try transaction.deleteAll(Draft.self)
      }
    }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try mailbox.account.blockingWrite { transaction in
        try transaction.insert(Draft.page(1))
        throw Stop()
      }
    }
    #expect(try count() == 0)
  }
}
