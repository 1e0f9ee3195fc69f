import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// Each phase is written in the transaction that has its effect (traps M1): wherever a run ends, journal and rows say
/// the same, and the next run comes to the same end.
///
/// The run that ends starts anew what an earlier attempt has begun, from other rows under another mapping, so that
/// emptying what was there shows.
@Suite struct `The journal of a run that ended early` {
  @Test func `agrees with the rows, whichever transaction was the last`() async throws {
    let sound = try await AnewRun.sound()
    let commits = sound.changes.indices.filter { sound.changes[$0] == "commit ferry.sqlite-wal" }
    try #require(commits.count > 30)
    for index in commits {
      let faults = try await sound.run(failing: .ioError, at: index + 1, times: .max)
      #expect(faults == [], "operation \(index + 1) of \(sound.changes.count)")
    }
  }

  /// What soaks found with `unreadable` and `noSpace`: the new backup was in the place of the old one, and the
  /// journal still had the old one's phase and checksum, now as a failure.
  @Test(arguments: [Fault.unreadable, .noSpace, .ioError])
  func `knows the backup that is there, whatever failed while it started anew`(fault: Fault) async throws {
    let sound = try await AnewRun.sound()
    let isBackedUp = try #require(sound.changes.firstIndex(of: "rename book.ndjson")) + 8
    let last = fault == .unreadable ? sound.reads : isBackedUp
    try #require((10...500).contains(last))
    // Most reads are of pages, and one is like another.
    for operation in stride(from: 1, through: last, by: fault == .unreadable ? 4 : 1) {
      let faults = try await sound.run(failing: fault, at: operation, times: 1)
      #expect(faults == [], "operation \(operation): \(sound.changes[min(operation, isBackedUp) - 1])")
    }
  }
}

/// A crossing that starts anew, on a sound disk, to hold others against.
private struct AnewRun: Sendable {
  /// The earlier attempt.
  private let begun: GoldenFolder
  private let before: Found
  private let after: Found
  private let dump: [String]
  let changes: [String]
  let reads: Int

  private static let run = Task { try await AnewRun() }
  static func sound() async throws -> AnewRun { try await run.value }

  private init() async throws {
    begun = try GoldenFolder()
    var earlier = try AnewRun.rig(begun.path("store"), name: "earlier")
    earlier.putBooksFirst(step: Library.bookStep.replacing("title: title", with: "title: comment"))
    try await earlier.cross(until: "book: restored")
    before = try Found(earlier)
    let folder = try GoldenFolder()
    var rig = try AnewRun.copy(begun, to: folder)
    let disk = try FaultDisk(folder: folder.path("lost"))
    disk.plan(.none)
    rig.disk = disk
    guard try await rig.cross().isOver else { throw GoldenFault("the sound run isn't over") }
    (changes, reads) = ((1...disk.changes).map(disk.change), disk.reads)
    rig.disk = nil
    after = try Found(rig)
    dump = try rig.dump()
  }

  /// Runs with a fault, looks at what it left, and runs again without one.
  ///
  /// - Returns: what isn't as it must be.
  func run(failing fault: Fault, at operation: Int, times: Int) async throws -> [String] {
    let folder = try GoldenFolder()
    var rig = try AnewRun.copy(begun, to: folder)
    let disk = try FaultDisk(folder: folder.path("lost"))
    disk.plan(fault, at: operation, times: times)
    rig.disk = disk
    do {
      _ = try await rig.cross()
    } catch let error as any FerryError where !error.remedy.isEmpty {
    }
    rig.disk = nil
    var faults = try Found(rig).faults(before: before, after: after)
    rig.log = RecordingLog()
    if try await !rig.cross().isOver { faults.append("the second run isn't over") }
    return faults + StoreDump.differences(dump, try rig.dump()).prefix(5)
  }

  private static func copy(_ start: GoldenFolder, to folder: GoldenFolder) throws -> LibraryRig {
    try FileManager.default.copyItem(atPath: start.path("store"), toPath: folder.path("store"))
    return try rig(folder.path("store"), name: "book")
  }

  /// - Parameter name: what the rows' texts begin with.
  private static func rig(_ path: String, name: String) throws -> LibraryRig {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let remote = ScriptedRemote(pageSize: 3)
    let classes = [LibraryRows.alice, LibraryRows.bob].map { account in
      var rows = LibraryRows()
      rows.shelves = (1...5).map { [.integer($0), .text("\(name) \($0)")] }
      rows.books = (-1...12).map {
        LibraryRows.book($0, "\(name) \($0)", isUnsent: $0.isMultiple(of: 3), comment: "c")
      }
      // Of several pages; some have one key, some are the same.
      rows.notes = (1...14).map { [.integer($0 % 10), .text("\(name) \($0 / 13)")] }
      rows.lines = (1...4).map { [.integer($0), .text("\(account.user) \(name)")] }
      for id in 1...4 { remote.put("shelves", account, "i\(id)", ["name": .string("s\(id)")]) }
      for id in [1, 2, 4, 5] {
        remote.put("books", account, "i\(id)", ["title": .string("t\(id)"), "changedAt": 0])
      }
      return (account, rows.classes)
    }
    var source = MemoryLegacySource(classes)
    source.version = name == "book" ? 1 : 0
    var rig = try LibraryRig(source, remote: remote, at: path)
    rig.putBooksFirst()
    rig.pageSize = 5
    return rig
  }
}

