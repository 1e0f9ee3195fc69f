#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder of files that appears under its name when all of it is there, or not at all. See `AtomicFile`.
///
/// A folder that has anything in it is never replaced.
public final class AtomicFolder {
  /// Its name once it is whole.
  public let path: String
  private let partialPath: String
  private let descriptor: Int32
  private var names: [String] = []
  private var isOver = false

  /// - Parameter path: the output; an empty folder may be there.
  /// - Throws: `ExportError`; then nothing was made.
  public init(path: String) throws(ExportError) {
    let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    try Self.check(trimmed)
    let partial = SystemCalls.partial(of: trimmed)
    guard mkdir(partial, 0o700) == 0 || errno == EEXIST else { throw SystemCalls.failure("Making", partial) }
    descriptor = try SystemCalls.openLocked(partial, flags: O_RDONLY | O_DIRECTORY, for: trimmed)
    (self.path, partialPath) = (trimmed, partial)
    // What a killed export has left: files of this kind, or rename says that there is something else.
    for name in try Self.content(of: partial) where name.hasSuffix(".csv") { unlink("\(partial)/\(name)") }
  }

  deinit {
    if !isOver {
      for name in names { unlink("\(partialPath)/\(name)") }
      rmdir(partialPath)
    }
    close(descriptor)
  }

  /// Makes a file, whose bytes `body` writes.
  public func add<Result>(_ name: String, _ body: (@escaping RealmExport.Write) throws -> Result) throws
    -> Result
  {
    let place = "\(partialPath)/\(name)"
    let file = open(place, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw SystemCalls.failure("Making", place) }
    names.append(name)
    defer { close(file) }
    let result = try body { try SystemCalls.write($0, to: file, "\(self.path)/\(name)") }
    try SystemCalls.sync(file, place)
    return result
  }

  /// Empties it, to begin again.
  public func startOver() {
    for name in names { unlink("\(partialPath)/\(name)") }
    names = []
  }

  /// Gives it its name, with every byte on the disk.
  public func commit() throws(ExportError) {
    try Self.check(path)
    try SystemCalls.sync(descriptor, partialPath)
    try SystemCalls.move(partialPath, to: path)
    isOver = true
  }

  private static func check(_ path: String) throws(ExportError) {
    guard let status = try SystemCalls.status(path) else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .exists(path: path) }
    guard try content(of: path).isEmpty else { throw .notReplaceable(path: path) }
  }

  private static func content(of path: String) throws(ExportError) -> [String] {
    guard let folder = opendir(path) else { throw SystemCalls.failure("Looking at", path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
