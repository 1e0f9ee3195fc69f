import Dispatch
import Foundation

/// Brings the write-ahead log into the file, away from the commits: SQLite would do it inside every thousandth,
/// which then takes fifty times as long as the others.
///
/// It works on a queue and a connection of its own, once a thousand pages are there, beside readers and the
/// writer. Only where a writer that never pauses is about to pass the log's bound does it hold the writer, for
/// the little that is left to copy, so that the log can begin anew.
final class Checkpointer: Sendable {
  /// From here on, in pages, the log is worth copying: what SQLite takes by itself.
  static let worthwhile = 1000
  /// What the log may grow to, in bytes: 16 MB.
  static let bound = 16 << 20
  /// The same in frames: a page of 4,096 bytes and 24 more.
  static let boundInPages = bound / (4096 + 24)

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
    copy()
    if let writer, state.withLock({ $0.last }) >= Checkpointer.boundInPages {
      // Most of what came meanwhile, so that the writer is held for little.
      copy()
      hold(writer)
    }
    state.withLock { state in
      state.isScheduled = false
      // What couldn't be copied is no reason to try after each commit.
      state.next = state.last + Checkpointer.worthwhile
    }
  }

  private func copy() {
    do {
      _ = try slot.withConnection { try $0.checkpoint(.passive) }
      state.withLock { $0.counts.passive += 1 }
    } catch {
      // A failing disk is met by the next write or read, which says so. The log is safe where it is.
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
