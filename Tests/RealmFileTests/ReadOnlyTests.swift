import Foundation
import Testing

@testable import RealmFile

@Suite("Reading leaves no trace")
struct ReadOnlyTests {
  private func listing(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let file = folder.appending(path: name)
      var status = stat()
      #expect(stat(file.path, &status) == 0)
      let digest = try Digest.sha256(of: file.path)
      #if canImport(Darwin)
        let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
      #else
        let (modified, changed) = (status.st_mtim, status.st_ctim)
      #endif
      return "\(name) \(status.st_ino) \(status.st_size) \(status.st_mode) \(modified) \(changed) \(digest)"
    }
  }

  @Test("A file and its folder are the same before and after")
  func untouched() throws {
    let folder = Fixtures.committed("app")
    let before = try listing(folder)
    for name in ["alice", "bob", "empty", "blank"] {
      _ = try RealmFile(path: folder.appending(path: "\(name).realm").path).json()
    }
    #expect(try listing(folder) == before)
  }

  @Test("A read-only file in a read-only folder reads")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Data(contentsOf: Fixtures.committed("app/alice.realm"))))
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let before = try listing(folder.url)
    _ = try RealmFile(path: path).json()
    #expect(try listing(folder.url) == before)
  }
}
