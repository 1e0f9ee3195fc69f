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

  /// Takes the lock.
  ///
  /// - Parameter patience: how long the calling thread tries again. A process that is just being started by whoever
  ///   held the lock has it until it runs its own program: a fifth of a second outlasts that.
  /// - Throws: `KernelError.locked` where another process holds it.
  public init(path: String, patience: Duration = .zero, files: FileOperations = FileOperations()) throws {
    self.files = files
    descriptor = try files.opened(path, O_RDWR | O_CREAT | O_CLOEXEC)
    // All is set: whoever throws from here on leaves the closing to `deinit`, or it would happen twice.
    let end = ContinuousClock.now + patience
    var code: Int32
    while true {
      code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
      guard code == EWOULDBLOCK, ContinuousClock.now < end else { break }
      usleep(20_000)
    }
    guard code == 0 else {
      throw code == EWOULDBLOCK
        ? KernelError.locked(path: path) : KernelError.file(path: path, doing: "Locking", code)
    }
  }

  deinit { files.close(descriptor) }
}
