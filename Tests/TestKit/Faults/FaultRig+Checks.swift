import FerryKernel
import FerryStore
import Foundation

/// What must hold whatever went wrong, in words where it doesn't.
extension FaultRig {
  /// What an interrupted run left. Looks at a copy: looking changes what a crash left.
  ///
  /// - Parameter acknowledged: what it had logged: a phase is logged once it is over.
  public func faultsOfWreck(acknowledged: [String]) throws -> [String] {
    let copy = "\(folder).wreck"
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    let wreck = try FaultRig(library, folder: copy, drain: { _, _ in })
    return try wreck.faults(acknowledged)
  }

  private func faults(_ acknowledged: [String]) throws -> [String] {
    guard try hasJournal() else {
      return acknowledged.isEmpty ? [] : ["the store is gone, after \(acknowledged)"]
    }
    var faults = try StoreDump.rows(of: storePath, "PRAGMA integrity_check").flatMap { $0 }.compactMap { $0 }
      .filter { $0 != "ok" }
    let journal = try journal()
    for entry in journal where entry.phase != .waiting && entry.phase != .done {
      let path = backupPath(entry.domain)
      let isThere = FileManager.default.fileExists(atPath: path)
      if try !isThere || FileOperations().digest(of: path).sha256 != entry.backup {
        faults.append("\(entry.domain) is \(entry.phase), and its backup isn't what the journal says")
      }
    }
    for (domain, phase) in FaultRig.phases(acknowledged)
    where journal.first(where: { $0.domain == domain })?.phase ?? .waiting < phase {
      faults.append("\(domain) was \(phase), and the journal doesn't say so")
    }
    let isShut = try !StoreDump.rows(of: storePath, "SELECT 1 FROM store_gate").isEmpty
    let isOver = Set(journal.filter { $0.phase == .done }.map(\.domain)).count == library.domains.count
    if isShut == isOver, !journal.isEmpty { faults.append("the gate is \(isShut ? "shut" : "open")") }
    return faults + (try faultsOfAccounts())
  }

  /// Rows that another account has than the one they came from (traps Q3).
  public func faultsOfAccounts() throws -> [String] {
    let there = try Set(StoreDump.rows(of: storePath, "SELECT name FROM sqlite_schema").map { $0[0] ?? "" })
    let queries = library.tables.filter(there.contains).map { table in
      "SELECT user, name FROM \(table) JOIN store_account ON key = account_key WHERE name NOT LIKE user || ' %'"
    }
    guard !queries.isEmpty else { return [] }
    return try StoreDump.rows(of: storePath, queries.joined(separator: " UNION ALL ")).map { row in
      "\(row[0] ?? "") has what is somebody else's: \(row[1] ?? "")"
    }
  }

  /// The last phase that each domain is said to have reached.
  public static func phases(_ messages: [String]) -> [String: Phase] {
    var phases: [String: Phase] = [:]
    for message in messages {
      let parts = message.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2, let phase = Phase(rawValue: parts[1]) { phases[parts[0]] = phase }
    }
    return phases
  }

  /// What the spill has, and what the table has of it.
  ///
  /// - Parameter ranges: the first number of each run, and how many of its lines may be missing.
  public func faultsOfLog(runs: [(first: Int, missing: Int)]) throws -> [String] {
    let spilled = try LogSpill(path: spillPath).read(after: []).lines.map(\.line.message)
    let drained = try StoreDump.rows(
      of: storePath,
      "SELECT message FROM log WHERE category <> 'legacy' ORDER BY CAST(substr(id, instr(id, '/') + 1) AS INT)"
    ).map { $0[0] ?? "" }
    var faults = StoreDump.differences(spilled, drained).map { "spill and log: \($0)" }
    if spilled != drained, faults.isEmpty { faults.append("the log isn't in the order of the spill") }
    let numbers = drained.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    if Set(numbers).count != numbers.count { faults.append("lines came twice: \(numbers)") }
    if numbers != numbers.sorted() { faults.append("lines are out of order: \(numbers)") }
    for (index, run) in runs.enumerated() {
      let end = index + 1 < runs.count ? runs[index + 1].first : .max
      let own = numbers.filter { run.first <= $0 && $0 < end }
      let gaps = (own.max() ?? run.first - 1) - run.first + 1 - own.count
      if gaps > run.missing { faults.append("\(gaps) lines of run \(index) are missing: \(own)") }
    }
    return faults
  }

  /// What the journal says, whoever has the store open.
  public func journal() throws -> [JournalLine] {
    try StoreDump.rows(
      of: storePath, "SELECT domain, phase, backup, stop, reason, remedy FROM kernel_journal"
    )
    .map { row in
      JournalLine(
        domain: row[0] ?? "", phase: row[1].flatMap(Phase.init(rawValue:)) ?? .waiting, backup: row[2],
        stop: row[3].flatMap(Stop.init(rawValue:)), reason: row[4], remedy: row[5])
    }
  }

  /// What the journal says of a domain.
  public struct JournalLine: Sendable, Equatable {
    public let domain: String
    public let phase: Phase
    public let backup: String?
    public let stop: Stop?
    public let reason: String?
    public let remedy: String?
  }

  private func hasJournal() throws -> Bool {
    guard FileManager.default.fileExists(atPath: storePath) else { return false }
    return try !StoreDump.rows(of: storePath, "SELECT 1 FROM sqlite_schema WHERE name = 'kernel_journal'")
      .isEmpty
  }
}
