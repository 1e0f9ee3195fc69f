import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct RealmFailureJourneys {
  /// What `info`, and every form of `export`, ends with; nothing may be made.
  private func expect(
    _ status: Int32, _ code: String, _ desk: RealmDesk, _ file: String, _ options: [String] = [],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try desk.names()
    let tool = try Tool(Tool.cli)
    for arguments in [
      ["info", file], ["schema", file], ["export", file], ["export", file, "out"],
      ["export", file, "out", "--sqlite"],
    ] {
      let outcome = try tool.run(["realm"] + arguments + options + ["--json"], in: desk.folder.path)
      #expect(outcome.status == status, "\(arguments): \(outcome)", sourceLocation: location)
      #expect(outcome.output.isEmpty, sourceLocation: location)
      // A warning about the key file may come before it.
      let line = try #require(outcome.errors.split(separator: "\n").last)
      let error = try #require(try JSONValue.parse(text: String(line))["error"])
      #expect(try error.text("code") == code, sourceLocation: location)
      #expect(error["remedy"]?.stringValue?.isEmpty == false, sourceLocation: location)
    }
    #expect(try desk.names() == before, sourceLocation: location)
  }

  @Test func `Encrypted, without a key, with a wrong one, with half of one, with one too many`() throws {
    let desk = try RealmDesk("encrypted/tiny-encrypted", "app/alice")
    try expect(10, "realm.encrypted", desk, "tiny-encrypted.realm")
    let key = try String(contentsOfFile: RealmDesk.key, encoding: .utf8)
    for (name, text) in [
      ("all", String(repeating: "ab", count: 64)), ("first", "ff" + key.dropFirst(2)),
      ("second", key.prefix(126) + "00"),
    ] {
      try desk.write(text.utf8, to: name)
      try expect(10, "realm.wrongKey", desk, "tiny-encrypted.realm", ["--key-file", name])
    }
    let half = try desk.run("info", "tiny-encrypted.realm", "--key-file", "first")
    #expect(half.errors.contains("The first half of the key (bytes 0 to 31) is not that of the Realm file"))
    try expect(10, "realm.notEncrypted", desk, "alice.realm", ["--key-file", RealmDesk.key])
    try expect(10, "realm.unreadableKey", desk, "tiny-encrypted.realm", ["--key-file", "none"])
    try expect(10, "realm.noKey", desk, "tiny-encrypted.realm", ["--key-env", "NO_SUCH_VARIABLE"])
    try desk.write("short".utf8, to: "short")
    try expect(10, "realm.badKey", desk, "tiny-encrypted.realm", ["--key-file", "short"])
  }

  @Test func `A damaged page is no wrong key`() throws {
    let desk = try RealmDesk("encrypted/tiny-encrypted-writecopy")
    let file = "tiny-encrypted-writecopy.realm"
    // The last page has the footer, which every reading needs.
    try desk.change(file) { $0[$0.count - 2000] ^= 1 }
    try expect(12, "realm.damaged", desk, file, ["--key-file", RealmDesk.key])
  }

  @Test func `A format from the future, a damaged file, no Realm file, an empty one, none at all`() throws {
    let desk = try RealmDesk("app/alice")
    let whole = Array(try desk.data("alice.realm"))
    try desk.write(whole, to: "future.realm")
    try desk.change("future.realm") { ($0[20], $0[21]) = (99, 99) }
    try expect(11, "realm.unsupportedFormat", desk, "future.realm")
    try desk.write(whole[..<40_000], to: "cut.realm")
    try expect(12, "realm.damaged", desk, "cut.realm")
    try desk.write("Dear diary, today nothing happened.".utf8, to: "text.realm")
    try expect(13, "realm.notARealmFile", desk, "text.realm")
    try desk.write([], to: "nothing.realm")
    try expect(13, "realm.emptyFile", desk, "nothing.realm")
    try expect(66, "realm.unreadable", desk, "none.realm")
    try expect(66, "realm.unreadable", desk, ".")
  }

  @Test func `A file that was left between two formats`() throws {
    let desk = try RealmDesk("app/alice")
    // Tables of format 24 below a header of format 9.
    try desk.change("alice.realm") { ($0[20], $0[21]) = (9, 9) }
    try expect(11, "realm.halfUpgraded", desk, "alice.realm")
    let outcome = try desk.run("info", "alice.realm")
    #expect(
      outcome.errors.contains("half-upgraded: Realm was interrupted on the way from file format 9 to 10"))
    #expect(try desk.run("info", "alice.realm", "--salvage").status == 11)
  }

  @Test func `A file that changes while it is printed`() throws {
    let desk = try RealmDesk("app/alice")
    // The document is larger than the pipe, so the export waits for its reader.
    let outcome = try desk.printing("export", "alice.realm", "--json") {
      try desk.change("alice.realm") { $0[(1 - Int($0[23] & 1)) * 8] ^= 8 }
    }
    #expect(outcome.status == 14)
    #expect(outcome.errors.contains("was changed by another process while it was being read"))
  }

  @Test func `An output that can't be made, and one that can't be written`() throws {
    let desk = try RealmDesk("app/alice")
    try expect(66, "realm.unreadable", desk, "none/alice.realm")
    for form in ["--json", "--ndjson", "--csv", "--sqlite"] {
      #expect(try desk.run("export", "alice.realm", form, "none/out").status == 74)
      #expect(try desk.run("export", "alice.realm", form, ".").status == 15)
    }
    #expect(try desk.names() == ["alice.realm"])
  }

  @Test func `A refused file's older copy is named`() throws {
    let desk = try RealmDesk("app/alice")
    try desk.change("alice.realm") { ($0[20], $0[21]) = (99, 99) }
    try desk.write([], to: "alice.v23.backup.realm")
    #expect(try desk.run("info", "alice.realm").errors.contains("There is alice.v23.backup.realm."))
  }

  @Test(
    "A key said on the command line is refused, and not said again", arguments: ["--key-file", "--key-env"])
  func keyItself(_ option: String) throws {
    let key = String(repeating: "0123456789abcdef", count: 8)
    let outcome = try RealmDesk("app/alice").run("info", "alice.realm", option, key)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("a key itself"))
    #expect(!outcome.errors.contains(key))
  }

  @Test func `Two keys are one too many`() throws {
    let outcome = try RealmDesk("app/alice").run("info", "alice.realm", "--key-file", "a", "--key-env", "B")
    #expect(outcome.status == 64)
  }
}
