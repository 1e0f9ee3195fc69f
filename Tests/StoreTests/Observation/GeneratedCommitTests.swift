import Testing

@testable import FerryStore

/// Commits by chance over two accounts with the same keys, held against what observers and listeners hear.
@Suite(.notForEver) struct `Generated commits` {
  let mailbox: Mailbox
  let accounts: [AccountStore]
  struct Stop: Error {}

  init() throws {
    mailbox = try Mailbox(clock: ManualClock())
    accounts = [mailbox.account, try mailbox.store.addAccount(bob)]
  }

  /// One transaction of a few writes; some are rolled back.
  private func commit(_ generator: inout Seeded) throws {
    let account = accounts.pick(&generator)
    let origin = [Origin.local, .server, .crossing].pick(&generator)
    let steps = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      (Int.random(in: 0..<7, using: &generator), Int64.random(in: 1...4, using: &generator))
    }
    let fails = Int.random(in: 0..<5, using: &generator) == 0
    do {
      try mailbox.store.device.blockingWrite(origin: origin) { device in
        try device.in(account) { transaction in
          for (kind, number) in steps {
            let id = Identifier<Folder>(known: "f\(number)")
            switch kind {
            case 0: try transaction.upsert(Folder(id: id, name: "\(number % 2)"))
            case 1: try transaction.upsert([Folder(id: id, name: "x"), Folder(id: id, name: "\(number)")])
            case 2: try transaction.delete(Folder.self, id)
            case 3: try transaction.upsert(Draft(id: number, text: "\(steps.count)", isLocal: false))
            case 4: try transaction.delete(Draft.self, number)
            case 5: if number == 1 { try transaction.deleteAll(Folder.self) }
            default:
              try transaction.setRemoteState(RemoteState(revision: number, json: nil), of: Folder.self, id)
            }
          }
        }
        if steps.count == 3 { try device.upsert(Counter(id: 1, value: Int(steps[0].1))) }
        if fails { throw Stop() }
      }
    } catch is Stop {}
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `give each observer an element where its result differs, and nothing else`(seed: UInt64) async throws {
    var generator = Seeded(seed: seed)
    for account in accounts {
      let fetches = Count()
      var folders = account.observe(Folder.all).makeAsyncIterator()
      var outbox = account.observe { snapshot in
        fetches.add()
        return try snapshot.outbox().map { "\($0.table) \($0.key) \($0.sequence)" }
      }.makeAsyncIterator()
      var counters = mailbox.store.device.observe(Counter.all).makeAsyncIterator()
      func state() throws -> ([Folder], Int, [Counter]) {
        try account.blockingRead { snapshot in
          (
            try snapshot.fetch(Folder.all), Int(try snapshot.outbox().last?.sequence ?? 0),
            try mailbox.store.device.blockingRead { try $0.fetch(Counter.all) }
          )
        }
      }
      var last = try state()
      #expect(try await folders.next() == last.0)
      _ = try await outbox.next()
      #expect(try await counters.next() == last.2)
      var elements = 1
      for _ in 0..<150 {
        try commit(&generator)
        let now = try state()
        if now.0 != last.0 { #expect(try await folders.next() == now.0) }
        if now.1 > last.1 {
          #expect(try await outbox.next()?.last?.hasSuffix(" \(now.1)") == true)
          elements += 1
        }
        if now.2 != last.2 { #expect(try await counters.next() == now.2) }
        last = now
      }
      // Never in vain: what happened between two elements is one look.
      #expect(fetches.value == elements)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `make a copy of the store from its change sets`(seed: UInt64) async throws {
    var generator = Seeded(seed: seed)
    var changes = try await mailbox.store.changes(limit: 1000).makeAsyncIterator()
    func rows() throws -> Set<RowChange> {
      var rows: Set<RowChange> = []
      for account in accounts {
        try account.blockingRead { snapshot in
          for folder in try snapshot.fetch(Folder.all) {
            rows.insert(
              RowChange(table: "folder", account: account.id, key: folder.id.stored, kind: .inserted))
          }
          for draft in try snapshot.fetch(Draft.all) {
            rows.insert(RowChange(table: "draft", account: account.id, key: draft.id.stored, kind: .inserted))
          }
        }
      }
      return rows
    }
    for _ in 0..<300 { try commit(&generator) }
    // A last one, to know it by.
    try mailbox.store.device.blockingWrite { try $0.upsert(Counter(id: 99, value: 0)) }
    var copy: Set<RowChange> = []
    sets: while let set = try await changes.next() {
      for change in set.changes where change.table != "counter" {
        let row = RowChange(table: change.table, account: change.account, key: change.key, kind: .inserted)
        switch change.kind {
        case .inserted: #expect(copy.insert(row).inserted)
        case .updated: #expect(copy.contains(row))
        case .deleted: #expect(copy.remove(row) != nil)
        }
      }
      if set.changes.contains(where: { $0.key == .integer(99) }) { break sets }
    }
    #expect(try copy == rows())
  }
}
