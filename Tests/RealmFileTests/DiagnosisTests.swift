import Foundation
import Testing

@testable import RealmFile

@Suite("Diagnosis")
struct DiagnosisTests {
  private func error(_ bytes: [UInt8]) -> RealmFileError? {
    do throws(RealmFileError) {
      _ = try RealmFile(source: MemorySource(bytes))
      return nil
    } catch {
      return error
    }
  }

  private func alice() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixtures.committed("app/alice.realm")))
  }

  @Test("A file of no bytes is empty")
  func empty() {
    #expect(error([]) == .emptyFile)
  }

  @Test(
    "Text, a short file and another database are not Realm files",
    arguments: [
      Array("hello\n".utf8), [UInt8](repeating: 0x41, count: 8192),
      Array("SQLite format 3\0".utf8) + [0x10, 0, 1, 1, 0, 0x40, 0x20, 0x20]
        + [UInt8](repeating: 0, count: 8168),
    ])
  func otherFiles(bytes: [UInt8]) {
    #expect(error(bytes) == .notARealmFile)
  }

  @Test("A file of zeros is damaged, and not taken for an encrypted one")
  func zeros() {
    #expect(error([UInt8](repeating: 0, count: 8192))?.code == "realm.damaged")
  }

  @Test("Whole pages that begin with a counter and a random code are encrypted")
  func encrypted() {
    var generator = SeededGenerator(seed: 7)
    var bytes: [UInt8] = [5, 0, 0, 0]
    while bytes.count < 8192 { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
    #expect(error(bytes) == .encrypted)
    #expect(error(bytes + [0]) == .notARealmFile)
  }

  @Test(
    "Encrypted files of 4 KiB and 64 KiB pages are told as encrypted",
    .enabled(if: Fixtures.hasShared, Fixtures.missingShared),
    arguments: [
      "encrypted/tiny-encrypted.realm", "encrypted/tiny-encrypted-writecopy.realm",
      "public/realm-core/test__test_shared_decrypt_4k_page.realm",
      "public/realm-core/test__test_shared_decrypt_64k_page.realm",
    ])
  func encryptedFixtures(name: String) throws {
    let path = try Fixtures.shared(name).path
    #expect(throws: RealmFileError.encrypted) { _ = try RealmFile(path: path) }
  }

  @Test(
    "A format that is not supported is refused by its number",
    arguments: [1, 12, 13, 14, 15, 16, 17, 18, 19, 25, 99, 255])
  func formats(number: UInt8) throws {
    var bytes = try alice()
    bytes[20 + Int(bytes[23] & 1)] = number
    let found = error(bytes)
    #expect(found == .unsupportedFormat(Int(number)))
    #expect(found?.sentence.contains(" \(number);") == true)
  }

  @Test("The other slot's format does not matter")
  func otherSlot() throws {
    var bytes = try alice()
    bytes[21 - Int(bytes[23] & 1)] = 3
    #expect(error(bytes) == nil)
  }

  @Test("A damaged mnemonic is not taken for encryption")
  func mnemonic() throws {
    var bytes = try alice()
    for index in 16..<20 { bytes[index] ^= 0xFF }
    #expect(error(bytes) == .notARealmFile)
  }

  @Test("An active slot without data is damage when there was a commit")
  func noTop() throws {
    var bytes = try alice()
    let slot = 8 * Int(bytes[23] & 1)
    for index in slot..<slot + 8 { bytes[index] = 0 }
    bytes[8 - slot] = 64
    #expect(error(bytes)?.code == "realm.damaged")
  }

  @Test("A path that can't be read says what the system says", arguments: ["/nowhere/x.realm", "/"])
  func unreadable(path: String) {
    do throws(RealmFileError) {
      _ = try RealmFile(path: path)
      Issue.record("it was read")
    } catch {
      #expect(error.code == "realm.unreadable" && error.sentence.contains(path))
    }
  }

  @Test("A named pipe is refused without waiting for a writer")
  func pipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "x.realm.note").path
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: RealmFileError.unreadable(path: path, reason: "It is not a regular file")) {
      _ = try RealmFile(path: path)
    }
  }

  @Test("Each diagnosis has its own code, a sentence and a remedy")
  func texts() {
    let all: [RealmFileError] = [
      .unreadable(path: "p", reason: "r"), .emptyFile, .notARealmFile, .encrypted, .unsupportedFormat(9),
      .halfUpgraded(9),
      .damaged(what: "w", offset: 8), .changedWhileReading, .noSuchColumn(index: 3, table: "t"),
    ]
    #expect(Set(all.map(\.code)).count == all.count)
    for error in all {
      #expect(error.code.hasPrefix("realm."))
      #expect(error.sentence.hasSuffix(".") && error.remedy.hasSuffix("."))
    }
  }

  @Test("A column that the table does not have is an error")
  func column() throws {
    let file = try RealmFile(path: Fixtures.committed("app/alice.realm").path)
    let row = try #require(try file.table(named: "metadata")?.rows().next())
    for index in [-1, 1, Int.max] {
      #expect(throws: RealmFileError.noSuchColumn(index: index, table: "metadata")) {
        _ = try row.value(at: index)
      }
    }
  }
}
