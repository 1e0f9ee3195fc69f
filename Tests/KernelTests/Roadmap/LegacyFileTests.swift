import FerryKernel
import Testing

/// Whose rows a legacy file holds, as ferry.yaml says it.
@Suite struct `A legacy file's accounts` {
  private func parse(_ item: String, files: [String] = []) throws -> FerryConfiguration {
    let text = "version: 1\nstore: s\nlegacy:\n\(item)\nservers: {home: {directory: r}}\n"
    return try FerryConfiguration.parse(text: text, folder: "/f", list: { $0 == "/f/old/" ? files : [] })
  }

  @Test func `come from the file's name where a star stands for it`() throws {
    let names = [
      "note-bob.realm", "note-.realm", "note-alice.realm", "note-alice.realm.lock", "other.realm", "a@b",
      "note-bob.v9.backup.realm",
    ]
    let found = try parse(
      "  - file: old/note-*.realm\n    account: {server: home, user-from: file-name}", files: names
    ).legacyFiles
    #expect(found.map(\.path.value) == ["/f/old/note-alice.realm", "/f/old/note-bob.realm"])
    #expect(found.map { $0.users.map(\.name.value) } == [["alice"], ["bob"]])
  }

  @Test func `may be several, each by a name of its own`() throws {
    let listed = try parse("  - file: x\n    accounts: {server: home, users: [alice, bob]}").legacyFiles[0]
    #expect(listed.users.map(\.name.value) == ["alice", "bob"])
    #expect(listed.users.map(\.named.value) == ["alice", "bob"])
    let named = try parse("  - file: x\n    accounts: {server: home, users: {alice: '1001', bob: '1002'}}")
    #expect(named.legacyFiles[0].users.map(\.name.value) == ["alice", "bob"])
    #expect(named.legacyFiles[0].users.map(\.named.value) == ["1001", "1002"])
  }

  @Test func `may be encrypted, and then a path says where the key is, for all files of a pattern`() throws {
    let account = "account: {server: home, user-from: file-name}"
    let items = [
      ("  - file: x\n    account: {server: home, user: a}\n    key-file: keys/x", ["/f/keys/x"]),
      ("  - file: x\n    accounts: {server: home, users: [a, b]}\n    key-file: /k", ["/k"]),
      ("  - file: old/*.realm\n    \(account)\n    key-file: k", ["/f/k", "/f/k"]),
    ]
    for (item, keys) in items {
      let files = try parse(item, files: ["a.realm", "b.realm"]).legacyFiles
      #expect(files.map(\.keyFile?.value) == keys)
      #expect(files.allSatisfy { $0.keyFile?.position.line == 6 })
    }
    #expect(try parse("  - file: x\n    account: {server: home, user: a}").legacyFiles[0].keyFile == nil)
  }

  static let mistakes: [(item: String, description: String)] = [
    (
      "  - file: old/*.realm\n    account: {server: home, user-from: file-name}",
      "ferry.yaml:4:11: no file matches '/f/old/*.realm'. Correct the pattern, or remove it."
    ),
    (
      "  - file: '*/a.realm'\n    account: {server: home, user-from: file-name}",
      "ferry.yaml:4:11: a user's name comes from the star in the file's name, and there must be just one. "
        + "Write it such as 'accounts/*.realm'."
    ),
    (
      "  - file: old/*-*.realm\n    account: {server: home, user-from: file-name}",
      "ferry.yaml:4:11: a user's name comes from the star in the file's name, and there must be just one. "
        + "Write it such as 'accounts/*.realm'."
    ),
    (
      "  - file: x\n    account: {server: home, user-from: folder}",
      "ferry.yaml:5:40: the user comes from 'file-name' alone. "
        + "Write 'user-from: file-name' without 'user', or 'user' with the name."
    ),
    (
      "  - file: x\n    account: {server: home}",
      "ferry.yaml:5:14: key 'user' is missing. Add 'user: …' here."
    ),
    (
      "  - file: x\n    account: {server: home, user: a}\n    key-file: ''",
      "ferry.yaml:6:15: a path is empty. Write the name."
    ),
    (
      "  - file: x", "ferry.yaml:4:5: key 'account' is missing. Add 'account: …' here."
    ),
    (
      "  - file: x\n    account: {server: home, user: a}\n    accounts: {server: home, users: [b]}",
      "ferry.yaml:4:5: 'account' and 'accounts' both say whose the file is. Remove one of the two."
    ),
    (
      "  - file: x\n    accounts: {server: home, users: []}",
      "ferry.yaml:5:37: the file has no users. List at least one."
    ),
    (
      "  - file: x\n    accounts: {server: home, users: {a: '1', b: '1'}}",
      "ferry.yaml:5:49: the rows call two users '1'. Give each user the name that only its rows bear."
    ),
    (
      "  - file: x\n    accounts: {server: home, users: {a: '1', b: '2'}}\n  - file: y\n"
        + "    account: {server: home, user: b}",
      "ferry.yaml:7:35: account 'b' on server 'home' already has a legacy file, on line 4. "
        + "Keep one legacy file per account."
    ),
    (
      "  - file: x\n    accounts: {server: hoem, users: [a]}",
      "ferry.yaml:5:24: unknown server 'hoem'; did you mean 'home'? "
        + "Name a server that 'servers' lists, or add it there."
    ),
  ]

  @Test(arguments: mistakes)
  func `are refused where they are wrong`(_ mistake: (item: String, description: String)) {
    let fault = #expect(throws: SourceFault.self) { try parse(mistake.item) }
    #expect(fault?.description == mistake.description)
  }
}
