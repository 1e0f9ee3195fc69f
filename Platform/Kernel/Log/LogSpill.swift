import Dispatch
import FerryStore
import Foundation

/// The front of the log: an append-only NDJSON file that needs no store. The Log domain drains it into its
/// table.
///
/// Its first line names the file for ever, so that what was drained is known by (file, offset) and no line is
/// drained twice. Each line is one `write` with O_APPEND, so lines of several processes don't mix. A line that
/// a crash cut off is closed by the next one who writes, and is kept as text. Once all of it was drained, and is
/// safe in the table, it is begun anew under another name.
///
/// Whoever appends writes the line itself, so that it outlives the process, unless somebody else is at the file at
/// that moment: then the line goes into a buffer, which the spill's own queue writes, and nobody is waited for. When
/// the buffer is full the line is dropped, and a line in the spill says how many were; `losses` counts them. A
/// `fault` waits: it is on the disk when `append` returns. No lock is held while anything but the file's system
/// calls runs, so that there is nothing with which logging could deadlock.
public final class LogSpill: LogSink {
  private let file: FreeLocked<SpillFile>
  private let buffer: Locked<SpillBuffer>
  private let queue = DispatchQueue(label: "ferry.log.spill")
  private let leastToRenew: Int64

  /// What a spill may have in it that was drained: less isn't worth a new file.
  public static let drainedAtMost: Int64 = 64 * 1024

  /// Opens the spill, making it where there is none.
  ///
  /// - Parameters:
  ///   - buffered: how many lines, and how many bytes of them, wait while the file is busy.
  ///   - drainedAtMost: a drained spill that is larger, in bytes, is begun anew.
  public init(
    path: String, files: FileOperations = FileOperations(),
    buffered: (lines: Int, bytes: Int) = (4096, 4 << 20),
    drainedAtMost: Int64 = drainedAtMost
  ) throws {
    file = FreeLocked(try SpillFile(path: path, files: files))
    buffer = Locked(SpillBuffer(lines: buffered.lines, bytes: buffered.bytes))
    leastToRenew = drainedAtMost
  }

  deinit {
    writeWaiting()
    file.withLock { $0.close() }
  }

  public func append(_ line: LogLine) {
    let bytes: [UInt8]
    do {
      bytes = try line.json.bytes() + [0x0a]
    } catch {
      buffer.withLock { $0.lose("\(error)") }
      return
    }
    if line.level == .fault {
      _ = file.withLock { write(bytes, to: &$0, waiting: true, synced: true) }
    } else if file.withLockIfFree({ write(bytes, to: &$0, waiting: false) }) != true {
      keep(bytes, line.at)
    }
  }

  public func flush() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.writeWaiting()
        continuation.resume()
      }
    }
  }

  /// How many lines couldn't be written, and why the first couldn't. Apps say so when they end: a caller
  /// can't be told, since logging never throws.
  public var losses: (count: Int, reason: String)? { buffer.withLock { $0.losses } }

  // MARK: - Draining

  /// What is in the file from a mark on, up to its last whole line. All of it is on the disk: whoever keeps the
  /// mark would otherwise, after a power failure, pass over lines that were written where lost ones had been.
  ///
  /// - Parameters:
  ///   - marks: where earlier calls stopped; a file that none of them names is read from its start.
  ///   - size: after so many bytes it may stop, with one line at least.
  public func read(after marks: [LogMark], atLeast size: Int = .max) throws -> (
    lines: [SpilledLine], mark: LogMark
  ) {
    try file.withLock { file in
      // Also moves on to another file, where the path leads to one.
      write(to: &file, waiting: true)
      let found = try file.files.spilledLines(
        file.descriptor, after: marks, atLeast: size, path: file.path)
      if !found.lines.isEmpty { try file.sync() }
      return (found.lines, found.mark)
    }
  }

  /// Begins the spill anew, once what was read of it is safe elsewhere: also after a power failure.
  ///
  /// - Parameter mark: how far that is. Where more is in the file by now, from whichever process, it stays.
  /// - Returns: whether the file is another one now.
  @discardableResult
  public func beginAnew(after mark: LogMark) throws -> Bool {
    try file.withLock { file in
      try file.locked(waiting: true) { file in
        try file.beginAnew(after: mark, ifLargerThan: leastToRenew)
      } ?? false
    }
  }

  /// Makes sure that the file under the spill's path is the same one after a power failure: only then may the
  /// marks of earlier ones be forgotten.
  public func settle() throws {
    try file.withLock { try $0.files.syncFolder(of: $0.path) }
  }

  // MARK: - Writing

  /// Writes what waits, and a line behind it.
  ///
  /// - Returns: false where the file is another process's at the moment, and nothing was written.
  @discardableResult
  private func write(
    _ line: [UInt8]? = nil, to file: inout SpillFile, waiting isWaiting: Bool, synced: Bool = false
  ) -> Bool {
    do {
      let isWritten: Void? = try file.locked(waiting: isWaiting) { file in
        // Taken only now: while the lock is waited for, they aren't anybody's.
        for waiting in buffer.withLock({ $0.take() }) { append(waiting, to: &file) }
        if let line { append(line, to: &file) }
        if synced { try file.sync() }
      }
      return isWritten != nil
    } catch {
      // The lock or the syncing failed; a line that was written is counted all the same, since nobody knows.
      buffer.withLock { $0.lose("\(error)") }
      return true
    }
  }

  private func append(_ line: [UInt8], to file: inout SpillFile) {
    do {
      try file.append(line)
    } catch {
      buffer.withLock { $0.lose("\(error)") }
    }
  }

  private func keep(_ line: [UInt8], _ at: Timestamp) {
    let isFirst = buffer.withLock { $0.keep(line, at) }
    if isFirst { queue.async { self.writeWaiting() } }
  }

  private func writeWaiting() {
    file.withLock { file in _ = write(to: &file, waiting: true) }
  }
}
