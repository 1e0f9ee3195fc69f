import CSQLite
import Foundation

/// How much of the write-ahead log there is, and how much of that is in the file already, in pages.
struct LogState: Sendable, Equatable {
  let pages: Int
  let copied: Int
}

/// How hard a checkpoint tries.
enum CheckpointMode: Sendable {
  /// Copies what it can while others read and write.
  case passive
  /// Waits for readers, so that the next writer begins the log anew.
  case restart
  /// The same, and leaves the log's file empty.
  case truncate

  fileprivate var code: Int32 {
    switch self {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}

extension Connection {
  /// Brings the log, or as much of it as readers allow, into the file.
  ///
  /// - Returns: nil where somebody else is at it, or a reader or writer stood in the way for too long; what could
  ///   be copied is copied then, too.
  func checkpoint(_ mode: CheckpointMode) throws(StoreError) -> LogState? {
    var (pages, copied): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, "main", mode.code, &pages, &copied)
    if code & 0xff == SQLITE_BUSY || code & 0xff == SQLITE_LOCKED { return nil }
    guard code == SQLITE_OK else { throw failure("copying the write-ahead log into the file") }
    return LogState(pages: Int(pages), copied: Int(copied))
  }
}

/// How many pages the log has after the last commit of a connection.
///
/// proof: `pages` is made here, is freed with this value, which the connection keeps for as long as it is open,
/// and is written to by SQLite only inside a statement of that connection.
final class LogMeter {
  private let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init() { pages.initialize(to: 0) }

  deinit { pages.deallocate() }

  var count: Int { Int(pages.pointee) }

  /// Counts from now on. SQLite's own checkpoints, which it makes inside a commit, end with this.
  func attach(to handle: OpaquePointer) {
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        context?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, pages)
  }
}
