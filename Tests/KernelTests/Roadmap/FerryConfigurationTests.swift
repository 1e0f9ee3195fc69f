import FerryKernel
import Testing

/// `ferry.yaml`, as it is meant to be written and as it sometimes is.
@Suite struct FerryConfigurationTests {
  static let example = """
    version: 1
    store: store
    legacy:
      - file: alice.realm
        account: {server: home, user: alice}
      - file: /old/./bob.realm
        account: {server: home, user: bob}
    servers:
      home:
        directory: ../remote

    """

  @Test("paths are seen from the file's folder, absolute ones stay")
  func paths() throws {
    let configuration = try FerryConfiguration.parse(text: Self.example, folder: "/etc/ferry/")
    #expect(configuration.storeFolder == Located("/etc/ferry/store", at: SourcePosition(line: 2, column: 8)))
    #expect(configuration.legacyFiles.map(\.path.value) == ["/etc/ferry/alice.realm", "/old/bob.realm"])
    #expect(configuration.legacyFiles.map(\.server.value) == ["home", "home"])
    #expect(configuration.legacyFiles.map { $0.users.map(\.name.value) } == [["alice"], ["bob"]])
    #expect(configuration.servers.map(\.name.value) == ["home"])
    #expect(
      configuration.servers[0].kind
        == .directory(path: Located("/etc/ferry/../remote", at: SourcePosition(line: 10, column: 16))))
  }

  @Test(
    "a folder that is relative, or the current one, stays so",
    arguments: [("Config", "Config/store"), (".", "store"), ("", "store")])
  func relativeFolder(folder: String, store: String) throws {
    let configuration = try FerryConfiguration.parse(text: Self.example, folder: folder)
    #expect(configuration.storeFolder.value == store)
  }

  @Test("legacy files and servers may be left out")
  func minimal() throws {
    let configuration = try FerryConfiguration.parse(text: "version: 1\nstore: .\n", folder: "/f")
    #expect(configuration.storeFolder.value == "/f")
    #expect(configuration.legacyFiles.isEmpty)
    #expect(configuration.servers.isEmpty)
  }

  @Test(
    "is refused, with its place and its remedy",
    arguments: [
      RoadmapFaultTests.Mistake(
        "version: 1", "version: 3", "configuration.version",
        "ferry.yaml:1:10: this build reads version 1 of the file's format, not version 3. "
          + "Install a newer build."),
      RoadmapFaultTests.Mistake(
        "server: home", "server: hoem", "configuration.unknownServer",
        "ferry.yaml:5:23: unknown server 'hoem'; did you mean 'home'? "
          + "Name a server that 'servers' lists, or add it there."),
      RoadmapFaultTests.Mistake(
        "/old/./bob.realm", "x/..//alice.realm", "configuration.duplicateFile",
        "ferry.yaml:6:11: this legacy file is listed twice, first on line 4. Remove one of the two."),
      RoadmapFaultTests.Mistake(
        "user: bob", "user: alice", "configuration.duplicateAccount",
        "ferry.yaml:7:35: account 'alice' on server 'home' already has a legacy file, on line 4. "
          + "Keep one legacy file per account."),
      RoadmapFaultTests.Mistake(
        "user: bob", "user: ' '", "configuration.emptyName",
        "ferry.yaml:7:35: a user's name is empty. Write the name."),
      RoadmapFaultTests.Mistake(
        "store: store", "store: ''", "configuration.emptyName",
        "ferry.yaml:2:8: a path is empty. Write the name."),
      RoadmapFaultTests.Mistake(
        "  home:", "  '':", "yaml.emptyKey",
        "ferry.yaml:9:3: a key is missing before ':'. Write the key before the colon."),
      RoadmapFaultTests.Mistake(
        "directory: ../remote", "url: http://x", "configuration.unknownKey",
        "ferry.yaml:10:5: unknown key 'url'. The keys here are 'directory', 'kinto', 'bucket', 'plain-http', 'secrets'."
      ),
      RoadmapFaultTests.Mistake(
        "store: store", "stor: store", "configuration.unknownKey",
        "ferry.yaml:2:1: unknown key 'stor'; did you mean 'store'? "
          + "The keys here are 'version', 'store', 'legacy', 'servers'."),
      RoadmapFaultTests.Mistake(
        "account: {server: home, user: alice}", "acount: {}", "configuration.unknownKey",
        "ferry.yaml:5:5: unknown key 'acount'; did you mean 'account'? The keys here are 'file', 'account', 'accounts', 'key-file'."
      ),
    ])
  func refused(_ mistake: RoadmapFaultTests.Mistake) {
    let text = Self.example.replacing(mistake.part, with: mistake.other, maxReplacements: 1)
    let fault = #expect(throws: SourceFault.self) { try FerryConfiguration.parse(text: text, folder: "/f") }
    #expect(fault?.code == mistake.code)
    #expect(fault?.description == mistake.description)
  }

  @Test("users whose names differ only in how a letter is composed are two accounts")
  func composedUsers() throws {
    let text = Self.example.replacing("user: alice", with: "user: \u{E9}")
      .replacing("user: bob", with: "user: e\u{301}")
    #expect(try FerryConfiguration.parse(text: text, folder: "/f").legacyFiles.count == 2)
  }
}
