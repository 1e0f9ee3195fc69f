import FerryDigest
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Every file operation of the kernel: one type, so that a test can make the Nth of them fail.
public struct FileOperations: Sendable {
  /// Called with each operation's name before it runs; throwing makes it fail.
  let willRun: @Sendable (_ operation: String, _ path: String) throws -> Void
  let calls: any FileCalls

  /// - Parameter willRun: the fault seam; the default lets everything through.
  public init(willRun: @escaping @Sendable (_ operation: String, _ path: String) throws -> Void = { _, _ in })
  {
    self.willRun = willRun
    calls = SystemFileCalls()
  }

  /// The operations on another disk.
  package init(calls: any FileCalls) {
    willRun = { _, _ in }
    self.calls = calls
  }

  /// Writes a whole file so that it exists complete or not at all, also after a power failure: temporary
  /// name, fsync, rename, fsync of the folder. Only its owner can read it.
  public func writeWhole(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + ".tmp"
    try withFile(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC) { descriptor in
      try write(bytes, to: descriptor, path: temporary)
      try sync(descriptor, path: temporary)
    }
    try rename(temporary, to: path)
    try syncFolder(of: path)
  }

  /// Makes a folder that only its owner can enter, with those above it, where it doesn't exist. It is there
  /// also after a power failure.
  public func makeFolder(_ path: String) throws {
    try willRun("mkdir", path)
    var code = -calls.makeFolder(path)
    if code == ENOENT {
      let above = FileOperations.folder(of: path)
      guard above != path else { throw KernelError.file(path: path, doing: "Making", code) }
      try makeFolder(above)
      code = -calls.makeFolder(path)
    }
    if code == EEXIST {
      guard isThere(path + "/.") else { throw KernelError.file(path: path, doing: "Making", ENOTDIR) }
      return
    }
    guard code <= 0 else { throw KernelError.file(path: path, doing: "Making", code) }
    try syncFolder(of: path)
  }

  /// Whether there is a file or a folder.
  func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Deletes a file; that it isn't there is as good.
  package func removeIfThere(_ path: String) throws {
    try willRun("unlink", path)
    let code = -calls.unlink(path)
    guard code <= 0 || code == ENOENT else { throw KernelError.file(path: path, doing: "Removing", code) }
  }

  /// The whole content of a file.
  public func read(_ path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachChunk(of: path) { bytes += $0 }
    return bytes
  }

  /// Size in bytes and SHA-256 of a file.
  public func digest(of path: String) throws -> (size: Int64, sha256: String) {
    let digest = SHA256Digest()
    var size: Int64 = 0
    try forEachChunk(of: path) { chunk in
      size += Int64(chunk.count)
      digest.update(chunk)
    }
    return (size, digest.finish())
  }

  /// Which file it is, how long, and when it was changed last; nil where it can't be looked at.
  package func stamp(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let (changed, touched) = (status.st_ctimespec, status.st_mtimespec)
    #else
      let (changed, touched) = (status.st_ctim, status.st_mtim)
    #endif
    let times = [changed, touched].map { "\($0.tv_sec).\($0.tv_nsec)" }
    return "\(status.st_dev) \(status.st_ino) \(status.st_size) \(times[0]) \(times[1])"
  }

  /// The SHA-256 of some bytes.
  func checksum(of bytes: [UInt8]) -> String { SHA256Digest.of(bytes) }

  static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}

// What the kernel's own files are made of.
extension FileOperations {
  /// A descriptor, which the caller closes.
  package func opened(_ path: String, _ flags: Int32) throws -> Int32 {
    try willRun("open", path)
    let descriptor = calls.open(path, flags)
    guard descriptor >= 0 else { throw KernelError.file(path: path, doing: "Opening", -descriptor) }
    return descriptor
  }

  package func close(_ descriptor: Int32) { calls.close(descriptor) }

  package func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws {
    try willRun("write", path)
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = calls.write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count == -Int(EINTR) { continue }
        guard count >= 0 else { throw KernelError.file(path: path, doing: "Writing", Int32(-count)) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// What an open file has from an offset on, at most so many bytes. It moves the descriptor's place.
  func read(_ descriptor: Int32, from offset: Int64, atMost limit: Int = .max, path: String) throws -> [UInt8]
  {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw KernelError.file(path: path, doing: "Reading", errno)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(1 << 16, limit), alignment: 16)
    defer { buffer.deallocate() }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let count = try read(descriptor, into: buffer, path: path)
      if count == 0 { break }
      bytes += buffer[..<min(count, limit - bytes.count)]
    }
    return bytes
  }

  package func sync(_ descriptor: Int32, path: String) throws {
    try willRun("fsync", path)
    let code = -calls.sync(descriptor)
    guard code <= 0 else { throw KernelError.file(path: path, doing: "Syncing", code) }
  }

  package func rename(_ from: String, to path: String) throws {
    try willRun("rename", path)
    let code = -calls.rename(from, to: path)
    guard code <= 0 else { throw KernelError.file(path: path, doing: "Renaming", code) }
  }

  /// Gives a file a second name.
  ///
  /// - Returns: false where the name is taken.
  package func link(_ from: String, to path: String) throws -> Bool {
    try willRun("link", path)
    let code = -calls.link(from, to: path)
    guard code <= 0 || code == EEXIST else { throw KernelError.file(path: path, doing: "Making", code) }
    return code <= 0
  }

  package func remove(_ path: String) throws {
    try willRun("unlink", path)
    let code = -calls.unlink(path)
    guard code <= 0 else { throw KernelError.file(path: path, doing: "Removing", code) }
  }

  package func syncFolder(of path: String) throws {
    let folder = FileOperations.folder(of: path)
    try withFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) { try sync($0, path: folder) }
  }

  func withFile(_ path: String, _ flags: Int32, _ body: (Int32) throws -> Void) throws {
    let descriptor = try opened(path, flags)
    defer { calls.close(descriptor) }
    try body(descriptor)
  }

  private func forEachChunk(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try withFile(path, O_RDONLY | O_CLOEXEC) { descriptor in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      defer { buffer.deallocate() }
      while true {
        let count = try read(descriptor, into: buffer, path: path)
        if count == 0 { return }
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }

  /// The next bytes of an open file; 0 at its end.
  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, path: String) throws
    -> Int
  {
    while true {
      try willRun("read", path)
      let count = calls.read(descriptor, into: buffer)
      if count == -Int(EINTR) { continue }
      guard count >= 0 else { throw KernelError.file(path: path, doing: "Reading", Int32(-count)) }
      return count
    }
  }
}
