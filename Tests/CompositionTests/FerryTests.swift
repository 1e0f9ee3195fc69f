import Composition
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite struct FerryTests {
  private let folder: GoldenFolder

  init() throws {
    folder = try GoldenFolder()
    let roadmap = Golden.repository.appendingPathComponent("Config/roadmap.yaml").resolvingSymlinksInPath()
    try FileManager.default.copyItem(at: roadmap, to: folder.url.appendingPathComponent("roadmap.yaml"))
    try configure()
  }

  private func configure(server: String = "home", user: String = "alice") throws {
    let text = """
      version: 1
      store: store
      legacy:
        - file: a.realm
          account:
            server: \(server)
            user: \(user)
      servers:
        \(server):
          directory: remote
      """
    try write(text, to: "ferry.yaml")
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
  }

  private func fault() throws -> SourceFault {
    do {
      _ = try Ferry(folder: folder.path)
    } catch let fault as SourceFault {
      return fault
    }
    throw GoldenFault("nothing was refused")
  }

  @Test func `Reading the configuration makes nothing, and paths are seen from its folder`() throws {
    let ferry = try Ferry(folder: folder.path)
    #expect(ferry.storePath == folder.path("store/ferry.sqlite"))
    #expect(try ferry.openStoreIfPresent() == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "ferry.yaml", "roadmap.yaml",
      ])
  }

  @Test(arguments: ["al/ice", "a:b", "..", "\"a\\u2028b\""])
  func `A user's name that no account can have is refused where it stands`(user: String) throws {
    try configure(user: user)
    let fault = try fault()
    #expect(fault.code == "configuration.badAccount")
    #expect(fault.position == SourcePosition(line: 7, column: 13))
    #expect(fault.sentence.hasSuffix("user."))
  }

  @Test(arguments: ["ho@me", "ho/me", "."])
  func `A server's name that no account can have is refused where the server stands`(server: String) throws {
    try configure(server: server)
    let fault = try fault()
    #expect(fault.code == "configuration.badAccount")
    #expect(fault.position == SourcePosition(line: 6, column: 15))
  }

  @Test(arguments: ["ferry.yaml", "roadmap.yaml"])
  func `A file that is missing is named`(name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path(name))
    let fault = try fault()
    #expect(fault.code.hasSuffix(".missingFile"))
    #expect(fault.sentence.contains(folder.path(name)))
  }

  @Test func `A store is made once and opened again, and looking at it makes none`() throws {
    let ferry = try Ferry(folder: folder.path)
    _ = try ferry.openStore()
    #expect(try ferry.openStoreIfPresent()?.activeAccount() == nil)
    _ = try ferry.openStore()
    #expect(FileManager.default.fileExists(atPath: ferry.storePath))
  }

  @Test func `An empty file in the store's place is no store yet`() throws {
    let ferry = try Ferry(folder: folder.path)
    try FileManager.default.createDirectory(atPath: folder.path("store"), withIntermediateDirectories: false)
    try write("", to: "store/ferry.sqlite")
    #expect(try ferry.openStoreIfPresent() == nil)
    _ = try ferry.openStore()
    #expect(try ferry.openStoreIfPresent() != nil)
  }

  @Test func `A store that can't be reached is an error, not an absence`() throws {
    try write("no folder", to: "store")
    let ferry = try Ferry(folder: folder.path)
    #expect(throws: StoreError.self) { try ferry.openStoreIfPresent() }
  }

  @Test func `The right to work is one process's at a time, and ends with its holder`() throws {
    let ferry = try Ferry(folder: folder.path)
    do {
      let lock = try ferry.lock()
      withExtendedLifetime(lock) { _ = #expect(throws: KernelError.self) { try ferry.lock() } }
    }
    _ = try ferry.lock()
  }

  @Test func `Time goes on`() {
    let first = Ferry.now()
    #expect(first > Timestamp(nanoseconds: 1_700_000_000_000_000_000))
    #expect(Ferry.now() >= first)
  }

  @Test func `A store that an earlier build made counts as one, and a command that writes brings it up`()
    async throws
  {
    let folder = folder.path
    await (try Ferry(folder: folder).openStore()).close()
    // A build whose items have had a change since.
    let newer = RegisteredDomains.all.map { domain in
      guard domain.name == "item", let table = domain.tables.first else { return domain }
      return Domain(
        domain.name, domain.summary, dependsOn: domain.dependsOn, tables: domain.tables,
        changes: domain.changes + [.empty(table.asItIs)], crossings: domain.crossings, feeds: domain.feeds)
    }
    let changes = RegisteredDomains.all.first { $0.name == "item" }?.changes.count ?? 0
    let (stored, known) = (changes + 1, changes + 2)
    let ferry = try Ferry(folder: folder, domains: newer)
    #expect(throws: StoreError.olderStore(owner: "item", stored: stored, known: known)) {
      try ferry.openStoreIfPresent()
    }
    #expect(try ferry.hasStore())
    try await ferry.updateStore()
    #expect(try ferry.openStoreIfPresent() != nil)
    // What it is now the build before can't know.
    #expect(throws: StoreError.newerStore(owner: "item", stored: known, known: stored)) {
      try Ferry(folder: folder).openStore()
    }
  }

  @Test func `Where there is no store, bringing it up makes none`() async throws {
    let ferry = try Ferry(folder: folder.path)
    try await ferry.updateStore()
    #expect(try !ferry.hasStore())
    #expect(!FileManager.default.fileExists(atPath: folder.path("store")))
  }

  @Test func `A file that several accounts share needs the roadmap to say whose a row is`() throws {
    let text = try String(contentsOfFile: folder.path("ferry.yaml"), encoding: .utf8)
    try write(
      text.replacing(
        "account:\n      server: home\n      user: alice",
        with: "accounts: {server: home, users: [alice, zoe]}"),
      to: "ferry.yaml")
    let error = #expect(throws: SourceFaults.self) { try Ferry(folder: folder.path) }
    // Every entity of accounts; the log is the device's.
    #expect(error?.faults.map(\.code) == Array(repeating: "roadmap.missingAccount", count: 6))
    #expect(error?.faults.first?.message.contains("a.realm holds several accounts") == true)
    let roadmap = try String(contentsOfFile: folder.path("roadmap.yaml"), encoding: .utf8)
    try write(
      roadmap.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        line.hasPrefix("        class: ") && !line.contains("LogEntry")
          ? "\(line)\n        account: owner" : line
      }.joined(separator: "\n"), to: "roadmap.yaml")
    let ferry = try Ferry(folder: folder.path)
    #expect(ferry.source.accounts.map(\.user) == ["alice", "zoe"])
  }
}