/// What a run left, by domain.
private struct Found: Sendable {
  private var journal: [JournalEntry] = []
  private var digests: [ClassDigest] = []
  /// By `domain/account/entity`.
  private var tallies: [String: Tally] = [:]
  private var rows: [String: Int] = [:]
  private var aside: [String: Int] = [:]
  /// nil: all are shut.
  private var shut: Set<String>?
  /// The checksum of each domain's backup.
  private var backups: [String: String] = [:]
  private let plan: Plan

  init(_ rig: LibraryRig) throws {
    plan = try rig.plan()
    let store = try rig.open(plan)
    let device = try store.device.blockingRead { snapshot in
      (
        try snapshot.fetch(JournalEntry.all), try snapshot.fetch(ClassDigest.all),
        try snapshot.fetch(Tally.all), try snapshot.fetch(QuarantinedRow.all), try snapshot.gateTables(),
        try snapshot.fetch(DiaryLine.all)
      )
    }
    (journal, digests, shut) = (device.0, device.1, device.4)
    for tally in device.2 { tallies[tally.id] = tally }
    for row in device.3 { aside["\(row.domain)/\(row.account)/\(row.entity)", default: 0] += 1 }
    for account in [LibraryRows.alice, LibraryRows.bob] {
      let handle = try store.account(account)
      try handle.blockingRead { snapshot in
        rows["shelf/\(account)/shelf"] = try snapshot.count(Shelf.all)
        rows["book/\(account)/book"] = try snapshot.count(Book.all)
        rows["book/\(account)/note"] = try snapshot.count(Note.all)
      }
      rows["diary/\(account)/line"] = device.5.filter { $0.text.hasPrefix(account.user) }.count
    }
    for step in plan.steps {
      let path = "\(rig.backupFolder)/\(step.domain.name).ndjson"
      guard FileManager.default.fileExists(atPath: path) else { continue }
      backups[step.domain.name] = try FileOperations().digest(of: path).sha256
    }
  }

  /// What doesn't agree, in words.
  func faults(before: Found, after: Found) -> [String] {
    plan.steps.flatMap { faults($0, before, after) } + faultsOfGate()
  }

  private func faults(_ step: Plan.Step, _ before: Found, _ after: Found) -> [String] {
    let name = step.domain.name
    let entry = journal.first { $0.domain == name }
    var faults: [String] = []
    if let entry, entry.phase != .waiting, backups[name] != entry.backup {
      faults.append("\(name) is \(entry.phase), and its backup isn't the journal's")
    }
    // What the earlier attempt reached is nothing of this one.
    let isThis = entry?.freeze == after.journal.first { $0.domain == name }?.freeze
    let phase = isThis ? entry?.phase ?? .waiting : .waiting
    let reads: Phase = step.strategy == .copy ? .restored : .backedUp
    let expected =
      phase >= reads ? after.digests(of: name) : phase == .waiting ? before.digests(of: name) : []
    if digests(of: name) != expected { faults.append("\(name) is \(phase), and its digests aren't") }
    for id in after.tallies.keys.sorted() where id.hasPrefix(name + "/") {
      faults += self.faults(id, phase, before, after).map { "\(id), \(phase): \($0)" }
    }
    return faults
  }

  private func faults(_ id: String, _ phase: Phase, _ before: Found, _ after: Found) -> [String] {
    let (tally, rows) = (tallies[id], rows[id] ?? 0)
    guard phase >= .reset else {
      let isAsBefore = tally?.read == before.tallies[id]?.read && rows == before.rows[id] ?? 0
      return isAsBefore ? [] : ["\(rows) rows, and it should be as it was before"]
    }
    let outcomes = tally.map { $0.written - $0.deletes + $0.resynced } ?? 0
    var faults: [String] = []
    if Int64(rows) != outcomes { faults.append("\(rows) rows are there, \(outcomes) are counted") }
    if aside[id] ?? 0 != Int(tally?.quarantined ?? 0) {
      faults.append("the quarantine has \(aside[id] ?? 0)")
    }
    if tally?.accounted != tally?.read { faults.append("\(String(describing: tally)) isn't balanced") }
    if phase >= .restored, tally?.read != after.tallies[id]?.read { faults.append("rows weren't read") }
    return faults
  }

  private func digests(of domain: String) -> Set<String> {
    Set(digests.filter { $0.domain == domain }.map { "\($0.id) \($0.digest)" })
  }

  private func faultsOfGate() -> [String] {
    let open = plan.steps.filter { !journal.isDone($0.domain.name) }
    let expected: Set<String>? =
      open.contains(where: \.isCore) ? nil : Set(open.flatMap(\.domain.tables).map(\.name))
    return shut == expected ? [] : ["the gate shuts \(String(describing: shut))"]
  }
}
