import Foundation
import Testing

@testable import FerryStore

/// Three accounts whose rows have the same keys, two of them one user's on two servers.
private final class AccountWorld {
  let sandbox = Sandbox()
  let store: Store
  let handles: [AccountStore]
  var models: [AccountModel]
  private var changes: [Changes.AsyncIterator] = []
  private var observers: [Observation<[[StoredValue]]>.AsyncIterator] = []
  private var outboxes: [[OutboxEntry]]

  init() async throws {
    let tables = [Everything.table.declaration, Folder.table.declaration, Memo.table.declaration]
    store = try sandbox.open([Schema(owner: "generated", tables: tables)], clock: ManualClock())
    let names = [("home", "alice"), ("work", "alice"), ("home", "bob")]
    var handles: [AccountStore] = []
    for (server, user) in names {
      handles.append(try store.addAccount(AccountID(server: server, user: user)))
    }
    self.handles = handles
    models = handles.map { _ in AccountModel() }
    outboxes = handles.map { _ in [] }
    for handle in handles {
      changes.append(try await handle.changes().makeAsyncIterator())
      var observer = handle.observe { try AccountModel.view($0) }.makeAsyncIterator()
      _ = try await observer.next()
      observers.append(observer)
    }
  }

  /// One transaction over one account or some, and what everybody hears and has afterwards.
  func commit(
    _ touched: [Int], _ origin: Origin, _ seed: UInt64,
    _ body: (borrowing Transaction<AccountScope>, inout AccountModel) throws -> Void
  ) async throws {
    let before = models
    if touched.count == 1 {
      try handles[touched[0]].blockingWrite(origin: origin) { try body($0, &models[touched[0]]) }
    } else {
      try store.device.blockingWrite(origin: origin) { device in
        for index in touched { try device.in(handles[index]) { try body($0, &models[index]) } }
      }
    }
    // First: whoever waits for a change that wasn't made waits for ever.
    let last = outboxes.flatMap(\.self).map(\.sequence).max() ?? 0
    for index in handles.indices { try check(index, isTouched: touched.contains(index), after: last, seed) }
    for index in touched {
      let expected = try models[index].changes(since: before[index], of: handles[index].id)
      if !expected.isEmpty {
        let heard = try await changes[index].next()
        try #require(Set(heard?.changes ?? []) == expected, "FERRY_SEED=\(seed): changes()")
      }
      let view = try models[index].view()
      if try before[index].view() != view {
        try #require(try await observers[index].next() == view, "FERRY_SEED=\(seed): observation")
      }
    }
  }

  /// What the account has is what it has in memory, to the byte; its outbox is its own.
  ///
  /// - Parameter last: the highest number in any outbox before the commit.
  private func check(_ index: Int, isTouched: Bool, after last: Int64, _ seed: UInt64) throws {
    let (model, handle) = (models[index], handles[index])
    try handle.blockingRead { snapshot in
      try require(snapshot.fetch(Everything.all), model.allRows, seed)
      try require(snapshot.fetch(Folder.all), model.allFolders, seed)
      try require(snapshot.fetch(Memo.all), model.allMemos, seed)
      for key in AccountWrites.folders {
        let state = try snapshot.remoteState(of: Folder.self, Identifier(known: key))
        try #require(state == model.remote[key], "FERRY_SEED=\(seed): sidecar")
      }
      let outbox = try snapshot.outbox()
      if isTouched {
        // An entry is the account's of before, or was made just now.
        let isOwn = outbox.allSatisfy { $0.sequence > last || outboxes[index].contains($0) }
        try #require(isOwn, "FERRY_SEED=\(seed): outbox")
        outboxes[index] = outbox
      } else {
        try #require(outbox == outboxes[index], "FERRY_SEED=\(seed): outbox")
      }
    }
  }

