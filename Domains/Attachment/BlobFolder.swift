import FerryDigest
import FerryKernel
import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of one account's attachments, beside the store: `attachments/<account>/<SHA-256>`.
///
/// Each account has a folder of its own, so that no path leads from one to another's files, and removing an
/// account is removing a folder; content that two accounts have is there twice. Within an account what has the
/// same bytes is one file, however many items it is attached to. A file gets its name when it is whole and synced;
/// until then it is in `incoming/`.
struct BlobFolder: Sendable {
  let path: String
  let files: FileOperations

  init(_ account: AccountStore, _ files: FileOperations) {
    path = BlobFolder.path(
      of: account.id, in: account.store.url.deletingLastPathComponent().path)
    self.files = files
  }

  static func path(of account: AccountID, in storeFolder: String) -> String {
    // By a hash, since two names may be one to a file system that ignores case or composes letters.
    "\(folder(in: storeFolder))/\(StableHash.of(account.server, account.user))"
  }

  /// Where the folders of all accounts are.
  static func folder(in storeFolder: String) -> String { "\(storeFolder)/attachments" }

  func path(of hash: BlobHash) -> String { "\(path)/\(hash)" }

  /// Where a file is while it comes.
  var incoming: String { "\(path)/incoming" }

  /// Where a download of this content goes; what it leaves unfinished has this name and an ending.
  func incoming(_ hash: BlobHash) -> String { "\(incoming)/\(hash)" }

  func make() throws { try files.makeFolder(incoming) }

  // MARK: - One at a time

  /// What is done by one at a time, in this process or another.
  enum Work: String {
    /// Changing which files there are, and the rows that say so.
    case changing = ".lock"
    /// Fetching from a server; it is begun before `changing`, never within.
    case fetching = ".fetching"
  }

  /// Runs `body` while nobody else does the same work on this account's files. Waits for whoever does; a killed
  /// process holds nothing.
  func alone<Result>(_ work: Work, _ body: () async throws -> Result) async throws -> Result {
    while true {
      if let result = try await aloneIfFree(work, body) { return result }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// The same where nobody else does it, and nothing where somebody does.
  func aloneIfFree<Result>(_ work: Work, _ body: () async throws -> Result) async throws -> Result? {
    try make()
    let lock: ProcessLock
    do {
      lock = try ProcessLock(path: "\(path)/\(work.rawValue)", files: files)
    } catch KernelError.locked {
      return nil
    }
    defer { withExtendedLifetime(lock) {} }
    return try await body()
  }

  // MARK: - Coming and going

  /// A file of the device on its way in, under a name that a sweep leaves alone while this value lives.
  struct Incoming {
    let path: String
    fileprivate let lock: ProcessLock
  }

  /// A place for a file to be copied to. `changing` is held.
  func place(_ name: String) throws -> Incoming {
    let path = "\(incoming)/\(BlobFolder.addition)\(name)"
    return Incoming(path: path, lock: try ProcessLock(path: path, files: files))
  }

  /// How the names of files begin that are copied in.
  static let addition = "add-"

  /// Copies a file of the device, and syncs the copy.
  ///
  /// - Returns: what its content is.
  func copy(_ source: String, to place: Incoming) throws -> (hash: BlobHash, byteSize: Int64) {
    let input = try files.opened(source, O_RDONLY | O_CLOEXEC)
    defer { files.close(input) }
    let output = try files.opened(place.path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    defer { files.close(output) }
    let digest = SHA256Digest()
    var byteSize: Int64 = 0
    while true {
      try Task.checkCancellation()
      let chunk = try chunk(of: input, source)
      if chunk.isEmpty { break }
      try files.write(chunk, to: output, path: place.path)
      chunk.withUnsafeBytes { digest.update($0) }
      byteSize += Int64(chunk.count)
    }
    try files.sync(output, path: place.path)
    guard let hash = BlobHash(rawValue: digest.finish()) else {
      throw KernelError.fileSystem(path: source, doing: "Hashing", message: "there is no memory for it")
    }
    return (hash, byteSize)
  }

  /// Gives a file that is whole and synced its name, so that it is there also after a power failure. `changing`
  /// is held. What is there under the name has the same bytes.
  func keep(_ incoming: String, as hash: BlobHash) throws {
    try files.rename(incoming, to: path(of: hash))
    try files.syncFolder(of: path(of: hash))
  }

  func remove(_ hash: BlobHash) throws { try files.removeIfThere(path(of: hash)) }

  // MARK: - Looking

  /// The size of the file with this content; nil where there is none.
  func size(of hash: BlobHash) -> Int64? { size(at: path(of: hash)) }

  /// The size of a file; nil where there is none.
  func size(at path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    // why: what can't be looked at is found missing, and said to be, by whoever asks.
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return (attributes?[.size] as? NSNumber)?.int64Value
  }

  /// Whether a file's bytes are what they were when it came.
  func isWhole(_ file: AttachmentFile) throws -> Bool {
    let (size, hash) = try files.digest(of: path(of: file.hash))
    return size == file.byteSize && hash == file.hash.rawValue
  }

  /// Whether a download of this content ended and a kill kept it from its name. `fetching` is held.
  func hasCome(_ hash: BlobHash) throws -> Bool {
    guard FileManager.default.fileExists(atPath: incoming(hash)) else { return false }
    return try files.digest(of: incoming(hash)).sha256 == hash.rawValue
  }

  /// The names in the folder, or in `incoming`, in the order of their bytes; none where there is no folder.
  func names(incoming: Bool = false) throws -> [String] {
    let folder = incoming ? self.incoming : path
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { ![Work.changing.rawValue, Work.fetching.rawValue, "incoming"].contains($0) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a file that was copied in belongs to nobody any more: whoever copied it has ended. `changing` is held.
  func isAbandoned(_ addition: String) throws -> Bool {
    do {
      let lock = try ProcessLock(path: "\(incoming)/\(addition)", files: files)
      return withExtendedLifetime(lock) { true }
    } catch KernelError.locked {
      return false
    }
  }

  private func chunk(of descriptor: Int32, _ path: String) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
      count = try files.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), path: path)
    }
  }
}
