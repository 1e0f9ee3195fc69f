import Foundation
import Testing

@testable import RealmDecryption

@Suite("Keys")
struct KeyTests {
  static let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + 250) }
  static let hex = bytes.map { String(format: "%02x", $0) }.joined()
  static let base64 = Data(bytes).base64EncodedString()

  @Test(
    "A key has the same bytes in every form in which it can be given",
    arguments: [
      Array(hex.utf8), Array(hex.uppercased().utf8), Array((hex + "\n").utf8), Array((hex + "\r\n").utf8),
      Array(base64.utf8), Array((base64 + "\n").utf8), Array(base64.prefix(86).utf8),
      Array(base64.replacing("+", with: "-").replacing("/", with: "_").utf8), bytes, bytes + [10],
    ])
  func forms(content: [UInt8]) throws {
    #expect(try RealmKey(content: content).bytes == Self.bytes)
    let folder = try TemporaryFolder()
    #expect(try RealmKey.read(file: folder.write(content, to: "key")).key.bytes == Self.bytes)
  }

  @Test("Hexadecimal, base64 and a variable give the same key")
  func named() throws {
    let key = try RealmKey(bytes: Self.bytes)
    #expect(try RealmKey(hex: Self.hex) == key)
    #expect(try RealmKey(base64: Self.base64) == key)
    #expect(try RealmKey(variable: "K", in: ["K": Self.hex + "\n"]) == key)
  }

  @Test(
    "What is no key is refused and not quoted",
    arguments: [
      "", "secret", String(hex.dropLast(2)), hex + "00", String(hex.dropLast()) + "g",
      String(base64.dropLast(4)), String(base64.dropLast(3)) + "*==", base64 + "\n\n", " " + hex,
    ])
  func refused(text: String) throws {
    #expect { try RealmKey(content: Array(text.utf8)) } throws: { error in
      guard case RealmDecryptionError.badKey = error else { return false }
      return text.isEmpty || !"\(error)".contains(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  @Test("A key file that is missing, endless or a folder is named")
  func badFiles() throws {
    let folder = try TemporaryFolder()
    let missing = folder.url.appending(path: "none").path
    #expect(throws: RealmDecryptionError.unreadableKey(path: missing, reason: "No such file or directory")) {
      try RealmKey.read(file: missing)
    }
    #expect { try RealmKey.read(file: "/dev/zero") } throws: {
      if case RealmDecryptionError.badKey = $0 { return true }
      return false
    }
    #expect { try RealmKey.read(file: folder.url.path) } throws: {
      if case RealmDecryptionError.unreadableKey = $0 { return true }
      return false
    }
    #expect(throws: RealmDecryptionError.noSuchVariable("NONE")) { try RealmKey(variable: "NONE", in: [:]) }
  }

  @Test(
    "Whether others can read a key file is said",
    arguments: [(0o600, false), (0o400, false), (0o640, true), (0o604, true)])
  func openToOthers(mode: Int, expected: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.bytes, to: "key")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    #expect(try RealmKey.read(file: path).isOpenToOthers == expected)
  }

  @Test("Nothing that prints a key shows it")
  func redacted() throws {
    let key = try RealmKey(bytes: Self.bytes)
    var dumped = ""
    dump(key, to: &dumped)
    dump((key, [key]), to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped, "\(Optional(key) as Any)", "\([key])"] {
      #expect(text.contains("redacted"))
      #expect(!text.contains("250") && !text.lowercased().contains(Self.hex.prefix(8)))
    }
  }
}
