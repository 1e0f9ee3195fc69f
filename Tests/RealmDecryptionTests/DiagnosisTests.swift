import Foundation
import RealmFile
import Testing

@testable import RealmDecryption

@Suite("Wrong key, damage, or something else")
struct DiagnosisTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: Fixtures.file(name))) }

  private func key(changing range: Range<Int>) throws -> RealmKey {
    var bytes = try Fixtures.key().bytes
    for index in range { bytes[index] ^= 0x5A }
    return try RealmKey(bytes: bytes)
  }

  @Test(
    "A key of another file is called wrong, and so is one of which only a half is right",
    arguments: Fixtures.names)
  func wrongKeys(name: String) throws {
    let path = Fixtures.file(name).path
    #expect(throws: RealmDecryptionError.wrongKey(.all)) {
      try RealmFile.open(path: path, key: key(changing: 0..<64))
    }
    #expect(throws: RealmDecryptionError.wrongKey(.first)) {
      try RealmFile.open(path: path, key: key(changing: 0..<32))
    }
    #expect(throws: RealmDecryptionError.wrongKey(.first)) {
      try RealmFile.open(path: path, key: key(changing: 31..<32))
    }
    #expect(throws: RealmDecryptionError.wrongKey(.second)) {
      try RealmFile.open(path: path, key: key(changing: 63..<64))
    }
  }

  @Test(
    "A file that is not encrypted is said to be so",
    arguments: ["app/alice", "app/blank", "formats/format-24"])
  func plainFile(name: String) throws {
    let path = Fixtures.file("x").deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "\(name).realm").path
    #expect(throws: RealmDecryptionError.notEncrypted) {
      try RealmFile.open(path: path, key: Fixtures.key(), pause: { _ in })
    }
  }

  @Test("What is no database keeps its own diagnosis when a key is given")
  func notADatabase() throws {
    let key = try Fixtures.key()
    let text = Array(String(repeating: "Dear diary, ", count: 2000).utf8)
    #expect(throws: RealmFileError.notARealmFile) {
      try RealmFile.open(path: folder.write(text), key: key, pause: { _ in })
    }
    #expect(throws: RealmFileError.emptyFile) {
      try RealmFile.open(path: folder.write([]), key: key, pause: { _ in })
    }
    #expect(throws: RealmFileError.notARealmFile) {
      try RealmFile.open(path: folder.write([1, 2, 3]), key: key, pause: { _ in })
    }
    let missing = folder.url.appending(path: "none.realm").path
    #expect { try RealmFile.open(path: missing, key: key, pause: { _ in }) } throws: { error in
      if case RealmFileError.unreadable(let path, _) = error { return path == missing }
      return false
    }
    #expect {
      try RealmFile.open(path: folder.write([UInt8](repeating: 0, count: 16_384)), key: key, pause: { _ in })
    } throws: {
      if case RealmFileError.damaged = $0 { return true }
      return false
    }
  }

  @Test("Without a key an encrypted file is called encrypted", arguments: Fixtures.names)
  func noKey(name: String) throws {
    #expect(throws: RealmFileError.encrypted) { try RealmFile(path: Fixtures.file(name).path) }
  }

  @Test(
    "A flipped bit anywhere is damage or of no consequence, and never a wrong key", arguments: Fixtures.names)
  func flippedBits(name: String) throws {
    let whole = try bytes(name)
    let golden = Array(try Data(contentsOf: Fixtures.golden))
    var damaged = 0
    for offset in stride(from: 0, to: whole.count, by: 8009) {
      var copy = whole
      copy[offset] ^= 1 << UInt8(offset % 8)
      do {
        #expect(
          try RealmFile.open(path: folder.write(copy), key: Fixtures.key(), pause: { _ in }).json() == golden,
          "bit at \(offset)")
      } catch RealmFileError.damaged(let what, _) {
        damaged += 1
        #expect(!what.isEmpty)
      }
    }
    #expect(damaged > 25)
  }

  @Test("A damaged first page is no wrong key, since other pages are authentic", arguments: Fixtures.names)
  func damagedFirstPage(name: String) throws {
    for offset in [4, 20, 4096, 8191] {
      var copy = try bytes(name)
      copy[offset] ^= 1
      if offset < 64 { copy[offset + 32] ^= 1 }
      #expect { try RealmFile.open(path: folder.write(copy), key: Fixtures.key(), pause: { _ in }) } throws: {
        error in
        if case RealmFileError.damaged(_, offset: 0) = error { return true }
        return false
      }
    }
  }

  @Test("A file that was cut short is damaged, or has all its rows", arguments: Fixtures.names)
  func cutShort(name: String) throws {
    let whole = try bytes(name)
    let golden = Array(try Data(contentsOf: Fixtures.golden))
    for size in [
      8192, 8193, 12_288, whole.count / 2, whole.count / 4096 * 2048, whole.count - 4096, whole.count - 1,
    ] {
      do {
        let json = try RealmFile.open(
          path: folder.write(Array(whole[..<size])), key: Fixtures.key(), pause: { _ in }
        ).json()
        #expect(json == golden, "cut to \(size)")
      } catch RealmFileError.damaged {}
    }
  }

  @Test("Noise with any key ends in a diagnosis")
  func noise() throws {
    var generator = SystemRandomNumberGenerator()
    for pages in [2, 3, 66, 130] {
      let bytes = (0..<pages * 512).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
      #expect(throws: (any Error).self) {
        try RealmFile.open(path: folder.write(bytes), key: Fixtures.key(), pause: { _ in })
      }
    }
  }
}
