import AttachmentDomain
import FerryDigest
import FerryKernel
import FerryStore
import Foundation
import TestKit

/// A server's files, which a test can have fail.
final class ScriptedSource: BlobSource {
  struct Fault: FerryError {
    let code = "scripted"
    let sentence = "The line is dead."
    let remedy = "Wait."
  }

  private struct State {
    var blobs: [BlobHash: [UInt8]] = [:]
    /// The next downloads break after so many bytes.
    var breaks: [(after: Int, with: any Error)] = []
    var served = 0
    var downloads: [AccountID] = []
    var uploads: [String] = []
    var attempts = 0
    var refusesUploads = false
    var takesNone = false
    var meaning = UploadFailure.passing
  }

  private let state = Locked(State())
  private let files: FileOperations

  /// - Parameter files: the disk that downloads come to.
  init(files: FileOperations = FileOperations()) { self.files = files }

  /// A file of the server's, and what its record says of it.
  func put(_ text: String) -> ServerFile {
    let bytes = Array(text.utf8)
    let file = ScriptedSource.file(bytes)
    state.withLock { $0.blobs[file.hash] = bytes }
    return file
  }

  static func file(_ bytes: [UInt8]) -> ServerFile {
    let digest = SHA256Digest.of(bytes)
    let json: JSONObject = [
      "location": .string("blobs/\(digest)"), "hash": .string(digest), "size": .integer(Int64(bytes.count)),
    ]
    // why: it has all members.
    guard let file = try? ServerFile(json) else { preconditionFailure("\(json)") }
    return file
  }

  func `break`(after count: Int, with error: any Error = Fault()) {
    state.withLock { $0.breaks.append((count, error)) }
  }

  /// No file is ever taken.
  func takeNone(_ takesNone: Bool) { state.withLock { $0.takesNone = takesNone } }

  /// What the next failures of uploads mean.
  func fail(as meaning: UploadFailure) {
    state.withLock { ($0.refusesUploads, $0.meaning) = (true, meaning) }
  }

  func meaning(of error: any Error) -> UploadFailure {
    guard error is Fault else { return .passing }
    return state.withLock { $0.takesNone ? .refused : $0.meaning }
  }

  func refuseUploads(_ refuses: Bool) { state.withLock { $0.refusesUploads = refuses } }

  /// Bytes that have gone over the wire.
  var served: Int { state.withLock { $0.served } }
  var downloads: [AccountID] { state.withLock { $0.downloads } }
  var uploads: [String] { state.withLock { $0.uploads } }
  /// Uploads that were begun.
  var attempts: Int { state.withLock { $0.attempts } }

  func download(_ file: ServerFile, of account: AccountID, to path: String) async throws {
    let (bytes, fault) = state.withLock { state -> ([UInt8]?, (after: Int, with: any Error)?) in
      state.downloads.append(account)
      return (state.blobs[file.hash], state.breaks.isEmpty ? nil : state.breaks.removeFirst())
    }
    guard let bytes else { throw Fault() }
    let part = path + ".part"
    let there = FileManager.default.fileExists(atPath: part) ? try files.read(part) : []
    let end = fault.map { min($0.after, bytes.count) } ?? bytes.count
    let start = min(there.count, end)
    state.withLock { $0.served += end - start }
    try files.writeWhole(there + bytes[start..<end], to: part)
    if let fault { throw fault.with }
    try files.rename(part, to: path)
    try files.syncFolder(of: path)
  }

  func upload(
    _ path: String, named name: String, mimeType: String, to record: String, in feed: String,
    of account: AccountID
  ) async throws -> ServerFile {
    let file = ScriptedSource.file(try files.read(path))
    try state.withLock { state in
      state.attempts += 1
      if state.refusesUploads || state.takesNone { throw Fault() }
      state.uploads.append("\(account) \(feed)/\(record) \(name) \(mimeType)")
    }
    return file
  }
}
