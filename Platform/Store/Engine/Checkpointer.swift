import Dispatch
import Foundation

/// Brings the write-ahead log into the file, away from the commits: SQLite would do it inside one of them each
/// thousand pages, which then takes a thousand times as long as the others.
///
/// It works on a queue and a connection of its own, once a thousand pages are there, beside readers and the
/// writer. When all of the log is in the file, the next commit begins it anew. Under a writer that never pauses
/// that moment doesn't come; where the log is about to pass its bound, the writer is held for the little that is
/// left to copy. That, and the commit that begins a log, wait for the disk (two syncs and one); hence a bound
/// that a burst of some thousand commits doesn't meet.
final class Checkpointer: Sendable {
  /// From here on, in pages, the log is worth copying: what SQLite takes by itself.
  static let worthwhile = 1000
  /// From here on, in pages, the writer is held for it: 48 MB.
  static let pressing = (48 << 20) / (4096 + 24)
  /// What the log's file keeps, in bytes, when the log begins anew. To cut it is the work of a commit, and takes
  /// longer than anything else here, so this is only for what a long read made of it; closing empties it.
  static let bound = 64 << 20
  /// So few pages are soon copied while the writer waits.
  private static let little = 100

  let queue = DispatchQueue(label: "ferry.store.checkpoints", qos: .utility)
  private let slot: ConnectionSlot
  private let state = Locked(State())

  private struct State {
    var isScheduled = false
    /// The log's length at which the next round begins.
    var next = Checkpointer.worthwhile
    var last = 0
    var counts = Counts()
  }

  /// What has been done so far.
  struct Counts: Equatable {
    var commits = 0
    var passive = 0
    var held = 0
  }

  /// - Parameter logPath: a long log that processes before this one left is copied at once: each of them may have
  ///   ended before its own turn came.
  init(_ connection: sending Connection, logPath: String) throws {
    connection.beImpatient()
    var file = stat()
    if stat(logPath, &file) == 0, Int(file.st_size) >= Checkpointer.worthwhile * 4096 {
      _ = try connection.checkpoint(.passive)
    }
    slot = ConnectionSlot(connection)
  }

  var counts: Counts { state.withLock { $0.counts } }

  /// Takes note of a commit, after which the log has so many pages. It never waits.
  func didCommit(logPages: Int, writer: ConnectionSlot) {
    let isDue = state.withLock { state in
      state.counts.commits += 1
      // The log began anew.
      if logPages < state.last { state.next = Checkpointer.worthwhile }
      state.last = logPages
      guard logPages >= state.next, !state.isScheduled else { return false }
      state.isScheduled = true
      return true
    }
    if isDue { queue.async { [weak writer] in self.run(writer) } }
  }

  /// Ends it: empties the log, unless another process uses it, and closes the connection.
  func close() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.slot.close { connection in
          // Whatever stands in the way, the log is safe where it is; the next opening goes on.
          do { _ = try connection.checkpoint(.truncate) } catch {}
        }
        continuation.resume()
      }
    }
  }

  private func run(_ writer: ConnectionSlot?) {
    var copied = copy()
    if let writer, state.withLock({ $0.last }) >= Checkpointer.pressing {
      for _ in 0..<4 where state.withLock({ $0.last }) - copied > Checkpointer.little { copied = copy() }
      hold(writer)
    }
    state.withLock { state in
      state.isScheduled = false
      // What couldn't be copied is no reason to try after each commit.
      state.next = state.last + Checkpointer.worthwhile
    }
  }

  /// - Returns: how many pages of the log are in the file.
  private func copy() -> Int {
    do {
      let log = try slot.withConnection { try $0.checkpoint(.passive) }
      state.withLock { $0.counts.passive += 1 }
      return log?.copied ?? 0
    } catch {
      // A failing disk is met by the next write or read, which says so. The log is safe where it is.
      return 0
    }
  }

  private func hold(_ writer: ConnectionSlot) {
    do {
      _ = try writer.withConnectionInTurn { _ in try slot.withConnection { try $0.checkpoint(.restart) } }
      state.withLock { $0.counts.held += 1 }
    } catch {
      // As above.
    }
  }
}
