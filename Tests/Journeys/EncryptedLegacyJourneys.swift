#if os(Linux)
  import FerryKernel
  import Foundation
  import TestKit
  import Testing

  /// The demo with one of its two files encrypted, as an app with a key leaves it.
  @Suite(.waitsOnThreads) struct `A legacy file that is encrypted` {
    private static let key = (0..<64).map { UInt8($0 * 3 + 2) }
    private static let hex = key.map { byte in String(byte >> 4, radix: 16) + String(byte & 15, radix: 16) }
      .joined()
    private static let item = "  - file: alice.realm\n"

    private func demo() throws -> Demo {
      let demo = try Demo()
      let path = demo.folder.url.appendingPathComponent("alice.realm")
      try Data(EncryptedImage(Array(try Data(contentsOf: path)), key: Self.key).bytes).write(to: path)
      return demo
    }

    private func name(_ keyFile: String, in demo: Demo) throws {
      try demo.replace(Self.item, with: Self.item + "    key-file: \(keyFile)\n", in: "ferry.yaml")
    }

    private func keep(_ content: some Sequence<UInt8>, mode: Int = 0o600, in demo: Demo) throws {
      try Data(content).write(to: demo.folder.url.appendingPathComponent("alice.key"))
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: demo.folder.path("alice.key"))
    }

    @Test func `crosses as a plain one does, is archived as it is, and comes back as it was`() throws {
      let demo = try demo()
      let before = try FileOperations().digest(of: demo.folder.path("alice.realm"))
      try name("alice.key", in: demo)
      try keep(Self.hex.utf8, in: demo)
      #expect(try demo.cli("migrate", "--dry-run").status == 0)
      let outcome = try demo.cli("migrate")
      #expect(outcome.status == 0, "\(outcome)")
      // The journal alone tells them apart: it has the files' hashes.
      let (found, straight) = (try demo.content(), try Demo.straight())
      #expect(found.filter { $0.key != "kernel_journal" } == straight.filter { $0.key != "kernel_journal" })
      // What is kept and remembered of the file is what lay there, not what was in it.
      let archived = try JSONValue.parse(text: demo.text("store/legacy-archive/manifest.json")).list("files")
      #expect(try archived.contains { try $0.text("sha256") == before.sha256 })
      #expect(
        try FileOperations().digest(of: demo.folder.path("store/legacy-archive/alice.realm")) == before)
      // Once it is over nobody needs the key any more.
      try FileManager.default.removeItem(atPath: demo.folder.path("alice.key"))
      for arguments in [["migrate"], ["status"], ["item", "list", "--account", "alice"]] {
        #expect(try demo.run(Tool.cli, arguments, [:]).status == 0, "\(arguments)")
      }
      #expect(try demo.cli("migrate", "rollback").status == 0)
      #expect(try FileOperations().digest(of: demo.folder.path("alice.realm")) == before)
    }

    @Test func `without its key, or with a wrong one, is refused at its line before anything is made`() throws
    {
      let demo = try demo()
      func refused(_ code: String, _ place: String, _ word: String) throws {
        let before = try demo.files()
        for arguments in [["migrate", "--dry-run", "--json"], ["migrate", "--json"]] {
          let outcome = try demo.run(Tool.cli, arguments, [:])
          #expect(outcome.status == 78, "\(code) \(outcome)")
          #expect(try outcome.error.text("code") == "configuration.\(code)")
          #expect(try outcome.error.text("message").hasPrefix("\(place): "), "\(outcome)")
          #expect(try outcome.error.text("remedy").contains(word), "\(outcome)")
          #expect(!outcome.errors.contains(Self.hex.prefix(32)))
        }
        #expect(try demo.files() == before)
      }
      let lines = try demo.text("ferry.yaml").split(separator: "\n", omittingEmptySubsequences: false)
      let line = try #require(lines.firstIndex { $0 + "\n" == Self.item }) + 1
      try refused("encrypted", "ferry.yaml:\(line):11", "key-file: PATH")
      try name("alice.key", in: demo)
      let place = "ferry.yaml:\(line + 1):15"
      try refused("unreadableKey", place, "path")
      try keep(Self.hex.utf8.dropLast(), in: demo)
      try refused("badKey", place, "64 bytes")
      try keep([Self.key[0] ^ 1] + Self.key.dropFirst(), in: demo)
      try refused("wrongKey", place, "64 bytes")
      try keep([UInt8](repeating: 7, count: 64), in: demo)
      try refused("wrongKey", place, "this very file")
      try keep(Self.key, mode: 0o644, in: demo)
      try refused("openKey", place, "chmod 600")
      // Each remedy can be followed.
      try keep(Self.key, in: demo)
      #expect(try demo.cli("migrate").status == 0)
    }

    @Test func `and one that isn't, beside a key for it`() throws {
      let demo = try Demo()
      try name("alice.key", in: demo)
      try keep(Self.key, in: demo)
      let refused = try demo.cli("migrate", "--json")
      #expect(try refused.status == 78 && refused.error.text("code") == "configuration.notEncrypted")
      #expect(try refused.error.text("remedy") == "Remove 'key-file' from this item.")
      #expect(!demo.exists("store"))
    }

    @Test func `gets its first roadmap with --key-file, the same as of a plain one`() throws {
      let demo = try demo()
      try keep(Self.key, in: demo)
      let refused = try demo.cli("migrate", "init", "alice.realm", "-o", "first.yaml", "--json")
      #expect(try refused.status == 10 && refused.error.text("code") == "realm.encrypted")
      #expect(try refused.error.text("remedy").contains("--key-file"))
      #expect(!demo.exists("first.yaml"))
      try demo.write(String(repeating: "0", count: 128), to: "wrong.key")
      let wrong = try demo.cli(
        "migrate", "init", "alice.realm", "-o", "first.yaml", "--key-file", "wrong.key")
      #expect(wrong.status == 10 && !demo.exists("first.yaml"), "\(wrong)")
      let outcome = try demo.cli(
        "migrate", "init", "alice.realm", "-o", "first.yaml", "--key-file", "alice.key")
      #expect(outcome.status == 0 && outcome.output.contains("ferry.yaml needs a key-file"), "\(outcome)")
      let plain = try Demo()
      #expect(try plain.cli("migrate", "init", "alice.realm", "-o", "first.yaml").status == 0)
      #expect(try demo.text("first.yaml") == plain.text("first.yaml"))
    }
  }
#endif
