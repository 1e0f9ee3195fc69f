import FerryStore
import Foundation

/// What the jobs of Store share: rows made of one seed, as records and as C has them, and the files that are only
/// read. Made when the first job needs it.
struct StoreFixture: Sendable {
  static let count = 100_000
  /// Rows behind the others, for transactions of a single row.
  static let singleCount = 5000
  static let shared = Once { try await StoreFixture() }

  let folder: URL
  let items: [SampleItem]
  let singles: [SampleItem]
  let raw: RawItems
  /// `items`, with another title in every other one.
  let changed: [SampleItem]
  let rawChanged: RawItems

  /// The file that is only read, and that the C side takes its tables from.
  let model: URL
  /// A file with all rows, to be copied.
  let filled: URL
  let account: AccountStore
  let plain: RawStore
  let tuned: RawStore

  private init() async throws {
    folder = StoreFolder.url
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let samples = Array(SampleItems(StoreFixture.count + StoreFixture.singleCount))
    items = Array(samples.prefix(StoreFixture.count))
    singles = Array(samples.dropFirst(StoreFixture.count))
    raw = RawItems(items)
    changed = items.enumerated().map { index, item in index % 2 == 0 ? item : item.changed(1) }
    rawChanged = RawItems(changed)
    model = folder.appendingPathComponent("read.sqlite")
    filled = folder.appendingPathComponent("filled.sqlite")
    try await StoreFixture.make(model, with: items)
    try FileManager.default.copyItem(at: model, to: filled)
    try await StoreFixture.make(filled, with: singles)
    account = try StoreFixture.open(model)
    plain = try RawStore(model, isTuned: false)
    tuned = try RawStore(model, isTuned: true)
  }

  /// Adds items to a store and closes it.
  static func make(_ url: URL, with items: some Sequence<SampleItem>) async throws {
    let account = try open(url)
    var batch: [SampleItem] = []
    for item in items {
      batch.append(item)
      guard batch.count == 50_000 else { continue }
      try account.blockingWrite(origin: .server) { try $0.insert(batch) }
      batch.removeAll(keepingCapacity: true)
    }
    try account.blockingWrite(origin: .server) { try $0.insert(batch) }
    await account.store.close()
  }

  /// A file that nobody has used yet, for a job that writes.
  func fresh(_ name: String) throws -> URL {
    let url = folder.appendingPathComponent(name + ".sqlite")
    for path in [url.path, url.path + "-wal", url.path + "-shm"]
    where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    return url
  }

  static func open(_ url: URL) throws -> AccountStore {
    let store = try Store.open(at: url, schemas: [SampleItem.schema])
    return try store.addAccount(try AccountID("alice@home"))
  }
}

/// The bench's folder, which its children find too.
enum StoreFolder {
  private static let variable = "FERRY_BENCH_FOLDER"

  static let url: URL = {
    if let path = ProcessInfo.processInfo.environment[variable] { return URL(fileURLWithPath: path) }
    let name = "ferry-bench-\(ProcessInfo.processInfo.processIdentifier)"
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    setenv(variable, url.path, 1)
    return url
  }()

  static func remove() throws {
    if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
  }
}

/// A file with a million rows.
enum Million {
  static let count = 1_000_000
  static let url = StoreFolder.url.appendingPathComponent("million.sqlite")
  static let shared = Once {
    _ = try await StoreFixture.shared.get()
    try await StoreFixture.make(url, with: SampleItems(count))
    let account = try StoreFixture.open(url)
    return (account, try RawStore(url, isTuned: false), try RawStore(url, isTuned: true))
  }
}

extension SampleItem {
  /// The same with another title.
  func changed(_ version: Int) -> SampleItem {
    var item = self
    item.title += " (\(version))"
    return item
  }
}

/// A value that is made when it is first asked for.
actor Once<Value: Sendable> {
  private let make: @Sendable () async throws -> Value
  private var value: Value?

  init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

  func get() async throws -> Value {
    if let value { return value }
    let made = try await make()
    value = made
    return made
  }
}
