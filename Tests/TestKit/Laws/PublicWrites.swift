import FerryKernel
import FerryStore

/// A public write of a domain's DAO, as a law sees it.
public struct PublicWrite: Sendable {
  public let name: String
  let prepare: @Sendable (AccountStore) async throws -> Void
  let run: @Sendable (AccountStore) async throws -> Void
  let failing: (@Sendable (AccountStore) async throws -> Void)?

  /// - Parameters:
  ///   - name: what a violation calls it.
  ///   - prepare: what must be there before.
  ///   - run: the write, which changes something.
  ///   - failing: the same write where it must throw; nil: it can't fail.
  public init(
    _ name: String, prepare: @escaping @Sendable (AccountStore) async throws -> Void = { _ in },
    run: @escaping @Sendable (AccountStore) async throws -> Void,
    failing: (@Sendable (AccountStore) async throws -> Void)? = nil
  ) {
    (self.name, self.prepare, self.run, self.failing) = (name, prepare, run, failing)
  }
}

extension CheckDomain {
  /// Whether each public write is one transaction, and so one event, and a failing one none; and whether it leaves
  /// every other account alone.
  public func violations(of writes: [PublicWrite]) async throws -> [String] {
    var violations: [String] = []
    for write in writes {
      let laws = try LawStore(others + [domain])
      // The same rows in both: one that isn't the account's would be changed under an equal key.
      try await write.prepare(laws.home)
      try await write.prepare(laws.work)
      let before = try domain.accountTables.map { try LawStore.rows(laws.work, $0) }
      let failing = write.failing.map { failing in { @Sendable in try await failing(laws.home) } }
      violations += try await EventCount(laws.store).violations(
        write.name, events: 1, write: { try await write.run(laws.home) }, failing: failing)
      if try domain.accountTables.map({ try LawStore.rows(laws.work, $0) }) != before {
        violations.append("\(write.name) changes another account's rows")
      }
      await laws.store.close()
    }
    return violations
  }
}

extension Domain {
  /// The tables whose rows belong to accounts.
  var accountTables: [TableDeclaration] { tables.filter(\.hasAccount) }
}

/// Counts the commits that something makes: each is told to whoever observes.
struct EventCount {
  private let store: Store

  init(_ store: Store) { self.store = store }

  /// - Parameter failing: must throw, and commit nothing.
  func violations(
    _ name: String, events: Int, write: @escaping @Sendable () async throws -> Void,
    failing: (@Sendable () async throws -> Void)?
  ) async throws -> [String] {
    var violations: [String] = []
    var changes = try await store.changes().makeAsyncIterator()
    if let failing {
      do {
        try await failing()
        violations.append("\(name) doesn't fail where it must")
      } catch {}
      let count = try await commits(before: 1, &changes)
      if count != 0 { violations.append("\(name) fails and makes \(count) events all the same") }
    }
    try await write()
    let count = try await commits(before: 2, &changes)
    if count != events { violations.append("\(name) makes \(count) events instead of \(events)") }
    return violations
  }

  /// How many commits come before one that is made now.
  private func commits(before mark: Int64, _ changes: inout Changes.AsyncIterator) async throws -> Int {
    try await store.device.write(origin: .system) { try $0.insert(LawMark(id: mark)) }
    var count = 0
    while let set = try await changes.next() {
      if set.changes.contains(where: { $0.table == LawMark.table.name }) { return count }
      count += 1
    }
    throw GoldenFault("the store's changes ended")
  }
}
