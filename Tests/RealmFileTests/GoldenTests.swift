import Foundation
import Testing

@testable import RealmFile

@Suite("Golden files")
struct GoldenTests {
  @Test(
    "An app's files read byte for byte as the library reads them",
    arguments: ["app/alice", "app/bob", "app/empty", "app/blank", "formats/format-24"])
  func committed(name: String) throws {
    let url = Fixtures.committed("\(name).realm")
    let json = try RealmFile(path: url.path).json()
    #expect(Data(json) == (try Data(contentsOf: url.golden)))
  }

  @Test(
    "An app's files of older formats read as the library reads them after upgrading a copy",
    arguments: ["formats/format-10", "formats/format-22", "formats/format-23"])
  func committedOlder(name: String) throws {
    try Self.compare(
      RealmFile(path: Fixtures.committed("\(name).realm").path), Fixtures.committed("\(name).json"))
  }

  @Test(
    "Every format from 2 to 24 reads as the library reads it after upgrading a copy",
    .enabled(if: Fixtures.hasShared, Fixtures.missingShared),
    arguments: Fixtures.goldenNames(below: "formats") + Fixtures.goldenNames(below: "public"))
  func shared(name: String) throws {
    let url = try Fixtures.shared(name)
    guard let file = try Self.open(url) else { return }
    try Self.compare(file, url.golden)
  }

  private static func compare(_ file: RealmFile, _ golden: URL) throws {
    let actual = try JSONSerialization.jsonObject(with: Data(try file.json()))
    let expected = try JSONSerialization.jsonObject(with: Data(contentsOf: golden))
    let left = try #require(comparable(actual))
    let right = try #require(comparable(expected))
    #expect(left == right)
  }

  @Test(
    "Large tables have the rows that the library reads",
    .enabled(if: Fixtures.hasShared, Fixtures.missingShared))
  func large() throws {
    struct Summary: Decodable {
      struct Table: Decodable {
        var name: String
        var row_count: Int
        var rows_sha256: String
      }
      var tables: [Table]
    }
    let url = try Fixtures.shared("large/medium.realm")
    let summary = try JSONDecoder().decode(
      Summary.self, from: Data(contentsOf: Fixtures.shared("large/medium.summary.json")))
    let file = try RealmFile(path: url.path)
    #expect(file.tables.map(\.name) == summary.tables.map(\.name))
    let folder = try TemporaryFolder()
    for expected in summary.tables {
      let table = try #require(file.table(named: expected.name))
      #expect(table.rowCount == expected.row_count)
      var text: [UInt8] = []
      var count = 0
      let rows = table.rows()
      while let row = try rows.next() {
        try row.appendJSON(to: &text)
        text.append(UInt8(ascii: "\n"))
        count += 1
      }
      #expect(count == expected.row_count)
      #expect(try Digest.sha256(of: folder.write(text)) == expected.rows_sha256, "\(expected.name)")
    }
  }

  /// The file, or nil where refusing it is right: encryption.
  private static func open(_ url: URL) throws -> RealmFile? {
    do throws(RealmFileError) {
      return try RealmFile(path: url.path)
    } catch {
      if error == .encrypted, url.path.contains("decrypt") { return nil }
      throw error
    }
  }

  /// Rows as sorted text: sets and asymmetric tables differ where the library upgrades older files.
  private static func comparable(_ document: Any) -> [String]? {
    guard let document = document as? [String: Any], let tables = document["tables"] as? [[String: Any]]
    else {
      return nil
    }
    var lines = ["\(document["file_format"] ?? "") \(document["schema_version"] ?? "")"]
    for table in tables {
      guard let columns = table["columns"] as? [[String: Any]] else { return nil }
      let sets = Set(
        columns.filter { $0["collection"] as? String == "set" }.compactMap { $0["name"] as? String })
      var declaration = table
      declaration["rows"] = nil
      lines.append(text(declaration))
      guard table["asymmetric"] == nil, let rows = table["rows"] as? [[String: Any]] else { continue }
      for row in rows {
        guard let values = row["values"] as? [String: Any] else { return nil }
        let cells = values.map { name, value in
          let elements =
            sets.contains(name) ? (value as? [Any])?.map(text).sorted().joined(separator: ",") : nil
          return "\(name)=\(elements ?? text(value))"
        }
        lines.append("\(row["key"] ?? "") \(cells.sorted())")
      }
    }
    return lines
  }

  private static func text(_ value: Any) -> String {
    do {
      let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
      return String(
        decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }
}

/// SHA-256 by the system's own tool, so that the test needs no library.
enum Digest {
  static func sha256(of path: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sha256sum", path]
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output.prefix(64), as: UTF8.self)
  }
}
