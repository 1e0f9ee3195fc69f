#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that appears under its name when it is whole, or not at all.
///
/// Until `commit` it grows under a hidden name beside it (`.OUT.partial`), which goes away with this value. A killed
/// process leaves that behind; the next export to the same output takes it over. Only its owner can read it.
public final class AtomicFile {
  /// Its name once it is whole.
  public let path: String
  /// Where it grows.
  public let partialPath: String
  private let descriptor: Int32
  private let replacing: Bool
  private var isOver = false

  /// - Parameters:
  ///   - path: the output.
  ///   - replacing: whether a file that exists may be replaced. An empty one always may.
  ///   - source: the file that is read, which is never replaced.
  /// - Throws: `ExportError`; then nothing was made.
  public init(path: String, replacing: Bool = false, source: String? = nil) throws(ExportError) {
    try Self.check(path, replacing: replacing, source: source)
    let partial = SystemCalls.partial(of: path)
    let descriptor = try SystemCalls.openLocked(partial, flags: O_RDWR | O_CREAT, for: path)
    guard try SystemCalls.isStill(descriptor, at: partial), ftruncate(descriptor, 0) == 0,
      fchmod(descriptor, 0o600) == 0
    else {
      close(descriptor)
      throw .busy(path: path)
    }
    (self.path, self.replacing, self.descriptor) = (path, replacing, descriptor)
    partialPath = partial
  }

  deinit {
    if !isOver { unlink(partialPath) }
    close(descriptor)
  }

  /// Appends bytes.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    try SystemCalls.write(bytes, to: descriptor, path)
  }

  /// Empties it, to begin again.
  public func startOver() throws(ExportError) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw SystemCalls.failure("Writing", path)
    }
  }

  /// Gives it its name, with every byte on the disk.
  public func commit() throws(ExportError) {
    try Self.check(path, replacing: replacing, source: nil)
    try SystemCalls.sync(descriptor, path)
    try SystemCalls.move(partialPath, to: path)
    isOver = true
  }

  /// Whether the output may be made.
  private static func check(_ path: String, replacing: Bool, source: String?) throws(ExportError) {
    if let source, try SystemCalls.isSame(path, source) { throw .isSource(path: path) }
    guard let status = try SystemCalls.status(path) else { return }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notReplaceable(path: path) }
    guard replacing || status.st_size == 0 else { throw .exists(path: path) }
  }
}
