import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync
import FolderDomain
import Foundation
import ItemDomain
import LogDomain
import RealmFile
import RealmSource
import SearchHistoryDomain
import SettingDomain

/// The crossing of all rows of a file by the real domains, beside reading the same rows and inserting them.
enum CrossingJobs {
  static let all: [Job] = [
    Job(
      name: "crossing: copy 150,410 rows", work: .here { try await cross() },
      baselines: [.here { try readEveryValue() }, .here { try await insert() }],
      files: [RealmJobs.medium],
      figures: [
        Figure(name: nil, unit: "× CPU of reading and inserting", goal: 1.5) { work, baselines in
          work.cpu / (baselines[0].cpu + baselines[1].cpu)
        }
      ]),
    Job(
      name: "crossing: copy 150,410 rows, memory", work: .gauge { try await memory() },
      files: [RealmJobs.medium],
      figures: [.gauge(in: "MB", goal: 150)]),
  ]

  /// What this program does when it is started as a part of a job.
  static let parts: [String: @Sendable () async throws -> Void] = ["crossing": printMemory]

  /// Every row of the file but the one that is the Realm library's own.
  private static let rowCount = 150_410

  /// What a tool does: lock, spill, store, crossing, close.
  private static func cross() async throws -> Run {
    let folder = try freshFolder("crossing")
    return Run {
      try await cross(into: folder)
    } finish: {
      try FileManager.default.removeItem(at: folder)
    }
  }

  private static func cross(into folder: URL) async throws {
    let lock = try ProcessLock(path: folder.appendingPathComponent("ferry.lock").path)
    defer { withExtendedLifetime(lock) {} }
    let plan = try plan()
    let store = try open(folder, plan)
    let run = CrossingRun(
      plan: plan, store: store, source: RealmSource([(try account(), RealmJobs.medium)]),
      refill: FeedRefill(Remotes([:]), now: now), backupFolder: folder.appendingPathComponent("backups").path,
      log: try LogSpill(path: folder.appendingPathComponent("log.spill").path), now: now)
    let report = try await run.run()
    await store.close()
    let written = report.tallies.reduce(0) { $0 + Int($1.written) }
    guard written == rowCount else { throw WrongResult(found: written, expected: rowCount) }
  }

  private static func readEveryValue() throws {
    let file = try RealmFile(path: RealmJobs.medium)
    var values = 0
    for table in file.tables {
      let rows = table.rows()
      let columns = table.columns.count
      while let row = try rows.next() {
        for column in 0..<columns where try !row.value(at: column).isNull { values += 1 }
      }
    }
    try file.checkUnchanged()
    guard values > rowCount else { throw WrongResult(found: values, expected: rowCount) }
  }

  private static func insert() async throws -> Run {
    let records = try await Records.shared.get()
    let folder = try freshFolder("inserting")
    return Run {
      let store = try open(folder, plan())
      try records.insert(into: store.addAccount(account()))
      await store.close()
    } finish: {
      try FileManager.default.removeItem(at: folder)
    }
  }

  // MARK: Memory

  /// - Returns: the most MB that a process has which does nothing but cross.
  private static func memory() async throws -> Double {
    let output = try await Child.start("crossing")()
    guard let bytes = Double(output.split(separator: "\n").last ?? "") else {
      throw BenchError(command: ["crossing"], status: 0)
    }
    return bytes / 1_000_000
  }

  private static func printMemory() async throws {
    let run = try await cross()
    try await run.body()
    try await run.finish()
    print(try Cost.ownPeak())
  }

  // MARK: What is crossed, and where

  private static func plan() throws -> Plan {
    try Plan(
      Roadmap.parse(text: roadmap), domains: [.searchHistory, .setting, .folder, .item, .attachment, .log])
  }

  private static func account() throws -> AccountID { try AccountID("alice@home") }

  @Sendable private static func now() -> Timestamp {
    Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
  }

