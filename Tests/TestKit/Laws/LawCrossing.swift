import Dispatch
import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// A crossing of one domain alone, from legacy rows and a roadmap that are made from its value.
struct LawCrossing {
  private let domain: Domain
  private let seed: UInt64
  /// One user on two servers.
  let accounts: [AccountID]

  /// - Parameter strategy: nil copies.
  init(_ domain: Domain, _ others: [Domain], seed: UInt64, strategy: String? = nil) {
    // What it depends on has crossed in the world of a law.
    self.domain = Domain(
      domain.name, domain.summary, tables: domain.tables, changes: domain.changes,
      crossings: domain.crossings,
      feeds: domain.feeds, isLast: domain.isLast, queue: domain.lastQueue)
    self.seed = seed
    self.strategy = strategy ?? "copy"
    accounts =
      strategy == nil
      ? [LawCrossing.account("home"), LawCrossing.account("work")] : [LibraryRows.alice, LibraryRows.bob]
  }

  private let strategy: String

  /// proof: both parts are names that an account can have.
  private static func account(_ server: String) -> AccountID {
    do { return try AccountID(server: server, user: "alice") } catch { fatalError("\(error)") }
  }

  /// How many legacy rows each entity has, in each account.
  func rowCounts() -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: domain.crossings.map { crossing in
        var maker = LegacyRowMaker(crossing, seed: seed)
        return (crossing.entity, maker.rows(flavour: 0).count)
      })
  }

  /// What a run left.
  struct Outcome {
    /// Why it didn't come to its end.
    var failure: String?
    var tallies: [Tally] = []
    var quarantined: [QuarantinedRow] = []
    /// `account/table` or `table` to the rows.
    var content: [String: [[StoredValue]]] = [:]
    /// The whole file, the store's own tables too.
    var dump: [String] = []
    /// The same after a second run.
    var secondDump: [String] = []

    func rows(of account: AccountID, _ domain: Domain) -> [[StoredValue]] {
      domain.tables.filter(\.hasAccount).flatMap { content["\(account)/\($0.name)"] ?? [] }
    }

    /// How many rows are where an entity's go: in its table, in every account's part of it, and in the device's.
    func count(_ crossing: Crossing) -> Int64 {
      let tables = [crossing.table.name] + [crossing.deviceTable?.name].compactMap(\.self)
      return content.reduce(0) { sum, part in
        tables.contains { part.key == $0 || part.key.hasSuffix("/\($0)") }
          ? sum + Int64(part.value.count) : sum
      }
    }
  }

  /// Crosses for some accounts, twice.
  func run(of accounts: [AccountID]) async throws -> Outcome {
    var classes: [(AccountID, [MemoryLegacySource.Class])] = []
    for account in accounts {
      let flavour = Int64(self.accounts.firstIndex(of: account) ?? 0)
      classes.append((account, legacyClasses(flavour: flavour)))
    }
    var rig = try LibraryRig(MemoryLegacySource(classes))
    rig.domains = [domain]
    rig.roadmap = roadmap
    if !domain.isLast {
      rig.domains.append(
        Domain(
          "law-end", "Nothing", tables: [], crossings: [], isLast: true,
          queue: DispatchQueue(label: "law-end")))
    }
    for feed in domain.feeds {
      for account in accounts {
        // It is there and holds nothing.
        rig.remote.put(feed.name, account, "law", [:])
        rig.remote.delete(feed.name, account, "law")
      }
    }
    var outcome = Outcome()
    do {
      outcome.tallies = try await rig.cross().tallies
      outcome.dump = try rig.dump()
      try await rig.cross()
      outcome.secondDump = try rig.dump()
    } catch let error as any FerryError {
      outcome.failure = error.description
      return outcome
    }
    outcome.quarantined = try rig.quarantine()
    let store = try rig.open()
    for table in domain.tables {
      if table.hasAccount {
        for account in accounts {
          outcome.content["\(account)/\(table.name)"] = try LawStore.rows(store.account(account), table)
        }
      } else {
        outcome.content[table.name] = try store.device.blockingRead { try $0.rows(of: table, limit: 10_000) }
      }
    }
    await store.close()
    return outcome
  }

  private func legacyClasses(flavour: Int64) -> [MemoryLegacySource.Class] {
    domain.crossings.map { crossing in
      var maker = LegacyRowMaker(crossing, seed: seed)
      return MemoryLegacySource.Class(
        "\(crossing.entity)-row", crossing.fields.map(\.name), maker.rows(flavour: flavour))
    }
  }

  private var roadmap: String {
    var text = "version: 1\ndomains:\n  - domain: \(domain.name)\n    strategy: \(strategy)\n    legacy:\n"
    for crossing in domain.crossings {
      let fields = crossing.fields.map { "\($0.name): \($0.name)" }.joined(separator: ", ")
      let hasFeed = domain.feeds.contains { $0.table.name == crossing.table.name }
      let preserve = strategy == "resync" && !hasFeed ? "preserve: all, " : ""
      text += "      \(crossing.entity): {class: \(crossing.entity)-row, \(preserve)fields: {\(fields)}}\n"
    }
    return text + (domain.isLast ? "" : "  - domain: law-end\n    strategy: copy\n")
  }
}
