import FerryDigest
import FerryKernel
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A download that gets its name when it is whole and right; until then it is `<name>.part`, which the next
/// attempt goes on with.
package final class PartialFile {
  /// Bytes that are there already.
  package private(set) var size: Int64 = 0
  private let path: String
  private let files: FileOperations
  private let descriptor: Int32
  private var digest = SHA256Digest()

  /// Opens what is there of the file, or makes it.
  package init(for path: String, files: FileOperations = FileOperations()) throws {
    (self.path, self.files) = (path, files)
    descriptor = try files.opened(PartialFile.name(path), O_RDWR | O_CREAT | O_CLOEXEC)
    // All is set: where this throws, `deinit` closes the file.
    try readOn(descriptor)
  }

  deinit { files.close(descriptor) }

  /// The name of a file that isn't whole.
  package static func name(_ path: String) -> String { path + ".part" }

  /// Writes what follows.
  package func append(_ bytes: [UInt8]) throws {
    try files.write(bytes, to: descriptor, path: PartialFile.name(path))
    bytes.withUnsafeBytes { digest.update($0) }
    size += Int64(bytes.count)
  }

  /// Forgets what is there: it was another file's.
  package func restart() throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw KernelError.fileSystem(
        path: PartialFile.name(path), doing: "Emptying", message: String(cString: strerror(errno)))
    }
    (size, digest) = (0, SHA256Digest())
  }

  /// Replaces what is there by another file.
  package func append(contentsOf source: String) throws {
    try restart()
    let other = try files.opened(source, O_RDONLY | O_CLOEXEC)
    defer { files.close(other) }
    while true {
      let chunk = try chunk(of: other)
      if chunk.isEmpty { return }
      try append(chunk)
    }
  }

  /// Checks size and hash, and gives the file its name, so that it is there also after a power failure. What
  /// is wrong is deleted, so that the next attempt doesn't go on with it.
  ///
  /// - Throws: `RemoteError.blobDiffers`.
  package func finish(as blob: RemoteBlob) throws {
    let found = digest.finish()
    guard size == blob.size else {
      try files.remove(PartialFile.name(path))
      throw RemoteError.blobDiffers(
        location: blob.location, why: "it has \(size) bytes, and the record says \(blob.size)")
    }
    guard found.utf8.elementsEqual(blob.sha256.utf8) else {
      try files.remove(PartialFile.name(path))
      throw RemoteError.blobDiffers(
        location: blob.location, why: "its SHA-256 is another than the record says")
    }
    try files.sync(descriptor, path: PartialFile.name(path))
    try files.rename(PartialFile.name(path), to: path)
    try files.syncFolder(of: path)
  }

  private func readOn(_ descriptor: Int32) throws {
    while true {
      let chunk = try chunk(of: descriptor)
      if chunk.isEmpty { return }
      chunk.withUnsafeBytes { digest.update($0) }
      size += Int64(chunk.count)
    }
  }

  /// The next bytes; empty at the end.
  private func chunk(of descriptor: Int32) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
      count = try files.read(
        descriptor, into: UnsafeMutableRawBufferPointer(buffer), path: PartialFile.name(path))
    }
  }
}
