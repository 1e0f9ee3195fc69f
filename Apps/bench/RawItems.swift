import FerryStore
import Foundation
import RawSQLite

/// Sample items as C has them.
///
/// proof: what the pointer leads to is written in `init` alone; the C functions that get it only read.
final class RawItems: @unchecked Sendable {
  let start: UnsafePointer<raw_item>
  let count: Int
  private let items: UnsafeMutableBufferPointer<raw_item>

  init(_ samples: [SampleItem]) {
    items = .allocate(capacity: samples.count)
    for (index, sample) in samples.enumerated() {
      items.initializeElement(
        at: index,
        to: raw_item(
          id: strdup(sample.id.rawValue), folder: strdup(sample.folder), title: strdup(sample.title),
          preview: sample.preview.flatMap { strdup($0) }, updated_at: sample.updatedAt.nanoseconds,
          score: sample.score ?? 0, has_score: sample.score != nil, is_read: sample.isRead,
          is_starred: sample.isStarred, kind: RawItems.kind(sample.kind)))
    }
    count = samples.count
    start = UnsafePointer(items.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  deinit {
    for item in items { for text in [item.id, item.folder, item.title, item.preview] { free(text) } }
    items.deallocate()
  }

  private static func kind(_ kind: SampleKind) -> Int32 {
    switch kind {
    case .primary: Int32(RAW_PRIMARY)
    case .archived: Int32(RAW_ARCHIVED)
    case .shared: Int32(RAW_SHARED)
    case .unknown: Int32(RAW_UNKNOWN)
    }
  }
}

/// Texts as C has them.
///
/// proof: as above.
final class RawTexts: @unchecked Sendable {
  let start: UnsafePointer<UnsafeMutablePointer<CChar>?>
  let count: Int
  private let texts: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ texts: [String]) {
    self.texts = .allocate(capacity: texts.count + 1)
    _ = self.texts.initialize(from: texts.map { strdup($0) } + [nil])
    count = texts.count
    start = UnsafePointer(self.texts.baseAddress ?? UnsafeMutablePointer.allocate(capacity: 1))
  }

  deinit {
    for text in texts { free(text) }
    texts.deallocate()
  }
}

/// A store of the C side.
///
/// proof: its functions are called by one job at a time; the bench runs no two at once.
final class RawStore: @unchecked Sendable {
  let handle: OpaquePointer
  let account: Int64

  init(_ url: URL, isTuned: Bool, account: Int64 = 1) throws {
    guard let handle = raw_open(url.path, isTuned) else {
      throw RawError(code: -1, doing: "opening \(url.path)")
    }
    self.handle = handle
    self.account = account
  }

  deinit { raw_close(handle) }

  func make(like model: URL) throws { try check(raw_make_like(handle, model.path)) }

  func insert(_ items: RawItems) throws {
    try check(raw_insert(handle, account, items.start, Int32(items.count)))
  }

  func upsert(_ items: RawItems) throws {
    try check(raw_upsert(handle, account, items.start, Int32(items.count)))
  }

  /// - Returns: what each transaction took, in seconds.
  @discardableResult
  func upsertSingly(_ items: RawItems, count: Int) throws -> [Double] {
    var seconds = [Double](repeating: 0, count: count)
    try check(raw_upsert_singly(handle, account, items.start, Int32(count), &seconds))
    return seconds
  }

  func fetch() throws -> Int { try counting { raw_fetch(handle, account, $0) } }

  func stream() throws -> Int64 {
    var sum: Int64 = 0
    try check(raw_stream(handle, account, &sum))
    return sum
  }

  func find(_ keys: RawTexts, singly: Bool) throws -> Int {
    try counting { raw_find(handle, account, keys.start, Int32(keys.count), singly, $0) }
  }

  func list(_ folders: RawTexts, limit: Int) throws -> Int {
    try counting { raw_list(handle, account, folders.start, Int32(folders.count), Int32(limit), $0) }
  }

  /// Writes an item, commits, and lists its folder on another connection.
  ///
  /// - Returns: the seconds since just before the commit.
  func commit(_ index: Int, of items: RawItems, listingOn reader: RawStore, limit: Int) throws -> Double {
    var seconds = 0.0
    try check(
      raw_commit_and_list(handle, reader.handle, account, items.start + index, Int32(limit), &seconds))
    return seconds
  }

  private func counting(_ body: (UnsafeMutablePointer<Int32>) -> Int32) throws -> Int {
    var count: Int32 = 0
    try check(body(&count))
    return Int(count)
  }

  private func check(_ code: Int32) throws {
    if code != 0 { throw RawError(code: code, doing: "running the C side") }
  }
}

/// What SQLite said on the C side.
struct RawError: Error, CustomStringConvertible {
  let code: Int32
  let doing: String

  var description: String { "SQLite failed with \(code) while \(doing)." }
}
