import Foundation

@testable import FerryStore

/// What generated rows and expressions are made of: few values, so that they meet, and those on which stores
/// stumble.
enum Sample {
  static let texts = [
    "", "a", "ab", "b", "A", "á", "Á", "a\u{301}", "a\0b", "\0", "한글", "\u{1112}\u{1161}\u{11ab}", "🚢", "👩‍👩‍👧",
    "ß",
    "SS", "%", "_",
  ]
  static let numbers: [Double] = [0, -0.0, 1.5, -1.5, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude]
  static let wholes = [-1, 0, 1, 2, .max, .min, .max - 1]
  static let kinds = ["primary", "archived", "spam", ""]
  static let folders = ["f1", "f2", "f3", "f4", "f5", "gone"]
  static let times = [Timestamp.min, .max, Timestamp(nanoseconds: 0), Timestamp(nanoseconds: -1)]

  static func maybe<Value>(_ values: [Value], _ generator: inout Seeded) -> Value? {
    Int.random(in: 0..<3, using: &generator) == 0 ? nil : values.pick(&generator)
  }

  static func kind(_ generator: inout Seeded) -> FolderKind { FolderKind(rawValue: kinds.pick(&generator)) }

  static func row(_ id: Int64, _ generator: inout Seeded) -> Everything {
    var row = Everything(id)
    row.text = texts.pick(&generator)
    row.note = maybe(texts, &generator)
    row.whole = wholes.pick(&generator)
    row.flag = .random(using: &generator)
    row.maybe = [nil, true, false].pick(&generator)
    row.real = numbers.pick(&generator)
    row.score = maybe(numbers, &generator)
    row.kind = maybe(kinds, &generator).map { FolderKind(rawValue: $0) }
    row.level = Level(rawValue: .random(in: 0...3, using: &generator))
    row.time = times.pick(&generator)
    row.due = maybe(times, &generator)
    row.blob = Data(texts.pick(&generator).utf8)
    row.picture = maybe(texts, &generator).map { Data($0.utf8) }
    row.folder = maybe(folders, &generator).flatMap { Identifier($0) }
    return row
  }

  static func folder(_ id: String, _ generator: inout Seeded) -> Folder {
    Folder(
      id, name: texts.pick(&generator), kind: kind(&generator), parent: maybe(folders, &generator))
  }
}

/// Generated rows in a store, and the same in memory. Another account has others under the same keys.
struct GeneratedWorld {
  let sandbox = Sandbox()
  let account: AccountStore
  private(set) var rows: [Everything] = []
  private(set) var folders: [Folder] = []
  private(set) var inMemory = RecordsInMemory()
  private let other: AccountStore

  init() throws {
    let tables = [Everything.table.declaration, Folder.table.declaration]
    let store = try sandbox.open([Schema(owner: "generated", tables: tables)])
    account = try store.addAccount(alice)
    other = try store.addAccount(bob)
  }

  mutating func fill(_ generator: inout Seeded) throws {
    for account in [other, self.account] {
      rows = (1...Int64(30)).map { Sample.row($0, &generator) }
      folders = Sample.folders.dropLast().map { Sample.folder($0, &generator) }
      try account.blockingWrite(origin: .crossing) { transaction in
        try transaction.deleteAll(Everything.self)
        try transaction.deleteAll(Folder.self)
        try transaction.insert(rows)
        try transaction.insert(folders)
      }
    }
    inMemory = RecordsInMemory()
    inMemory.add(try rows.map(stored), to: Everything.table.declaration)
    inMemory.add(try folders.map(stored), to: Folder.table.declaration)
  }
}

/// A record as it is stored.
func stored<R: Record>(_ record: R) throws -> [StoredValue] {
  let values: (R) throws -> [StoredValue] = R.table.storedValues
  return try values(record)
}

/// Which seeds a test of generated cases goes through: FERRY_SEED is the first, FERRY_ROUNDS how many.
enum Rounds {
  private static let environment = ProcessInfo.processInfo.environment
  static func seeds(_ count: Int) -> Range<UInt64> {
    let first = environment["FERRY_SEED"].flatMap(UInt64.init) ?? 20_250_301
    return first..<first + (environment["FERRY_ROUNDS"].flatMap(UInt64.init) ?? UInt64(count))
  }
}
