import RealmFile

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Where a key comes from. Never from a command line: every user of a machine can read those of others.
extension RealmKey {
  /// Reads a key from a file: 64 bytes as they are, hexadecimal or base64 (see `init(content:)`).
  ///
  /// A key file that other users can read is taken all the same: mounted secrets, read-only media and shared
  /// volumes often can't be set otherwise, and refusing would not unread it. `isOpenToOthers` says so, for the
  /// caller to warn.
  ///
  /// - Throws: `RealmDecryptionError.unreadableKey` and `.badKey`.
  public static func read(file path: String) throws(RealmDecryptionError) -> (
    key: RealmKey, isOpenToOthers: Bool
  ) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadableKey(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadableKey(path: path, reason: String(cString: strerror(errno)))
    }
    // A pipe may carry a key (`--key-file <(pass show realm)`), so the size isn't asked for but bounded.
    var content = [UInt8](repeating: 0, count: 4 * size)
    var count = 0
    while count < content.count {
      let room = content.count - count
      let got = content.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { readBytes(descriptor, $0 + count, room) } ?? 0
      }
      if got == 0 { break }
      if got > 0 {
        count += got
      } else if errno != EINTR {
        throw .unreadableKey(path: path, reason: String(cString: strerror(errno)))
      }
    }
    let isFile = status.st_mode & S_IFMT == S_IFREG
    return (
      try RealmKey(content: Array(content[..<count])), isFile && status.st_mode & (S_IRGRP | S_IROTH) != 0
    )
  }

  /// Takes a key from an environment variable, in any of the forms of `init(content:)`.
  ///
  /// - Throws: `RealmDecryptionError.noSuchVariable` where it is not set or empty, and `.badKey`.
  public init(variable name: String, in environment: [String: String]) throws(RealmDecryptionError) {
    guard let text = environment[name], !text.isEmpty else { throw .noSuchVariable(name) }
    try self.init(content: Array(text.utf8))
  }
}

/// `read(2)`, which the function of the same name hides.
private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
