import FerryKernel
import FerryStore

/// Two accounts of one user on two servers, with equal ids, never meet (traps Q3): not in a list, a count, a look-up,
/// an observation, what waits to be sent, or what a server said; and of two legacy files with equal keys each
/// account's rows all cross.
///
/// What a DAO adds to that, searches and files for one, is the domain's own to test; `CheckDomain` holds its public
/// writes against another account's rows.
public struct CheckAccountIsolation: Sendable {
  public let domain: Domain
  /// Those it stands on.
  public let others: [Domain]
  public let seed: UInt64

  public init(_ domain: Domain, with others: [Domain] = [], seed: UInt64 = 0x150) {
    (self.domain, self.others, self.seed) = (domain, others, seed)
  }

  /// Where they meet, a sentence each.
  public func violations() async throws -> [String] {
    var violations: [String] = []
    for table in domain.accountTables {
      let laws = try LawStore(others + [domain])
      var maker = try RowMaker(table, in: laws, seed: seed)
      if maker.isStuck { continue }
      let rows = maker.rows(12).sorted(by: table)
      violations += try await inTable(rows, maker.twins(of: rows), table, laws)
      for feed in domain.feeds where feed.table.name == table.name {
        violations += try inFeed(feed, rows, table, laws)
      }
      await laws.store.close()
    }
    return try await violations + inCrossing()
  }

  private func inTable(
    _ mine: [[StoredValue]], _ theirs: [[StoredValue]], _ table: TableDeclaration, _ laws: LawStore
  ) async throws -> [String] {
    var violations: [String] = []
    func expect(_ account: AccountStore, _ rows: [[StoredValue]], _ when: String) throws {
      let found = try LawStore.rows(account, table)
      if let difference = rows.difference(to: found, table) {
        violations.append("\(when), \(account.id) has another's rows: \(difference)")
      }
      if try account.blockingRead({ try $0.count(of: table) }) != rows.count {
        violations.append("\(when), \(account.id) counts another's rows of \(table.name)")
      }
    }
    try insert(mine, table, laws.home)
    try expect(laws.home, mine, "after one account's write")
    try expect(laws.work, [], "after one account's write")
    var iterator = laws.work.observe { try $0.rows(of: table, limit: 1000) }.makeAsyncIterator()
    _ = try await iterator.next()
    try insert(theirs, table, laws.work)
    try expect(laws.home, mine, "after the other's write")
    try expect(laws.work, theirs, "after the other's write")
    try await laws.home.write { try $0.deleteAll(of: table) }
    try expect(laws.home, [], "after one account was emptied")
    try expect(laws.work, theirs, "after one account was emptied")
    if try await iterator.next() != theirs {
      violations.append("an observer of one account saw another's write to \(table.name)")
    }
    for row in mine
    where try laws.home.blockingRead({ try $0.row(of: table, key: row[table.keyIndex]) }) != nil {
      violations.append("\(laws.home.id) finds another's row of \(table.name) by its key")
    }
    return violations
  }

  private func insert(_ rows: [[StoredValue]], _ table: TableDeclaration, _ account: AccountStore) throws {
    try account.blockingWrite { transaction in
      for row in rows {
        try transaction.insertRow(row, into: table)
      }
    }
  }

  private func inFeed(_ feed: Feed, _ rows: [[StoredValue]], _ table: TableDeclaration, _ laws: LawStore)
    throws
    -> [String]
  {
    let (one, other) = (try laws.account("one"), try laws.account("other"))
    try one.blockingWrite(origin: .server) { transaction in
      for row in rows { try transaction.insertRow(row, into: table) }
    }
    var violations: [String] = []
    for row in rows {
      guard case .text(let key) = row[table.keyIndex] else { continue }
      if try other.blockingRead({ try feed.encode(key, $0) }) != nil {
        violations.append("\(feed.name) sends \(one.id)'s \(key) for \(other.id)")
      }
      let applied = try other.blockingWrite(origin: .server) { transaction in
        try feed.apply(RemoteRecord(id: key, revision: 1, content: nil), transaction)
      }
      if applied == .deleted { violations.append("a tombstone of \(other.id) deletes \(one.id)'s \(key)") }
    }
    if let difference = rows.difference(to: try LawStore.rows(one, table), table) {
      violations.append("a tombstone of \(other.id) changes \(one.id)'s rows: \(difference)")
    }
    return violations
  }

  /// Legacy rows of equal keys and other content, for both accounts.
  private func inCrossing() async throws -> [String] {
    guard !domain.crossings.isEmpty else { return [] }
    let crossed = LawCrossing(domain, others, seed: seed)
    let alone = try await crossed.run(of: [crossed.accounts[0]])
    let together = try await crossed.run(of: crossed.accounts)
    guard alone.failure == nil, together.failure == nil else {
      return [alone.failure, together.failure].compactMap(\.self)
    }
    var violations: [String] = []
    for crossing in domain.onePerTable {
      let entities = domain.crossings.filter { $0.table.name == crossing.table.name }.map(\.entity)
      let written = together.tallies.filter { entities.contains($0.entity) }
        .reduce(0) { $0 + $1.written - $1.deletes }
      if together.count(crossing) != written {
        violations.append("rows of two accounts with equal keys are one in \(crossing.table.name)")
      }
    }
    let mine = together.rows(of: crossed.accounts[0], domain)
    if mine != alone.rows(of: crossed.accounts[0], domain) {
      violations.append("what crosses for one account depends on another's rows")
    }
    return violations
  }
}