  private static func open(_ folder: URL, _ plan: Plan) throws -> Store {
    try Store.open(
      at: folder.appendingPathComponent("ferry.sqlite"),
      schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]))
  }

  private static func freshFolder(_ name: String) throws -> URL {
    let folder = StoreFolder.url.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// The records that the file's rows become: those that a crossing has written.
  private struct Records: Sendable {
    static let shared = Once { try await Records() }

    private let searches: [SearchEntry]
    private let settings: [Setting]
    private let folders: [Folder]
    private let items: [Item]
    private let drafts: [Draft]
    private let attachments: [Attachment]
    private let lines: [LogEntry]

    private init() async throws {
      let folder = try CrossingJobs.freshFolder("records")
      try await CrossingJobs.cross(into: folder)
      let store = try CrossingJobs.open(folder, CrossingJobs.plan())
      let account = try store.account(CrossingJobs.account())
      searches = try account.blockingRead { try $0.fetch(SearchEntry.all) }
      settings = try account.blockingRead { try $0.fetch(Setting.all) }
      folders = try account.blockingRead { try $0.fetch(Folder.all) }
      let places = try CrossingJobs.places(of: [
        "NoteSummary": "id", "NoteAttachment": "id", "LogEntry": "_id",
      ])
      func sorted<R: Record>(_ records: [R]) -> [R] {
        func place(_ record: R) -> Int {
          // A line of the log has its account's name before the key.
          let key = R.table.keyText(of: record).split(separator: "/").last ?? ""
          return places[String(key)] ?? 0
        }
        return records.sorted { place($0) < place($1) }
      }
      items = sorted(try account.blockingRead { try $0.fetch(Item.all) })
      drafts = try account.blockingRead { try $0.fetch(Draft.all) }
      attachments = sorted(try account.blockingRead { try $0.fetch(Attachment.all) })
      lines = sorted(try store.device.blockingRead { try $0.fetch(LogEntry.all) })
      await store.close()
      try FileManager.default.removeItem(at: folder)
    }

    /// A bulk insert for each table.
    func insert(into account: AccountStore) throws {
      try account.blockingWrite(origin: .crossing) { try $0.insert(searches) }
      try account.blockingWrite(origin: .crossing) { try $0.insert(settings) }
      try account.blockingWrite(origin: .crossing) { try $0.insert(folders) }
      try account.blockingWrite(origin: .crossing) { try $0.insert(items) }
      try account.blockingWrite(origin: .crossing) { try $0.insert(drafts) }
      try account.blockingWrite(origin: .crossing) { try $0.insert(attachments) }
      try account.store.device.blockingWrite(origin: .crossing) { try $0.insert(lines) }
    }
  }

  /// Where rows are in the file, by the identifiers that their keys become: an insert in the order of the keys would
  /// be another work.
  private static func places(of keys: [String: String]) throws -> [String: Int] {
    let source = RealmSource([(try account(), RealmJobs.medium)])
    var places: [String: Int] = [:]
    for (className, property) in keys {
      try source.forEachRow(of: className, account: account(), properties: [property], after: nil) { row in
        places[LegacyKey(row.values[0])?.identifier ?? ""] = places.count
      }
    }
    return places
  }

  private static let roadmap = """
    version: 1
    domains:
      - domain: search-history
        strategy: copy
        legacy:
          search-history: {class: SearchHistory, fields: {query: query, searched-at: searchedAt}}
      - domain: setting
        strategy: copy
        legacy:
          setting: {class: Setting, fields: {key: key, value: value, local-only: localOnly}}
      - domain: folder
        strategy: copy
        legacy:
          folder:
            class: NoteContainer
            fields: {id: id, name: name, type: typeRaw, sort-order: sortOrder, parent: parent}
      - domain: item
        strategy: copy
        legacy:
          item:
            class: NoteSummary
            fields: {id: id, remote-id: remoteItemID, folder: container, folder-row: containerRowID,
              title: title, preview: preview, is-read: isRead, is-starred: isStarred,
              updated-at: updatedAt, score: score, tags: tags}
          draft:
            class: Draft
            fields: {id: uuid, item: item, title: title, body: body, created-at: createdAt,
              updated-at: updatedAt}
      - domain: attachment
        strategy: copy
        legacy:
          attachment:
            class: NoteAttachment
            fields: {id: id, item: item, file-name: fileName, byte-size: byteSize, mime-type: mimeType,
              checksum: checksum}
      - domain: log
        strategy: copy
        legacy:
          log-entry: {class: LogEntry, fields: {id: _id, level: level, message: message, at: at}}

    """
}
