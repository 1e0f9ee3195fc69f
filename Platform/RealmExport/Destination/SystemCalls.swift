#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The few calls that an output needs, with errors that say what was done to which path.
enum SystemCalls {
  /// What is at a path; nil where nothing is. A link is followed.
  static func status(_ path: String) throws(ExportError) -> stat? {
    var status = stat()
    if stat(path, &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw failure("Looking at", path)
  }

  static func openLocked(_ path: String, flags: Int32, for output: String) throws(ExportError) -> Int32 {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("Making", path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error = errno == EWOULDBLOCK ? .busy(path: output) : failure("Locking", path)
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Whether the open file is still the one at the path: whoever held the lock before may have renamed it.
  static func isStill(_ descriptor: Int32, at path: String) throws(ExportError) -> Bool {
    var opened = stat()
    guard fstat(descriptor, &opened) == 0, let current = try status(path) else { return false }
    return opened.st_ino == current.st_ino && opened.st_dev == current.st_dev
  }

  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String) throws(ExportError)
  {
    var done = 0
    while done < bytes.count {
      let count = writeBytes(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count >= 0 {
        done += count
      } else if errno != EINTR {
        throw failure("Writing", path)
      }
    }
  }

  static func sync(_ descriptor: Int32, _ path: String) throws(ExportError) {
    guard fsync(descriptor) == 0 else { throw failure("Writing", path) }
  }

  /// Renames, and waits until the folder knows.
  static func move(_ path: String, to other: String) throws(ExportError) {
    guard rename(path, other) == 0 else { throw failure("Making", other) }
    let folder = open(parent(of: other), O_RDONLY | O_CLOEXEC)
    // Some file systems can't sync a folder; the rename itself is done.
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }

  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Where an output grows until it is whole: a hidden name beside it.
  static func partial(of path: String) -> String {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    return path.dropLast(name.count) + "." + name + ".partial"
  }

  /// Whether both are names of one file.
  static func isSame(_ path: String, _ other: String) throws(ExportError) -> Bool {
    guard let one = try status(path), let two = try status(other) else { return false }
    return one.st_ino == two.st_ino && one.st_dev == two.st_dev
  }

  static func failure(_ doing: String, _ path: String) -> ExportError {
    .output(path: path, doing: doing, reason: String(cString: strerror(errno)))
  }
}

/// `write(2)`, which the function of the same name hides.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
