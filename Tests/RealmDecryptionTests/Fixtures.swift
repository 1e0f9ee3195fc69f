import Foundation
import RealmFile
import Testing

@testable import RealmDecryption

/// The encrypted files of this repository, and those that lie beside it.
enum Fixtures {
  /// The folder of this file, also where the build reached it through a link.
  private static let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  private static let folder = here.deletingLastPathComponent().appending(path: "Fixtures/realm/encrypted")

  static let names = ["tiny-encrypted", "tiny-encrypted-writecopy"]

  static func file(_ name: String) -> URL { folder.appending(path: name + ".realm") }
  static let golden = folder.appending(path: "tiny-encrypted.json")
  static let keyFile = folder.appending(path: "KEY.hex")

  static func key() throws -> RealmKey { try RealmKey.read(file: keyFile.path).key }

  /// The folder beside the repository, or wherever FERRY_SHARED says; nil where it is missing.
  static let shared: URL? = {
    let folder =
      ProcessInfo.processInfo.environment["FERRY_SHARED"].map { URL(fileURLWithPath: $0) }
      ?? here.appending(path: "../../../shared").standardizedFileURL
    let realm = folder.appending(path: "fixtures/realm/public")
    return FileManager.default.fileExists(atPath: realm.path) ? realm : nil
  }()
  static let missingShared: Comment = "the shared fixtures are not beside this repository"
}

extension RealmFile {
  /// The canonical text of the whole file.
  func json() throws -> [UInt8] {
    var utf8: [UInt8] = []
    try writeJSON { utf8.append(contentsOf: $0) }
    return utf8
  }
}

/// A folder for one test, removed when the test lets go of it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "RealmDecryptionTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      Issue.record("could not remove \(url.path): \(error)")
    }
  }

  func write(_ bytes: [UInt8], to name: String = "test.realm") throws -> String {
    let file = url.appending(path: name)
    try Data(bytes).write(to: file)
    return file.path
  }
}
