import RealmFile

extension RealmFile {
  /// Opens an encrypted file and reads its schema.
  ///
  /// Pages are decrypted as they are read. The file is only read, and nothing is made beside it. A file that an
  /// app is writing to is waited for, a fraction of a second.
  ///
  /// Throws `RealmDecryptionError` where the key explains the failure and `RealmFileError` where the file does: a
  /// page that fails its authentication code while others don't is damage, not a wrong key.
  public static func open(path: String, key: RealmKey) throws -> RealmFile {
    try open(path: path, key: key, pause: EncryptedFile.sleep)
  }

  /// Opens a damaged encrypted file for reading what is left of it; see `init(salvaging:)`.
  ///
  /// A page that isn't authentic is decrypted all the same, as the pages of a plain file have no codes at all.
  /// What is read from it may be wrong without contradicting the format: `unauthenticPage` is told its number, each
  /// time that it is read.
  ///
  /// Throws what `open(path:key:)` throws, except for damage that can be overlooked.
  public static func salvage(
    path: String, key: RealmKey, unauthenticPage: @escaping (Int) -> Void
  ) throws -> RealmFile {
    let source = try EncryptedFile(PlainFile(path: path), key: key, overlook: unauthenticPage)
    if let fault = try source.fault() {
      guard case RealmFileError.damaged = fault else { throw fault }
    }
    return try RealmFile(salvaging: source)
  }

  /// Reads an encrypted file that an app may be writing meanwhile; see `read(path:attempts:_:)`.
  public static func read<Value>(
    path: String, key: RealmKey, attempts: Int = 5, _ body: (RealmFile) throws -> Value
  ) throws -> Value {
    // What the key explains is no matter for another attempt, and passes the typed opening by.
    var fault: (any Error)?
    do {
      return try read(
        attempts: attempts,
        opening: { () throws(RealmFileError) in
          do {
            return try open(path: path, key: key)
          } catch let error as RealmFileError {
            throw error
          } catch {
            fault = error
            throw .encrypted
          }
        }, body)
    } catch {
      throw fault ?? error
    }
  }

  static func open(path: String, key: RealmKey, pause: @escaping (UInt32) -> Void) throws -> RealmFile {
    let source = try EncryptedFile(PlainFile(path: path), key: key, pause: pause)
    if let fault = try source.fault() { throw fault }
    return try RealmFile(source: source)
  }
}

extension EncryptedFile {
  /// How many pages are tried before a key is called wrong.
  private static let sampleSize = 512

  /// Why the file can't be read with this key; nil where nothing speaks against it (the format specification,
  /// section 18.3).
  fileprivate func fault() throws(RealmFileError) -> (any Error)? {
    guard pageCount > 0 else { return try plainFault() }
    let state = try state(of: 0)
    if case .written = state {
      // The code covers the ciphertext only: a wrong first half passes it, and decrypts to noise.
      let start = try bytes(24)
      return Self.hasMnemonic(start) || start.allSatisfy { $0 == 0 }
        ? nil : RealmDecryptionError.wrongKey(.first)
    }
    for page in 1..<max(1, min(pageCount, Self.sampleSize)) where try isAuthentic(page) {
      return RealmFileError.damaged(
        what: "the first page of the encrypted file doesn't match its authentication code", offset: 0)
    }
    return try plainFault()
  }

  /// What the file is if no page of it belongs to the key.
  private func plainFault() throws(RealmFileError) -> (any Error)? {
    let plain = try PlainFile(path: path)
    if plain.size >= 24, Self.hasMnemonic(try Self.bytes(24, of: plain)) {
      return RealmDecryptionError.notEncrypted
    }
    do throws(RealmFileError) {
      _ = try RealmFile(source: plain)
      return RealmDecryptionError.notEncrypted
    } catch {
      guard error == .encrypted else { return error }
      let decrypts = try attempts(at: 0).contains(where: Self.hasMnemonic)
      return RealmDecryptionError.wrongKey(decrypts ? .second : .all)
    }
  }

  private func bytes(_ count: Int) throws(RealmFileError) -> [UInt8] { try Self.bytes(count, of: self) }

  private static func bytes(_ count: Int, of source: some ByteSource) throws(RealmFileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { buffer.deallocate() }
    try source.fill(buffer, from: 0)
    return Array(buffer)
  }

  private static func hasMnemonic(_ start: [UInt8]) -> Bool { start[16..<20].elementsEqual("T-DB".utf8) }
}
