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
}