  /// Generated questions, each answered by the store and in memory.
  func ask(_ index: Int, _ writes: inout AccountWrites, _ seed: UInt64) throws {
    let model = models[index]
    let known = try model.inMemory()
    let depth = writes.below(3)
    let (condition, folders) = (writes.expressions.onEverything(depth), writes.expressions.onFolder(depth))
    let (other, size) = (writes.expressions.onEverything(0), 1 + writes.below(3))
    let word = AccountWrites.words.pick(&writes.expressions.generator)
    let rows = try model.allRows.filter { try condition.evaluate($0, among: known) }
    let others = try rows.filter { try other.evaluate($0, among: known) }
    let query = Everything.where { _ in condition }
    let comment: Comment = "FERRY_SEED=\(seed): \(condition.node)"
    try handles[index].blockingRead { snapshot in
      try require(snapshot.fetch(query), rows, seed)
      try #require(try snapshot.count(query) == rows.count, comment)
      try #require(try snapshot.exists(query) != rows.isEmpty, comment)
      try require(
        snapshot.fetch(Folder.where { _ in folders }),
        model.allFolders.filter { try folders.evaluate($0, among: known) }, seed)

      let counts = try snapshot.count(query, by: { $0.flag }, of: { _ in other })
      for flag in [true, false] {
        let (all, some) = (rows.count { $0.flag == flag }, others.count { $0.flag == flag })
        let isRight = all == 0 ? !counts.keys.contains(flag) : counts[flag] == .init(all: all, of: [some])
        try #require(isRight, comment)
      }
      try #require(try snapshot.distinct(query) { $0.whole } == Set(rows.map(\.whole)).sorted(), comment)
      try #require(try snapshot.min(query) { $0.whole } == rows.map(\.whole).min(), comment)
      try #require(try snapshot.max(query) { $0.score } == rows.compactMap(\.score).max(), comment)
      let sum = rows.isEmpty ? nil : rows.map(\.whole).reduce(0, +)
      try #require(try snapshot.sum(query) { $0.whole } == sum, comment)

      var paged: [Everything] = []
      let ordered = query.order { $0.joined(Folder.self, by: \.folder).name.descending }
      var page = try snapshot.fetch(ordered.limit(size).with(Folder.self, by: \.folder))
      while let last = page.last, paged.count <= rows.count {
        for pair in page {
          try #require(pair.target == pair.record.folder.flatMap { model.folders[$0.rawValue] }, comment)
        }
        paged += page.map(\.record)
        page = try snapshot.fetch(ordered.limit(size).with(Folder.self, by: \.folder).after(last))
      }
      try require(paged.sorted { $0.id < $1.id }, rows, seed)

      let found = try model.allMemos.filter { try Columns<Memo>().matches(word).evaluate($0) }
      try require(snapshot.search(Memo.self, word).map(\.record), found, seed)
      try require(
        snapshot.fetch(Memo.where { $0.tags.contains(word) }),
        model.allMemos.filter { $0.tags.contains(word) }, seed)
      let tagged = try snapshot.fetch(Everything.where { $0.tags.contains(word) && condition })
      try require(tagged, rows.filter { $0.tags.contains(word) }, seed)

      // What a tool reads.
      let table = Everything.table.declaration
      let orphans = model.allRows.count { $0.folder.map { model.folders[$0.rawValue] == nil } ?? false }
      let column = try #require(table.columns.first { $0.name == "folder" })
      try #require(try snapshot.orphanCount(of: table, column: column) == orphans, comment)
      try #require(try snapshot.count(of: table) == model.rows.count, comment)
      try #require(
        try snapshot.rows(of: table, limit: 99)
          == model.allRows.map { try Everything.table.storedValues($0) },
        comment)
    }
  }

  /// Beside each account's rows is what belongs there.
  func checkSides(_ seed: UInt64) throws {
    for handle in handles {
      for table in [Everything.table.declaration, Memo.table.declaration] {
        let faults = try handle.blockingWrite(origin: .system) { try $0.checkSides(of: table) }
        try #require(faults.isEmpty, "FERRY_SEED=\(seed): \(faults)")
      }
    }
  }

  private func require<R: Record>(_ found: [R], _ expected: [R], _ seed: UInt64) throws {
    let isRight = found.count == expected.count && zip(found, expected).allSatisfy(R.table.areEqual)
    try #require(isRight, "FERRY_SEED=\(seed): \(R.table.name) has \(found), should have \(expected)")
  }
}

@Suite(.timeLimit(.minutes(15 + Rounds.seeds(100).count / 100))) struct `Accounts with equal keys` {
  private static let origins: [Origin] = [.local, .server, .crossing]

  @Test func `see and change nothing of one another, whatever is written, asked, searched and observed`()
    async throws
  {
    let accounts = try await AccountWorld()
    for seed in Rounds.seeds(100) {
      // The other tests have their turn.
      await Task.yield()
      var writes = AccountWrites(expressions: Expressions(Seeded(seed: seed)))
      // All that a case is comes from its seed.
      let all = Array(accounts.handles.indices)
      for index in all {
        try await accounts.commit([index], .crossing, seed) { try AccountWrites.empty($0, &$1) }
      }
      try await accounts.commit(all, .local, seed) { try writes.fill($0, &$1) }
      for _ in 0..<5 {
        let first = writes.below(3)
        let touched = writes.below(5) == 0 ? [first, (first + 1) % 3] : [first]
        let origin = Self.origins[writes.below(3)]
        try await accounts.commit(touched, origin, seed) { transaction, model in
          for _ in 0...writes.below(3) { try writes.write(transaction, &model) }
        }
        try accounts.ask(first, &writes, seed)
      }
      if seed.isMultiple(of: 10) { try accounts.checkSides(seed) }
    }
  }

  @Test func `wake no observer of another account, and aren't in its change sets`() async throws {
    let accounts = try await AccountWorld()
    let quiet = accounts.handles[2]
    let fetches = Count()
    let observation = quiet.observe { snapshot in
      fetches.add()
      return try AccountModel.view(snapshot) + [snapshot.outbox().map(\.key.stored)]
    }
    let changes = try await quiet.changes()
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let heard = Task {
      var elements = 0
      for try await _ in observation {
        elements += 1
        begin.yield()
        if elements == 2 { break }
      }
      return elements
    }
    for await _ in began { break }
    var writes = AccountWrites(expressions: Expressions(Seeded(seed: Rounds.seeds(1).lowerBound)))
    for number in 0..<100 {
      await Task.yield()
      try accounts.handles[number % 2].blockingWrite { transaction in
        try writes.write(transaction, &accounts.models[number % 2])
      }
    }
    try quiet.blockingWrite { try $0.insert(Folder("f1")) }
    #expect(try await heard.value == 2)
    #expect(fetches.value == 2)
    var iterator = changes.makeAsyncIterator()
    let first = try await iterator.next()
    #expect(first?.changes.map(\.account) == [quiet.id])
    #expect(first?.changes.map(\.key) == [Identifier<Folder>(known: "f1").stored])
  }
}
