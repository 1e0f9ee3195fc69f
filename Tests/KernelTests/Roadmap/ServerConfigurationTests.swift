import FerryKernel
import Testing

/// What ferry.yaml says of servers.
@Suite struct `A server of ferry yaml` {
  private static let kinto = """
    version: 1
    store: store
    servers:
      work:
        kinto: https://sync.example.org/v1
        bucket: team
        plain-http: true
        secrets:
          alice: {file: alice.secret}
          bob: {command: [pass, show, ferry/bob]}
          carol: {command: [bin/secret]}
          zoe: {environment: ZOE_SECRET}

    """

  private func kind(_ text: String) throws -> FerryConfiguration.Server.Kind {
    try #require(try FerryConfiguration.parse(text: text, folder: "/f").servers.first).kind
  }

  @Test func `is a Kinto server with an address, a bucket, and places of secrets`() throws {
    guard case .kinto(let kinto) = try kind(Self.kinto) else {
      Issue.record("it is no Kinto server")
      return
    }
    #expect(kinto.url == Located("https://sync.example.org/v1", at: SourcePosition(line: 5, column: 12)))
    #expect(kinto.bucket == Located("team", at: SourcePosition(line: 6, column: 13)))
    #expect(kinto.allowsPlainHTTP)
    #expect(kinto.secrets.map(\.user.value) == ["alice", "bob", "carol", "zoe"])
    // Files and programs in folders are found from the file's folder, a bare program's name isn't.
    #expect(
      kinto.secrets.map(\.place) == [
        .file("/f/alice.secret"), .command(["pass", "show", "ferry/bob"]), .command(["/f/bin/secret"]),
        .environment("ZOE_SECRET"),
      ])
  }

  @Test func `needs nothing but the address`() throws {
    let text = "version: 1\nstore: s\nservers: {work: {kinto: 'https://h/v1'}}\n"
    guard case .kinto(let kinto) = try kind(text) else {
      Issue.record("it is no Kinto server")
      return
    }
    #expect(kinto.bucket == nil)
    #expect(!kinto.allowsPlainHTTP)
    #expect(kinto.secrets.isEmpty)
  }

  @Test(arguments: [
    (
      "    kinto: https://sync.example.org/v1\n",
      "    kinto: https://sync.example.org/v1\n    directory: d\n",
      "ferry.yaml:6:16: 'directory' and 'kinto' both say where the server is. Remove one of the two."
    ),
    (
      "    kinto: https://sync.example.org/v1\n", "    directory: d\n",
      "ferry.yaml:6:13: 'bucket' is a Kinto server's, and 'work' is a folder. "
        + "Remove 'bucket', or write 'kinto: …' in place of 'directory'."
    ),
    (
      "    kinto: https://sync.example.org/v1\n", "",
      "ferry.yaml:5:5: server 'work' has neither 'directory' nor 'kinto'. Say where it is: "
        + "'directory: …' for a folder, 'kinto: https://host/v1' for a Kinto server."
    ),
    (
      "plain-http: true", "plain-http: yes",
      "ferry.yaml:7:17: expected true or false, found 'yes'. Write true, without quotes."
    ),
    (
      "{file: alice.secret}", "hunter2",
      "ferry.yaml:9:14: a secret's place is needed here, and never the secret itself. "
        + "Write {file: …}, {command: [program, word, …]} or {environment: NAME}."
    ),
    (
      "{file: alice.secret}", "{file: a, environment: A}",
      "ferry.yaml:9:14: a secret has one place. "
        + "Write one of {file: …}, {command: [program, word, …]} and {environment: NAME}."
    ),
    (
      "{command: [bin/secret]}", "{command: bin/secret}",
      "ferry.yaml:11:24: expected a list, found 'bin/secret'. Write each item after '- '."
    ),
    (
      "{command: [bin/secret]}", "{command: []}",
      "ferry.yaml:11:24: a command without a program. Write [program, word, …]."
    ),
    (
      "ZOE_SECRET", "ZOE=x",
      "ferry.yaml:12:26: no variable of the environment is called 'ZOE=x'. Write its name alone."
    ),
    (
      "    bucket: team", "    buckt: team",
      "ferry.yaml:6:5: unknown key 'buckt'; did you mean 'bucket'? "
        + "The keys here are 'directory', 'kinto', 'bucket', 'plain-http', 'secrets'."
    ),
  ])
  func `is refused with its place and its remedy`(part: String, other: String, description: String) throws {
    let text = Self.kinto.replacing(part, with: other, maxReplacements: 1)
    try #require(text != Self.kinto)
    let fault = #expect(throws: SourceFault.self) { try FerryConfiguration.parse(text: text, folder: "/f") }
    #expect(fault?.description == description)
  }

  @Test func `never repeats a secret that somebody wrote in its place`() {
    for value in ["hunter2", "[hunter2]", "{hunter2: x}"] {
      let text = Self.kinto.replacing("{file: alice.secret}", with: value)
      let fault = #expect(throws: SourceFault.self) { try FerryConfiguration.parse(text: text, folder: "/f") }
      #expect(fault.map { $0.description.contains("hunter2") } == value.hasPrefix("{"))
    }
  }
}
