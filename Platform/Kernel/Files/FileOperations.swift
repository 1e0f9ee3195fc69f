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

  /// - Parameter willRun: the fault seam; the default lets everything through.
  public init(willRun: @escaping @Sendable (_ operation: String, _ path: String) throws -> Void = { _, _ in })
  {
    self.willRun = willRun
  }

  /// Writes a whole file so that it exists complete or not at all, also after a power failure: temporary
  /// name, fsync, rename, fsync of the folder. Only its owner can read it.
  public func writeWhole(_ bytes: [UInt8], to path: String) throws {
    let temporary = path + ".tmp"
    let descriptor = try opened(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
    do {
      try write(bytes, to: descriptor, path: temporary)
      try sync(descriptor, path: temporary)
    } catch {
      close(descriptor)
      throw error
    }
    close(descriptor)
    try willRun("rename", path)
    guard rename(temporary, path) == 0 else { throw KernelError.file(path: path, doing: "Renaming", errno) }
    try syncFolder(of: path)
  }

  /// Makes a folder that only its owner can enter, with those above it, where it doesn't exist.
  public func makeFolder(_ path: String) throws {
    try willRun("mkdir", path)
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw KernelError.fileSystem(
        path: path, doing: "Making", message: error.localizedDescription.withoutFullStop)
    }
  }

  /// Deletes a file; that it isn't there is as good.
  package func removeIfThere(_ path: String) throws {
    try willRun("unlink", path)
    guard unlink(path) == 0 || errno == ENOENT else {
      throw KernelError.file(path: path, doing: "Deleting", errno)
    }
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

  /// The SHA-256 of some bytes.
  func checksum(of bytes: [UInt8]) -> String { SHA256Digest.of(bytes) }

  package func opened(_ path: String, _ flags: Int32) throws -> Int32 {
    try willRun("open", path)
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw KernelError.file(path: path, doing: "Opening", errno) }
    return descriptor
  }

  package func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws {
    try willRun("write", path)
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let base = UnsafeRawBufferPointer(rebasing: rest)
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, base.baseAddress, base.count)
        #else
          let count = Darwin.write(descriptor, base.baseAddress, base.count)
        #endif
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw KernelError.file(path: path, doing: "Writing", errno) }
        rest = rest.dropFirst(count)
      }
    }
  }

  package func sync(_ descriptor: Int32, path: String) throws {
    try willRun("fsync", path)
    guard fsync(descriptor) == 0 else { throw KernelError.file(path: path, doing: "Syncing", errno) }
  }

  package func syncFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = try opened(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    try sync(descriptor, path: folder)
  }

  private func forEachChunk(of path: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let descriptor = try opened(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      try willRun("read", path)
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw KernelError.file(path: path, doing: "Reading", errno) }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}
