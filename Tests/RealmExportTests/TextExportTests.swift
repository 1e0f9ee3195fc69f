import Foundation
import RealmExport
import RealmFile
import Testing

@Suite("JSON and NDJSON")
struct TextExportTests {
  @Test("The JSON of a whole file is the golden document", arguments: Fixtures.names)
  func wholeFile(name: String) throws {
    let export = try RealmExport(of: Fixtures.file(name))
    #expect(try gathered { _ = try export.writeJSON(to: $0) } == Fixtures.golden(name))
  }

  @Test(
    "The JSON of all tables by name is the golden document too",
    arguments: Fixtures.names.filter { $0 != "app/blank" })
  func allTables(name: String) throws {
    let file = try Fixtures.file(name)
    let export = try RealmExport(of: file, classes: file.tables.map(\.name))
    #expect(try gathered { _ = try export.writeJSON(to: $0) } == Fixtures.golden(name))
  }

  @Test("The JSON of one class is its lines of the golden document")
  func oneClass() throws {
    let export = try RealmExport(of: Fixtures.file("app/alice"), classes: ["NoteSummary"])
    let data = try gathered { _ = try export.writeJSON(to: $0) }
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let tables = try #require(document["tables"] as? [[String: Any]])
    #expect(tables.count == 1)
    #expect(tables.first?["name"] as? String == "class_NoteSummary")
    #expect(tables.first?["primary_key"] as? String == "id")
    let rows = Fixtures.rows(of: data)
    #expect(rows.count == 300)
    #expect(Set(rows).isSubset(of: Fixtures.rows(of: try Fixtures.golden("app/alice"))))
  }

  @Test("NDJSON has every row of every class once, in order", arguments: Fixtures.names)
  func ndjson(name: String) throws {
    let export = try RealmExport(of: Fixtures.file(name))
    var rows = 0
    let data = try gathered { rows = try export.writeNDJSON(to: $0).rows }
    let lines = data.split(separator: UInt8(ascii: "\n"))
    let golden = Set(Fixtures.rows(of: try Fixtures.golden(name)))
    #expect(lines.count == rows)
    var keys: [String: [Int64]] = [:]
    for line in lines {
      let parsed = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      let name = try #require(parsed["class"] as? String)
      keys[name, default: []].append(try #require(parsed["key"] as? NSNumber).int64Value)
      #expect(golden.contains(Data("{".utf8) + line.dropFirst(#"{"class":"\#(name)","#.utf8.count)))
    }
    for (table, golden) in try Fixtures.tables(name) where table.hasPrefix("class_") {
      #expect(keys[String(table.dropFirst(6))] ?? [] == golden.rows.map(\.key))
    }
  }

  @Test("A class that the file lacks is named, with those that it has")
  func noSuchClass() throws {
    #expect {
      try RealmExport(of: Fixtures.file("app/alice"), classes: ["Note"])
    } throws: { error in
      guard case ExportError.noSuchClass("Note", let known) = error else { return false }
      return known.contains("NoteSummary") && !known.contains("metadata")
    }
  }

  @Test("Progress goes up to the number of rows, and ends what it throws at")
  func progress() throws {
    for form in 0..<3 {
      var export = try RealmExport(of: Fixtures.file("app/alice"))
      var seen: [ExportProgress] = []
      export.progress = { seen.append($0) }
      func write(_ export: RealmExport) throws {
        _ = try gathered { write in
          switch form {
          case 0: _ = try export.writeJSON(to: write)
          case 1: _ = try export.writeNDJSON(to: write)
          default: for index in export.classes.indices { _ = try export.writeCSV(ofClass: index, to: write) }
          }
        }
      }
      try write(export)
      #expect(seen.map(\.done) == seen.map(\.done).sorted())
      #expect(seen.last.map { $0.done == $0.of && $0.of >= 436 } == true)
      export.progress = { _ in throw CancellationError() }
      #expect(throws: CancellationError.self) { try write(export) }
    }
  }
}
