/// How much of the file a connection keeps in memory.
///
/// SQLite's 2 MB are too few for a table of 100,000 rows, whose look-ups then read most pages anew each time. But
/// a scan gains nothing from more, would push out what look-ups need, and would fill it all for one pass; so it
/// goes on with SQLite's 2 MB. Memory is taken page by page as it is used: a store that is small, or a reader that
/// nobody uses, takes none.
enum PageCache {
  /// In KiB.
  static let size = 32 << 10
  /// SQLite's own choice, in KiB.
  static let scanSize = 2000
  /// From so many rows on, reading is a scan.
  static let scanLength = 5000
}

extension Connection {
  /// Takes as much memory for pages as look-ups want.
  func enlargeCache() throws(StoreError) { try execute("PRAGMA cache_size = -\(PageCache.size)") }

  /// A statement has turned out to be a scan.
  func beginScan() {
    scanCount += 1
    if scanCount == 1 { setCache(PageCache.scanSize) }
  }

  func endScan() {
    scanCount -= 1
    if scanCount == 0 { setCache(PageCache.size) }
  }

  private func setCache(_ size: Int) {
    // A failure leaves the cache as it was, which is no less right.
    do { try execute("PRAGMA cache_size = -\(size)") } catch {}
  }
}
