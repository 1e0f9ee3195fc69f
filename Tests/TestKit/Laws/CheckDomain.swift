import FerryKernel
import FerryStore

/// What every domain must keep to, told from its value alone:
///
/// * any record comes back from its table as it was written, with what the store keeps beside it;
/// * any record that travels comes back from its feed as it was sent, in every column, and a choice that this build
///   has no name for comes back unchanged (traps Q2);
/// * a server's record that is pulled again changes nothing, and a tombstone takes the record away;
/// * a write is one element for whoever observes, and a write that fails is none (traps S3, S4).
///
/// `violations` is empty where all of it holds; a test expects that, and shows of a broken domain that it isn't.
public struct CheckDomain: Sendable {
  public let domain: Domain
  /// Those it stands on.
  public let others: [Domain]
  public let seed: UInt64

  public init(_ domain: Domain, with others: [Domain] = [], seed: UInt64 = 0xfe227) {
    (self.domain, self.others, self.seed) = (domain, others, seed)
  }

  /// What it doesn't keep to, a sentence each.
  public func violations() async throws -> [String] {
    var violations: [String] = []
    for table in domain.tables {
      let laws = try LawStore(others + [domain])
      var maker = try RowMaker(table, in: laws, seed: seed)
      // What only this device writes may be a closed choice; what comes from elsewhere may not.
      if domain.comesFromElsewhere(table) {
        for column in maker.closedChoices.sorted() {
          violations.append("\(table.name).\(column) refuses a value that it has no name for")
        }
      }
      if maker.isStuck { continue }
      let rows = maker.rows(40).sorted(by: table)
      if table.hasAccount {
        violations += try throughTable(rows, table, laws)
        for feed in domain.feeds where feed.table.name == table.name {
          violations += try through(feed, rows, table, laws)
        }
        violations += try await events(maker.rows(5), table, laws)
      } else {
        violations += try throughDeviceTable(rows, table, laws)
      }
      await laws.store.close()
    }
    return violations
  }

  /// The tables of which no row can be made here, since a column takes values that only its type knows. Their laws
  /// are the domain's own to test.
  public func closedTables() throws -> [String] {
    try domain.tables.filter { table in
      try RowMaker(table, in: LawStore(others + [domain]), seed: seed).isStuck
    }.map(\.name)
  }

  // MARK: - Round trips

  private func throughTable(_ rows: [[StoredValue]], _ table: TableDeclaration, _ laws: LawStore) throws
    -> [String]
  {
    let records = try laws.home.blockingWrite(origin: .server) { transaction in
      for row in rows { try transaction.insertRow(row, into: table) }
      return try rows.map { try transaction.record(of: table, key: $0[table.keyIndex]) }
    }
    let faults = try laws.work.blockingWrite(origin: .server) { transaction in
      for record in records.compactMap(\.self) { try transaction.insert(record, into: table) }
      return try transaction.checkSides(of: table)
    }
    var violations: [String] = []
    if let difference = rows.difference(to: try LawStore.rows(laws.work, table), table) {
      violations.append("a record that is read and written again isn't the same: \(difference)")
    }
    if !faults.isEmpty { violations.append("what is kept beside \(table.name) isn't its rows: \(faults)") }
    return violations
  }

  private func throughDeviceTable(_ rows: [[StoredValue]], _ table: TableDeclaration, _ laws: LawStore) throws
    -> [String]
  {
    let found = try laws.store.device.blockingWrite { transaction in
      for row in rows { try transaction.insertRow(row, into: table) }
      let records = try rows.map { try transaction.record(of: table, key: $0[table.keyIndex]) }
      try transaction.deleteAll(of: table)
      for record in records.compactMap(\.self) { try transaction.insert(record, into: table) }
      return try transaction.rows(of: table, limit: rows.count + 1)
    }
    return rows.difference(to: found, table).map {
      ["a record that is read and written again isn't the same: \($0)"]
    } ?? []
  }

  private func through(_ feed: Feed, _ rows: [[StoredValue]], _ table: TableDeclaration, _ laws: LawStore)
    throws
    -> [String]
  {
    let away = try laws.account("away")
    var violations: [String] = []
    var sent: [(row: [StoredValue], remote: RemoteRecord)] = []
    for (number, row) in rows.enumerated() {
      guard case .text(let key) = row[table.keyIndex] else { continue }
      let content = try laws.home.blockingRead { snapshot -> JSONObject? in
        guard let record = try snapshot.record(of: table, key: row[table.keyIndex]), table.travels(record)
        else {
          return nil
        }
        return try feed.encode(key, snapshot)
      }
      // As text, as it goes over the wire.
      guard let content,
        let object = try JSONValue.parse(text: JSONValue.object(content).text()).objectValue
      else { continue }
      sent.append((row, RemoteRecord(id: key, revision: Int64(number + 1), content: object)))
    }
    if sent.isEmpty { violations.append("the feed \(feed.name) sends no record") }
    func pull(_ records: [RemoteRecord], _ expected: Applied, _ what: String) throws {
      let applied = try away.blockingWrite(origin: .server) { transaction in
        try records.map { try feed.apply($0, transaction) }
      }
      if let other = applied.first(where: { $0 != expected }) {
        violations.append("\(what) of \(feed.name) is \(other) where it should be \(expected)")
      }
    }
    try pull(sent.map(\.remote), .written, "a record that was sent")
    if let difference = sent.map(\.row).difference(to: try LawStore.rows(away, table), table) {
      violations.append("the feed \(feed.name) changes what it sends: \(difference)")
    }
    try pull(sent.map(\.remote), .unchanged, "a record that is there already")
    let tombstones = sent.map {
      RemoteRecord(id: $0.remote.id, revision: $0.remote.revision + 1000, content: nil)
    }
    try pull(tombstones, .deleted, "a tombstone")
    if try away.blockingRead({ try $0.outboxCount() }) > 0 {
      violations.append("what \(feed.name) pulls is sent back")
    }
    return violations
  }

  // MARK: - Events

  /// A write of several records, and one that fails after it has written some.
  private func events(_ rows: [[StoredValue]], _ table: TableDeclaration, _ laws: LawStore) async throws
    -> [String]
  {
    struct Failure: Error {}
    let writer = try laws.account("writer")
    let records = try await writer.write(origin: .server) { transaction in
      for row in rows { try transaction.insertRow(row, into: table) }
      let records = try rows.map { try transaction.record(of: table, key: $0[table.keyIndex]) }
      try transaction.deleteAll(of: table)
      return records
    }
    var iterator = writer.observe { try $0.rows(of: table, limit: 1000) }.makeAsyncIterator()
    guard try await iterator.next() == [] else { return ["\(table.name) isn't empty where it was emptied"] }
    return try await EventCount(laws.store).violations(
      "\(table.name)", events: 1
    ) {
      try await writer.write { transaction in
        for record in records.compactMap(\.self) { try transaction.insert(record, into: table) }
      }
    } failing: {
      try await writer.write { transaction in
        try transaction.deleteAll(of: table)
        throw Failure()
      }
    }
      + (try await iterator.next()?.count == rows.count
        ? [] : ["an observer of \(table.name) saw no whole write"])
  }
}

extension Domain {
  /// Whether a server or a legacy file brings values into a table.
  fileprivate func comesFromElsewhere(_ table: TableDeclaration) -> Bool {
    feeds.contains { $0.table.name == table.name } || crossings.contains { $0.table.name == table.name }
  }
}
