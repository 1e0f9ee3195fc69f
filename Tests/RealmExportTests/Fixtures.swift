import Foundation
import RealmExport
import RealmFile
import Testing

/// The files of this repository, and what the library that wrote them says of them.
enum Fixtures {
  /// The folder of this file, also where the build reached it through a link.
  private static let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent()
  private static let folder = here.deletingLastPathComponent().appending(path: "Fixtures/realm")

  static let names = ["app/alice", "app/bob", "app/empty", "app/blank", "formats/format-24"]

  static func path(_ name: String) -> String { folder.appending(path: name + ".realm").path }
  static func file(_ name: String) throws -> RealmFile { try RealmFile(path: path(name)) }
  static func golden(_ name: String) throws -> Data {
    try Data(contentsOf: folder.appending(path: name + ".json"))
  }

  /// The rows of a canonical document, each as its text.
  static func rows(of document: Data) -> [Data] {
    document.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard line.starts(with: Data(#"{"key":"#.utf8)) else { return nil }
      // Behind a row comes a comma, or the end of its table and perhaps of the document.
      var row = Data(line)
      while row.suffix(2) != Data("}}".utf8) { row.removeLast() }
      return row
    }
  }

  /// The tables of the golden document, by name.
  static func tables(_ name: String) throws -> [String: GoldenTable] {
    let document = try JSONSerialization.jsonObject(with: golden(name)) as? [String: Any]
    let tables = (document?["tables"] as? [[String: Any]] ?? []).map { GoldenTable($0) }
    return Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0) })
  }
}

/// A table of a golden document.
struct GoldenTable {
  let name: String
  let rows: [(key: Int64, values: [String: Any])]

  init(_ json: [String: Any]) {
    name = json["name"] as? String ?? ""
    rows = (json["rows"] as? [[String: Any]] ?? []).map {
      (($0["key"] as? NSNumber)?.int64Value ?? -1, $0["values"] as? [String: Any] ?? [:])
    }
  }
}

/// A folder for one test, removed when the test lets go of it.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "RealmExportTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      Issue.record("could not remove \(url.path): \(error)")
    }
  }

  func path(_ name: String) -> String { url.appending(path: name).path }
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appending(path: name)) }
}

/// A form of export, and its bytes.
func gathered(_ write: (@escaping RealmExport.Write) throws -> Void) throws -> Data {
  var data = Data()
  try write { data.append(contentsOf: $0) }
  return data
}
