#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file opened for reading only: nothing is created, locked or written beside it.
package final class PlainFile: ByteSource {
  package let path: String
  package let size: Int
  private let descriptor: Int32

  /// Throws `unreadable` when the system refuses, or when the path names no regular file.
  package init(path: String) throws(RealmFileError) {
    // A path may name one of Realm's pipes, and opening a pipe without O_NONBLOCK waits for a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: Self.systemText(errno)) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let reason = Self.systemText(errno)
      close(descriptor)
      throw .unreadable(path: path, reason: reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .unreadable(path: path, reason: "It is not a regular file")
    }
    self.path = path
    self.size = Int(status.st_size)
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  package func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(RealmFileError) {
    guard let base = buffer.baseAddress else { return }
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, base + done, buffer.count - done, off_t(offset + done))
      if count > 0 {
        done += count
      } else if count == 0 {
        throw .changedWhileReading
      } else if errno != EINTR {
        throw .unreadable(path: path, reason: Self.systemText(errno))
      }
    }
  }

  package func currentSize() throws(RealmFileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(path: path, reason: Self.systemText(errno))
    }
    return Int(status.st_size)
  }

  private static func systemText(_ number: Int32) -> String {
    String(cString: strerror(number))
  }
}
