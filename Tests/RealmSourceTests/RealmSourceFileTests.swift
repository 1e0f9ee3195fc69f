import FerryKernel
import FerryStore
import Foundation
import RealmSource
import TestKit
import Testing

/// The files themselves: what they are, and what is wrong with them.
@Suite struct RealmSourceFileTests {
  private let account = RealmRowTests.account

  @Test(
    "The manifest tells a file by its path, size, hash and schema version", arguments: RealmRowTests.documents
  )
  func manifest(_ path: String) throws {
    let file = Golden.repository.appendingPathComponent("Tests/Fixtures/realm/\(path).realm").path
    let manifest = try RealmRowTests.source(path).manifest(of: account)
    let (size, sha256) = try FileOperations().digest(of: file)
    #expect(
      manifest
        == LegacyManifest(
          path: file, size: size, sha256: sha256, schemaVersion: try GoldenDocument(path).schemaVersion))
    #expect(size == Int64(try Data(contentsOf: URL(fileURLWithPath: file)).count))
  }

  @Test("A file that was never used has no class")
  func blank() throws {
    #expect(try RealmRowTests.source("app/blank").classes(of: account).isEmpty)
    #expect(try RealmRowTests.source("app/empty").classes(of: account).allSatisfy { $0.rowCount == 0 })
  }

  @Test("A missing, a damaged and a foreign file are refused by name, and nothing is made")
  func badFiles() throws {
    let folder = try GoldenFolder()
    let good = try Data(contentsOf: Golden.folder.appendingPathComponent("alice.realm"))
    let files: [(name: String, content: Data?)] = [
      ("missing", nil), ("cut", good.prefix(good.count / 2)), ("zero", Data(count: 4096)),
      ("text", Data("not a realm".utf8)),
    ]
    for (name, content) in files {
      let path = folder.path("\(name).realm")
      try content?.write(to: URL(fileURLWithPath: path))
      let source = RealmSource([(account, path)])
      let error = #expect(throws: LegacyFileError.self, "\(name)") {
        for found in try source.classes(of: account) {
          try source.forEachRow(of: found.name, account: account, properties: nil, after: nil) { _ in }
        }
      }
      #expect(error?.sentence.contains(path) == true, "\(name): \(error?.sentence ?? "")")
      #expect(error?.code.isEmpty == false && error?.remedy.isEmpty == false, "\(name)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "cut.realm", "text.realm", "zero.realm",
      ])
  }

  @Test("A file of a kind that isn't there fails a crossing before anything is written")
  func crossing() async throws {
    let folder = try GoldenFolder()
    let rig = try LibraryRig(RealmSource([(account, folder.path("missing.realm"))]))
    try withExtendedLifetime(rig.open()) {}
    let before = try rig.dump()
    await #expect(throws: LegacyFileError.self) { try await rig.cross() }
    #expect(try rig.dump() == before)
  }

  @Test("An account, a class and a property that aren't there are named")
  func unknownNames() throws {
    let source = RealmRowTests.source("app/alice")
    #expect(throws: KernelError.noLegacyFile(LibraryRows.bob)) { try source.classes(of: LibraryRows.bob) }
    #expect(throws: KernelError.noLegacyFile(LibraryRows.bob)) { try source.manifest(of: LibraryRows.bob) }
    #expect(throws: KernelError.malformed(path: "Nothing", why: "the file has no such class")) {
      try source.rows(of: "Nothing")
    }
    #expect(throws: KernelError.malformed(path: "Setting", why: "it has no property colour")) {
      try source.rows(of: "Setting", ["key", "colour"])
    }
  }

  @Test("A file that another process changes while it is read is refused")
  func changesMeanwhile() throws {
    let folder = try GoldenFolder()
    let path = folder.path("a.realm")
    try FileManager.default.copyItem(
      atPath: Golden.folder.appendingPathComponent("alice.realm").path, toPath: path)
    let source = RealmSource([(account, path)])
    let other = try Data(contentsOf: Golden.folder.appendingPathComponent("bob.realm"))
    #expect(throws: LegacyFileError.self) {
      var rows = 0
      try source.forEachRow(of: "Setting", account: account, properties: nil, after: nil) { _ in
        rows += 1
        if rows == 1 { try other.write(to: URL(fileURLWithPath: path)) }
      }
    }
  }

  @Test("Reading leaves no trace: neither beside the file nor in it")
  func leavesNoTrace() throws {
    let folder = try GoldenFolder()
    let path = folder.path("a.realm")
    try FileManager.default.copyItem(
      atPath: Golden.folder.appendingPathComponent("alice.realm").path, toPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    let source = RealmSource([(account, path)])
    let before = try source.manifest(of: account)
    for found in try source.classes(of: account) { _ = try source.rows(of: found.name) }
    #expect(try source.manifest(of: account) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.realm"])
  }
}
