#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The right to be the one process that crosses or syncs: a kernel lock (`flock`) on a file beside the
/// store. It goes with the process, however that ends, so there is nothing to clean up after a crash.
public final class ProcessLock: Sendable {
  private let descriptor: Int32
  private let files: FileOperations

  /// Takes the lock at once or not at all.
  ///
  /// - Throws: `KernelError.locked` where another process holds it.
  public init(path: String, files: FileOperations = FileOperations()) throws {
    self.files = files
    descriptor = try files.opened(path, O_RDWR | O_CREAT | O_CLOEXEC)
    // All is set: whoever throws from here on leaves the closing to `deinit`, or it would happen twice.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      throw code == EWOULDBLOCK
        ? KernelError.locked(path: path) : KernelError.file(path: path, doing: "Locking", code)
    }
  }

  deinit { files.close(descriptor) }
}
