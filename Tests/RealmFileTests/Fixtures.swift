import Foundation
import Testing

@testable import RealmFile

/// The `.realm` files that tests read: those in this repository, and a larger set that lies beside it.
enum Fixtures {
  /// Files of the repository.
  static let committed = here.deletingLastPathComponent().appending(path: "Fixtures/realm")

  /// The folder beside the repository, or wherever FERRY_SHARED says; nil where it is missing.
  static let shared: URL? = {
    let folder =
      ProcessInfo.processInfo.environment["FERRY_SHARED"].map { URL(fileURLWithPath: $0) }
      ?? here.appending(path: "../../../shared").standardizedFileURL
    let realm = folder.appending(path: "fixtures/realm")
    return FileManager.default.fileExists(atPath: realm.path) ? realm : nil
  }()

  static let hasShared = shared != nil
  static let missingShared: Comment = "the shared fixtures are not beside this repository"

  /// The folder of this file, also where the build reached it through a link.
  private static let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static func committed(_ name: String) -> URL {
    committed.appending(path: name)
  }

  static func shared(_ name: String) throws -> URL {
    try #require(shared).appending(path: name)
  }

  /// The `.realm` files below a folder of the shared fixtures that have a golden text beside them.
  static func goldenNames(below folder: String) -> [String] {
    guard let root = shared else { return [] }
    let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    return (names?.allObjects as? [String] ?? [])
      .filter { $0.hasSuffix(".realm") }
      .map { "\(folder)/\($0)" }
      .sorted()
  }
}

extension RealmFile {
  /// The canonical text of the whole file.
  func json() throws -> [UInt8] {
    var utf8: [UInt8] = []
    try writeJSON { utf8.append(contentsOf: $0) }
    return utf8
  }

  /// Reads every cell and forgets it. Returns the number of cells.
  @discardableResult
  func readEverything() throws(RealmFileError) -> Int {
    var cells = 0
    for table in tables {
      let rows = table.rows()
      while let row = try rows.next() {
        for column in 0..<table.columns.count {
          _ = try row.value(at: column)
          cells += 1
        }
      }
    }
    return cells
  }
}

extension URL {
  /// The golden text that lies beside a `.realm` file.
  var golden: URL { deletingPathExtension().appendingPathExtension("json") }
}

/// A folder for one test, removed when the test lets go of it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "RealmFileTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
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
