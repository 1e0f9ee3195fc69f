import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@testable import Composition
@testable import KintoRemote

/// Where secrets are looked for, and how what is kept of them lies.
@Suite struct `The secret of an account` {
  private let folder: GoldenFolder
  private let alice: AccountID

  init() throws {
    folder = try GoldenFolder()
    alice = try AccountID(server: "home", user: "alice")
    let roadmap = Golden.repository.appendingPathComponent("Config/roadmap.yaml").resolvingSymlinksInPath()
    try FileManager.default.copyItem(at: roadmap, to: folder.url.appendingPathComponent("roadmap.yaml"))
  }

  private func ferry(_ secrets: String = "") throws -> Ferry {
    let text = """
      version: 1
      store: store
      servers:
        home:
          kinto: https://sync.example.org/v1
      \(secrets)
        folder:
          directory: remote
      """
    try Data(text.utf8).write(to: folder.url.appendingPathComponent("ferry.yaml"))
    return try Ferry(folder: folder.path)
  }

  private func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path(name))
  }

  private func mode(_ name: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? NSNumber)?
      .intValue
  }

  /// What the server is told, without the user.
  private func text(_ ferry: Ferry) throws -> String {
    let header = try ferry.credentials.secret(of: alice).authorization(user: "u").dropFirst("Basic ".count)
    return String(decoding: try #require(Data(base64Encoded: String(header))).dropFirst(2), as: UTF8.self)
  }

  @Test func `is where ferry yaml says, whatever is kept`() throws {
    try write("from-file\nsecond line\n", to: "alice.secret")
    let ferry = try ferry("    secrets: {alice: {file: alice.secret}}")
    try ferry.credentials.kept.keep(.text("kept"), of: alice)
    #expect(try text(ferry) == "from-file")
    #expect(ferry.credentials.areConfigured(for: alice))
  }

  @Test func `is what was kept where ferry yaml says nothing of the user`() throws {
    let ferry = try ferry("    secrets: {zoe: {environment: NEVER_SET}}")
    #expect(throws: CredentialError.none(alice)) { try ferry.credentials.secret(of: alice) }
    try ferry.credentials.kept.keep(.text("kept ✓"), of: alice)
    #expect(try text(ferry) == "kept ✓")
    // What was read once isn't read again: a command may ask somebody.
    try ferry.credentials.kept.keep(.text("later"), of: alice)
    #expect(try text(ferry) == "kept ✓")
    #expect(try text(self.ferry()) == "later")
  }

  @Test func `is found by a bare program's name, without a shell`() throws {
    #expect(
      try text(ferry("    secrets: {alice: {command: [printf, '%s\\n', '$HOME `x` ;']}}")) == "$HOME `x` ;")
    let ferry = try ferry("    secrets: {alice: {command: [no-such-program-at-all]}}")
    #expect(
      throws: SecretError.commandFailed(program: "no-such-program-at-all", why: "it is in no folder of PATH")
    ) {
      try ferry.credentials.secret(of: alice)
    }
  }

  @Test func `is kept for its owner only, in a folder that nobody else enters`() throws {
    let kept = try ferry().credentials.kept
    try FileManager.default.createDirectory(
      atPath: folder.path("store/secrets"), withIntermediateDirectories: true)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path("store/secrets"))
    try kept.keep(.text("s3cret"), of: alice)
    #expect(try mode("store/secrets") == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("store/secrets")).sorted()
    #expect(names == ["alice@home.place", "alice@home.secret"])
    for name in names { #expect(try mode("store/secrets/\(name)") == 0o600) }
    // Where it is, isn't the secret: that goes once it is known to be elsewhere.
    try kept.keep(.environment("ALICE"), of: alice)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("store/secrets")) == [
        "alice@home.place"
      ])
    try kept.forget(alice)
    try kept.forget(alice)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("store/secrets")).isEmpty)
    #expect(!kept.has(alice))
  }

  @Test func `that others may read is refused`() throws {
    let kept = try ferry().credentials.kept
    try kept.keep(.text("s3cret"), of: alice)
    let path = folder.path("store/secrets/alice@home.secret")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(throws: SecretError.open(path: path, mode: "640")) { try ferry().credentials.secret(of: alice) }
  }

  @Test(arguments: ["nonsense", "[]", "{}", "{\"kept\":false}", "{\"command\":\"x\"}"])
  func `that nobody can have kept is an error, and no absence`(content: String) throws {
    let ferry = try ferry()
    try ferry.credentials.kept.keep(.text("s3cret"), of: alice)
    try write(content, to: "store/secrets/alice@home.place")
    #expect(throws: KernelError.self) { try ferry.credentials.secret(of: alice) }
  }

  @Test func `has a file of its own whatever the account is called`() throws {
    let names = ["alice", "Alice", "\u{e9}", "e\u{301}", ".a", "a b", "%61lice", "a%"]
    let files = try names.map { try AccountID(server: "home", user: $0).fileName }
    #expect(Set(files.map { $0.lowercased() }).count == names.count)
    #expect(files.allSatisfy { name in name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x2f } })
    #expect(files[0] == "alice@home")
  }

  @Test func `isn't asked of a server that is a folder`() throws {
    let credentials = try ferry().credentials
    #expect(credentials.areNeeded(by: alice))
    #expect(try !credentials.areNeeded(by: AccountID(server: "folder", user: "alice")))
  }

  @Test(arguments: [
    ("https://sync.example.org/v1", "http://sync.example.org/v1", "configuration.plainHTTP", 5, 12),
    ("https://sync.example.org/v1", "ftp://sync.example.org/v1", "configuration.badURL", 5, 12),
    ("https://sync.example.org/v1", "https://alice:pw@sync.example.org/v1", "configuration.badURL", 5, 12),
    ("https://sync.example.org/v1", "https://h/v1\n    bucket: a/b", "configuration.badBucket", 6, 13),
  ])
  func `goes to no address that can't be one, which is told where it stands`(
    part: String, other: String, code: String, line: Int, column: Int
  ) throws {
    _ = try ferry()
    let text = try String(contentsOfFile: folder.path("ferry.yaml"), encoding: .utf8)
    try write(text.replacing(part, with: other), to: "ferry.yaml")
    let fault = #expect(throws: SourceFault.self) { try Ferry(folder: folder.path) }
    #expect(fault?.code == code)
    #expect(fault?.position == SourcePosition(line: line, column: column))
    #expect(fault.map { !$0.description.contains("pw@") } == true)
    if code == "configuration.plainHTTP" {
      try write(text.replacing(part, with: other + "\n    plain-http: true"), to: "ferry.yaml")
      _ = try Ferry(folder: folder.path)
    }
  }
}
