import FerryKernel
import FerryStore
import Foundation
import ItemDomain
import KintoRemote
import TestKit
import Testing

/// Two devices of one person and a real server, from the crossing on.
@Suite(.waitsOnThreads) struct `Two devices and a Kinto server` {
  /// A demo whose alice is a user of the server's, and which has no bob.
  private func device(_ user: KintoUser, _ url: String) throws -> Demo {
    let demo = try Demo()
    let configuration = """
      version: 1
      store: store
      legacy:
        - file: alice.realm
          account: {server: home, user: \(user.name)}
      servers:
        home:
          kinto: \(url)
          secrets: {\(user.name): {file: the.secret}}

      """
    try demo.write(configuration, to: "ferry.yaml")
    try demo.write(user.password + "\n", to: "the.secret")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: demo.folder.path("the.secret"))
    return demo
  }

  /// Puts the demo's records on the server.
  private func fill(_ fixture: KintoFixture, _ user: KintoUser) async throws {
    for feed in Golden.feeds {
      let path = GoldenRemote.folder.appendingPathComponent("alice/\(feed).ndjson")
      var requests: [JSONValue] = []
      for line in try Data(contentsOf: path).split(separator: 0x0a) {
        let change = try JSONValue.parse(line)
        let name = RecordName(try change.text("id"), in: feed).text
        let place = "/buckets/default/collections/\(feed)/records/\(name)"
        if let record = change["record"] {
          requests.append(["method": "PUT", "path": .string(place), "body": ["data": record]])
        } else {
          requests.append(["method": "PUT", "path": .string(place), "body": ["data": [:]]])
          requests.append(["method": "DELETE", "path": .string(place)])
        }
      }
      while !requests.isEmpty {
        let batch = Array(requests.prefix(100))
        requests.removeFirst(batch.count)
        let answer = try await fixture.request("POST", "/batch", as: user, ["requests": .array(batch)])
        let parts = answer.body["responses"]?.arrayValue ?? []
        guard answer.status == 200, parts.allSatisfy({ ($0["status"]?.integerValue ?? 0) < 300 }) else {
          throw GoldenFault("the demo's records couldn't be put on the server: \(answer)")
        }
      }
    }
  }

  private func item(_ demo: Demo, _ id: String) throws -> JSONValue? {
    let outcome = try demo.cli("item", "show", id, "--json")
    return outcome.status == 0 ? try outcome.json["row"] : nil
  }

  @Test func `cross from it, and what one writes the other gets`() async throws {
    let fixture = try await KintoFixture.shared(.memory)
    let user = try await fixture.user()
    try await fill(fixture, user)
    let (first, second) = (try device(user, fixture.url), try device(user, fixture.url))
    for demo in [first, second] {
      let crossed = try demo.cli("migrate", "--json")
      try #require(crossed.status == 0, "\(crossed)")
      #expect(try demo.cli("item", "count").output == "301\n")
      #expect(try demo.cli("folder", "count").output == "7\n")
    }
    // What crossed unsent goes to the server once; the other device has the very same, and no conflict.
    for demo in [first, second] {
      let outcome = try demo.worker("--json")
      try #require(outcome.status == 0, "\(outcome)")
      #expect(try outcome.json.integer("unsent") == 0)
      #expect(try outcome.json.integer("conflicts") == 0)
      #expect(try outcome.json.integer("bytes") > 0)
    }
    try edit(first) { transaction in
      let key = try Self.id("i3")
      var item = try #require(try transaction.find(Item.self, key))
      item.title = "from the first device"
      try transaction.upsert(item)
      try transaction.delete(Item.self, Self.id("i4"))
    }
    let dry = try first.worker("--json", "--dry-run")
    #expect(try dry.json.integer("pushed") == 2)
    let pushed = try first.worker("--json")
    try #require(pushed.status == 0, "\(pushed)")
    #expect(try pushed.json.integer("pushed") == 2)
    let pulled = try second.cli("sync", "--json")
    try #require(pulled.status == 0, "\(pulled)")
    #expect(try pulled.json.integer("written") == 1)
    #expect(try pulled.json.integer("deleted") == 1)
    #expect(try item(second, "i3")?.text("title") == "from the first device")
    #expect(try item(second, "i4") == nil)
    let name = RecordName("i3", in: "items").text
    let record = try await fixture.request(
      "GET", "/buckets/default/collections/items/records/\(name)", as: user)
    #expect(record.body["data"]?["title"]?.stringValue == "from the first device")
    // Nothing is left to do on either side.
    for demo in [first, second] {
      let outcome = try demo.worker("--json")
      #expect(try outcome.json.integer("pulled") == 0)
      #expect(try outcome.json.integer("pushed") == 0)
    }
  }

  @Test func `get one another's files: what one adds, the next run sends, and the other opens`() async throws
  {
    let fixture = try await KintoFixture.shared(.memory)
    let user = try await fixture.user()
    try await fill(fixture, user)
    let (first, second) = (try device(user, fixture.url), try device(user, fixture.url))
    for demo in [first, second] {
      try #require(demo.cli("migrate").status == 0)
      try #require(demo.worker().status == 0)
    }
    try first.write("my own words", to: "own.txt")
    let key = try added("own.txt", to: first)
    let sent = try first.worker("--json")
    try #require(sent.status == 0, "\(sent)")
    #expect(try sent.json.integer("pushed") == 1)
    #expect(try sent.json.integer("filesSent") == 1)
    #expect(try second.cli("sync", "--json").json.integer("pulled") == 1)
    let path = try second.cli("attachment", "open", "--json", "--", key).json.text("path")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "my own words")
    // Once is enough, for either.
    for demo in [first, second] {
      let outcome = try demo.worker("--json").json
      #expect(
        try ["pulled", "pushed", "filesSent", "filesHeld"].map { try outcome.integer($0) } == [0, 0, 0, 0])
    }
  }

  @Test func `keep a file that the server doesn't take, and say so; the record goes, and so does the rest`()
    async throws
  {
    let fixture = try await KintoFixture.shared(.memory.with("kinto.attachment.max_size_bytes", "1000"))
    let user = try await fixture.user()
    try await fill(fixture, user)
    let demo = try device(user, fixture.url)
    try #require(demo.cli("migrate").status == 0)
    try #require(demo.worker().status == 0)
    try demo.write(String(repeating: "large ", count: 200), to: "large.txt")
    let key = try added("large.txt", to: demo)
    try demo.write("small", to: "small.txt")
    _ = try added("small.txt", to: demo)
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.json.integer("pushed") == 2)
    #expect(try outcome.json.integer("filesSent") == 1)
    #expect(try outcome.json.integer("filesHeld") == 1)
    #expect(try outcome.json.list("files").map { try $0.text("id") } == [key])
    #expect(outcome.errors.contains("large.txt") && outcome.errors.contains("app-cli attachment send"))
    #expect(try demo.cli("log", "query", "--text", key).output.contains("large.txt"))
    #expect(try demo.cli("attachment", "open", "--", key).status == 0)
    // Said again by each run, and to whoever asks.
    #expect(try demo.worker().errors.contains("large.txt"))
    let status = try demo.cli("status").output
    #expect(status.contains("1 file that no server has yet") && status.contains("One of them waits for you"))
    #expect(try demo.cli("attachment", "list", "--item", "i3").output.contains("local, not sent"))
  }

  @Test func `send a wiped server their files anew, whatever its records were made to say`() async throws {
    let fixture = try await KintoFixture.own(.memory)
    let user = try await fixture.user()
    try await fill(fixture, user)
    let demo = try device(user, fixture.url)
    try #require(demo.cli("migrate").status == 0)
    try demo.write("my own words", to: "own.txt")
    let key = try added("own.txt", to: demo)
    #expect(try demo.worker("--json").json.integer("filesSent") == 1)
    try await fixture.killServer()
    try await fixture.startServer()
    let again = try await fixture.request(
      "PUT", "/accounts/\(user.name)", ["data": ["password": .string(user.password)]])
    #expect(again.status == 201)
    #expect(try demo.worker().status == 7)
    #expect(try demo.cli("attachment", "evict", "-b", "0", "--json").json.integer("files") == 0)
    let sent = try demo.worker("--from-device", "--json")
    #expect(sent.status == 0, "\(sent)")
    #expect(try sent.json.integer("filesSent") == 1)
    #expect(try demo.cli("attachment", "evict", "-b", "0", "--json").json.integer("files") == 1)
    let path = try demo.cli("attachment", "open", "--json", "--", key).json.text("path")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "my own words")
  }

  private func added(_ file: String, to demo: Demo) throws -> String {
    let added = try demo.cli("attachment", "add", file, "--item", "i3", "--json")
    return try #require(try added.json["row"]?.text("id"), "\(added)")
  }

  @Test func `wait for it where it can't be reached, and cross once it is back`() async throws {
    let fixture = try await KintoFixture.own(.memory)
    let user = try await fixture.user()
    try await fill(fixture, user)
    let demo = try device(user, fixture.url)
    // Nothing listens here.
    let away = try HoldingServer().url
    try demo.replace(fixture.url, with: away, in: "ferry.yaml")
    for _ in 1...2 {
      let outcome = try demo.cli("migrate", "--json")
      #expect(outcome.status == 75, "\(outcome)")
    }
    let states = try demo.cli("status", "--json").json.list("roadmap")
    #expect(try states.contains { try $0.text("state") == "waitingForNetwork" })
    #expect(try demo.worker().status == 5)
    try demo.replace(away, with: fixture.url, in: "ferry.yaml")
    let crossed = try demo.cli("migrate", "--json")
    #expect(crossed.status == 0, "\(crossed)")
    #expect(try demo.cli("item", "count").output == "301\n")
    // And a worker whose server goes away later says so with the code that means: another time.
    try await fixture.killServer()
    let worker = try demo.worker("--json")
    #expect(worker.status == 75)
    #expect(try worker.json.list("feeds").allSatisfy { try $0.text("kind") == "network" })
  }

  @Test func `are told apart from a server that doesn't accept them`() async throws {
    let fixture = try await KintoFixture.shared(.memory)
    let user = try await fixture.user()
    try await fill(fixture, user)
    let demo = try device(user, fixture.url)
    #expect(try demo.cli("migrate").status == 0)
    let before = try demo.content()
    try demo.write("another\n", to: "the.secret")
    let outcome = try demo.worker("--json")
    #expect(outcome.status == 77)
    #expect(try outcome.json.list("feeds").allSatisfy { try $0.text("kind") == "authorization" })
    #expect(try demo.content() == before)
    #expect(
      try demo.cli("account", "add", "\(user.name)@home", "--json").error.text("code") == "sync.unauthorized")
  }

  private static func id(_ text: String) throws -> ItemID { try #require(ItemID(text)) }

  /// Changes what the active account has, as an app would.
  private func edit(_ demo: Demo, _ change: @Sendable (borrowing Transaction<AccountScope>) throws -> Void)
    throws
  {
    let account = try #require(try demo.store().activeAccount())
    try account.blockingWrite { try change($0) }
  }
}
