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
    do { try readOn(descriptor) } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

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
      throw failure("Emptying")
    }
    (size, digest) = (0, SHA256Digest())
  }

  /// Replaces what is there by another file.
  package func append(contentsOf source: String) throws {
    try restart()
    let other = try files.opened(source, O_RDONLY | O_CLOEXEC)
    defer { close(other) }
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
      try discard()
      throw RemoteError.blobDiffers(
        location: blob.location, why: "it has \(size) bytes, and the record says \(blob.size)")
    }
    guard found.utf8.elementsEqual(blob.sha256.utf8) else {
      try discard()
      throw RemoteError.blobDiffers(
        location: blob.location, why: "its SHA-256 is another than the record says")
    }
    try files.sync(descriptor, path: PartialFile.name(path))
    guard rename(PartialFile.name(path), path) == 0 else { throw failure("Renaming") }
    try files.syncFolder(of: path)
  }

  private func discard() throws {
    guard unlink(PartialFile.name(path)) == 0 else { throw failure("Deleting") }
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
    while true {
      var code: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
        let got = read(descriptor, buffer.baseAddress, buffer.count)
        code = got < 0 ? errno : 0
        count = max(0, got)
      }
      if code == 0 { return chunk }
      guard code == EINTR else { throw failure("Reading", code) }
    }
  }

  private func failure(_ doing: String, _ code: Int32 = errno) -> KernelError {
    .fileSystem(path: PartialFile.name(path), doing: doing, message: String(cString: strerror(code)))
  }
}
