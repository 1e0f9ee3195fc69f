import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file of a spill, open to append. One thread at a time uses it; other processes keep out of a line, and of
/// the moment at which the file is begun anew, by a lock on it that the kernel lets go when its holder dies.
///
/// Whoever holds the lock first looks whether the path still leads to the file, since it may have been begun
/// anew, moved or removed meanwhile: then it is opened again.
struct SpillFile {
  let path: String
  let files: FileOperations
  private(set) var descriptor: Int32
  /// Its size after the last write of this process; -1: nobody knows.
  private var size: Int64 = -1

  /// Opens the file, making it where there is none, and closes a line that a crash cut off.
  init(path: String, files: FileOperations) throws {
    (self.path, self.files) = (path, files)
    descriptor = try SpillFile.open(path, files)
    do {
      _ = try locked(waiting: true) { file in
        try file.mend()
        file.sweep()
      }
    } catch {
      files.close(descriptor)
      throw error
    }
  }

  func close() { files.close(descriptor) }

  /// Runs `body` while no other process appends.
  ///
  /// - Parameter isWaiting: whether to wait for a process that does.
  /// - Returns: nil where one does, and nothing was waited for.
  mutating func locked<Result>(waiting isWaiting: Bool, _ body: (inout SpillFile) throws -> Result) throws
    -> Result?
  {
    while true {
      guard try takeLock(waiting: isWaiting) else { return nil }
      defer { flock(descriptor, LOCK_UN) }
      if isCurrent { return try body(&self) }
      let next = try SpillFile.open(path, files)
      files.close(descriptor)
      // The `defer` above then lets go of a lock on the new one, which nobody has.
      (descriptor, size) = (next, -1)
    }
  }

  /// Appends a line, whole, behind whole ones. Under the lock.
  mutating func append(_ line: [UInt8]) throws {
    try mend()
    let before = size
    size = -1
    try files.write(line, to: descriptor, path: path)
    size = before + Int64(line.count)
  }

  func sync() throws { try files.sync(descriptor, path: path) }

  /// Puts an empty file with another name in its place. Under the lock.
  ///
  /// - Returns: false where there is more in it than `mark` covers, or another file is there already.
  mutating func beginAnew(after mark: LogMark, ifLargerThan least: Int64) throws -> Bool {
    let (name, _) = try files.spillName(descriptor, path: path)
    let end = try status().st_size
    guard name == mark.spill, Int64(end) == mark.offset, Int64(end) > least else { return false }
    try files.writeWhole(try SpillFile.firstLine(UUID().uuidString), to: path)
    return true
  }

  private func takeLock(waiting isWaiting: Bool) throws -> Bool {
    try SpillFile.takeLock(descriptor, waiting: isWaiting, path: path)
  }

  private static func takeLock(_ descriptor: Int32, waiting isWaiting: Bool, path: String) throws -> Bool {
    while flock(descriptor, isWaiting ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return false }
      if errno != EINTR { throw KernelError.file(path: path, doing: "Locking", errno) }
    }
    return true
  }

  private var isCurrent: Bool { SpillFile.leads(path, to: descriptor) }

  /// Whether a path leads to an open file.
  private static func leads(_ path: String, to descriptor: Int32) -> Bool {
    var (own, named) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && stat(path, &named) == 0 && own.st_ino == named.st_ino
      && own.st_dev == named.st_dev
  }

  private func status() throws -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw KernelError.file(path: path, doing: "Looking at", errno)
    }
    return status
  }

  /// Names a file that somebody emptied, and closes a line that a crash or a failed write cut off.
  private mutating func mend() throws {
    let found = Int64(try status().st_size)
    if found == size { return }
    // Nobody knows until it is mended.
    size = -1
    var last: UInt8 = 0x0a
    if found == 0 {
      let line = try SpillFile.firstLine(UUID().uuidString)
      try files.write(line, to: descriptor, path: path)
      size = Int64(line.count)
    } else if pread(descriptor, &last, 1, off_t(found) - 1) == 1, last != 0x0a {
      try files.write([0x0a], to: descriptor, path: path)
      size = found + 1
    } else {
      size = found
    }
  }

  private static func open(_ path: String, _ files: FileOperations) throws -> Int32 {
    while true {
      if !files.isThere(path) { try make(path, files) }
      do {
        return try files.opened(path, O_RDWR | O_APPEND | O_CLOEXEC)
      } catch KernelError.fileSystem where !files.isThere(path) {
        continue  // Removed between the two.
      }
    }
  }

  /// Makes the file, unless somebody else is first: whoever calls it looks again.
  private static func make(_ path: String, _ files: FileOperations) throws {
    // Linked into place whole, so that a second process can't append before the first line is there.
    let name = UUID().uuidString
    let temporary = "\(path).\(name).tmp"
    let descriptor = try files.opened(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
    defer { files.close(descriptor) }
    // As long as it is locked nobody takes it for a left-over; before that somebody may have.
    guard try takeLock(descriptor, waiting: true, path: temporary), leads(temporary, to: descriptor) else {
      return
    }
    do {
      try files.write(firstLine(name), to: descriptor, path: temporary)
      try files.sync(descriptor, path: temporary)
      // Whoever was first has made it.
      _ = try files.link(temporary, to: path)
    } catch {
      try? files.remove(temporary)  // why: what was thrown says more, and the next opening removes it
      throw error
    }
    try files.remove(temporary)
    try files.syncFolder(of: path)
  }

  /// Removes what was to become the file and was left behind, by a process that was killed, on a disk that was full.
  /// Under the lock, which whoever begins the file anew has; a file that is being made has a lock of its own.
  private func sweep() {
    let folder = FileOperations.folder(of: path)
    let name = ConfiguredPath.lastPart(of: path)
    do {
      for found in try FileManager.default.contentsOfDirectory(atPath: folder)
      where SpillFile.isPassing(found, name) {
        let temporary = "\(folder)/\(found)"
        let descriptor = try files.opened(temporary, O_RDWR | O_CLOEXEC)
        defer { files.close(descriptor) }
        // One that was killed just before it took the second name away left one of the spill itself.
        let isSpill = SpillFile.leads(temporary, to: self.descriptor)
        if try isSpill || SpillFile.takeLock(descriptor, waiting: false, path: temporary) {
          try files.removeIfThere(temporary)
        }
      }
    } catch {
      // It harms nobody, the log must open, and the next opening tries again. Or it was gone already.
    }
  }

  /// Whether a file is called as one that is to become a spill: `log.spill.tmp`, or with a UUID before that.
  private static func isPassing(_ found: String, _ name: String) -> Bool {
    guard found.hasPrefix(name + ".") else { return false }
    let rest = found.dropFirst(name.count + 1)
    return rest == "tmp" || UUID(uuidString: String(rest.hasSuffix(".tmp") ? rest.dropLast(4) : rest)) != nil
  }

  private static func firstLine(_ name: String) throws -> [UInt8] {
    try JSONValue.object(["spill": .string(name.lowercased())] as JSONObject).bytes() + [0x0a]
  }
}
