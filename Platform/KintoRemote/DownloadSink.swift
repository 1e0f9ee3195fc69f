import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// Takes the bytes of a download, and sees to it that they belong to what is there.
///
/// proof: libcurl calls it from one thread at a time, and whoever waits for the transfer looks at it only when
/// that is over; the lock makes it certain.
final class DownloadSink: @unchecked Sendable {
  private let lock = NSLock()
  private let part: PartialFile
  private let blob: RemoteBlob
  private let start: Int64
  private let validatorPath: String
  private var isBegun = false
  private var bytes: Int64 = 0

  init(_ part: PartialFile, _ blob: RemoteBlob, _ start: Int64, validatorPath: String) {
    (self.part, self.blob, self.start, self.validatorPath) = (part, blob, start, validatorPath)
  }

  /// Bytes that came over the wire.
  var received: Int64 { lock.withLock { bytes } }

  func take(_ head: HTTPHead, _ chunk: UnsafeRawBufferPointer) throws {
    try lock.withLock {
      bytes += Int64(chunk.count)
      guard head.status == 200 || head.status == 206 else { return }
      if !isBegun { try begin(head) }
      guard part.size + Int64(chunk.count) <= blob.size else {
        throw RemoteError.blobDiffers(
          location: blob.location, why: "it has more than the \(blob.size) bytes that the record says")
      }
      try part.append([UInt8](chunk))
    }
  }

  func restart() throws { try lock.withLock { try part.restart() } }

  private func begin(_ head: HTTPHead) throws {
    isBegun = true
    let isContinued = head.status == 206 && range(head).map { $0 == (start, blob.size) } ?? false
    if !isContinued {
      // Another file by now, or a server that knows no ranges. A 206 of another place is of no use at all.
      try part.restart()
      guard head.status == 200 else {
        throw RemoteError.blobDiffers(
          location: blob.location, why: "the server sends another part of it than was asked for")
      }
    }
    if let validator = head["ETag"], validator.hasPrefix("\"") {
      try FileOperations().writeWhole(Array(validator.utf8), to: validatorPath)
    }
  }

  /// First byte and size of the whole of `bytes 100-199/1000`.
  private func range(_ head: HTTPHead) -> (Int64, Int64)? {
    guard let text = head["Content-Range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(whereSeparator: { "-/".contains($0) })
    guard parts.count == 3, let first = Int64(parts[0]), let size = Int64(parts[2]) else { return nil }
    return (first, size)
  }
}
