import Testing

@testable import FerryStore

@Suite struct `A shut gate` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }
  var device: DeviceStore { mailbox.store.device }

  init() throws { mailbox = try Mailbox() }

  private func shut(_ tables: [String]? = nil) throws {
    try device.blockingWrite(origin: .crossing) {
      try $0.shutGate(reason: "carrying folders", tables: tables)
    }
  }

  @Test(arguments: [Origin.local, .server]) func `refuses every writer but the crossing, with its reason`(
    origin: Origin
  ) throws {
    try shut()
    let refusal = StoreError.gateShut(reason: "carrying folders")
    #expect(throws: refusal) { try account.blockingWrite(origin: origin) { try $0.insert(Folder("a")) } }
    #expect(throws: refusal) {
      try device.blockingWrite(origin: origin) { try $0.insert(Counter(id: 1, value: 1)) }
    }
    #expect(throws: refusal) { try device.blockingWrite(origin: origin) { _ in } }
    try account.blockingWrite(origin: .crossing) { try $0.insert(Folder("a")) }
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 1)
    #expect(try device.blockingRead { try $0.gateReason() } == "carrying folders")
  }

  @Test func `refuses async writers too`() async throws {
    try shut()
    await #expect(throws: StoreError.gateShut(reason: "carrying folders")) {
      try await account.write { try $0.insert(Folder("a")) }
    }
  }

  @Test func `shuts out another opening of the same file`() throws {
    let other = try mailbox.sandbox.open()
    try shut()
    #expect(throws: StoreError.gateShut(reason: "carrying folders")) {
      try other.account(alice).blockingWrite { try $0.insert(Folder("a")) }
    }
    try other.device.blockingWrite(origin: .crossing) { try $0.openGate() }
    try account.blockingWrite { try $0.insert(Folder("a")) }
  }

  @Test func `stays shut when the store is opened again`() throws {
    try shut()
    let again = try mailbox.sandbox.open()
    #expect(throws: StoreError.gateShut(reason: "carrying folders")) {
      try again.device.blockingWrite { _ in }
    }
  }

  @Test func `of some tables refuses only their writers, whatever they do`() throws {
    try account.blockingWrite { try $0.insert(Folder("a")) }
    try shut(["folder", "other"])
    let (refusal, key) = (
      StoreError.tableShut(table: "folder", reason: "carrying folders"), Identifier<Folder>(known: "a")
    )
    for origin in [Origin.local, .server] {
      func refuses(_ body: (borrowing Transaction<AccountScope>) throws -> Void) {
        #expect(throws: refusal) { try account.blockingWrite(origin: origin, body) }
      }
      refuses { try $0.insert(Folder("b")) }
      refuses { try $0.upsert(Folder("a")) }
      refuses { try $0.delete(Folder.self, key) }
      refuses { try $0.deleteAll(Folder.self) }
      refuses { try $0.enqueue(Folder.self, key, base: .unknown) }
      refuses { try $0.setRemoteState(RemoteState(revision: 1, json: nil), of: Folder.self, key) }
      refuses { try $0.forgetRemoteState(of: Folder.table.declaration) }
      try account.blockingWrite(origin: origin) {
        try $0.upsert(Draft(id: 1, text: "\(origin)", isLocal: false))
      }
    }
    try account.blockingWrite(origin: .crossing) { try $0.insert(Folder("c")) }
    #expect(try device.blockingRead { try $0.gateReason() } == nil)
    #expect(try account.blockingRead { try $0.count(Folder.all) } == 2)
  }

  @Test func `can be narrowed, widened and opened`() throws {
    try shut(["folder"])
    try shut()
    #expect(throws: StoreError.self) {
      try account.blockingWrite { try $0.insert(Draft(id: 1, text: "", isLocal: false)) }
    }
    try shut([])
    try account.blockingWrite { try $0.insert(Folder("a")) }
    try shut(["folder"])
    #expect(throws: StoreError.self) { try account.blockingWrite { try $0.insert(Folder("b")) } }
    try device.blockingWrite(origin: .crossing) { try $0.openGate() }
    try account.blockingWrite { try $0.insert(Folder("b")) }
  }

  @Test func `whose transaction is undone was never shut`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try device.blockingWrite(origin: .crossing) { transaction in
        try transaction.shutGate(reason: "x")
        throw Stop()
      }
    }
    try account.blockingWrite { try $0.insert(Folder("a")) }
  }

  @Test func `lets accounts be added, since a crossing adds them`() throws {
    try shut()
    try mailbox.store.addAccount(bob)
    #expect(try device.blockingRead { try $0.accounts() }.count == 2)
  }
}
