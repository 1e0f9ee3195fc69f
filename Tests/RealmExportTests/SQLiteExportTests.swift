import Foundation
import RealmExport
import RealmFile
import Testing

@Suite("SQLite")
struct SQLiteExportTests {
  private func export(_ file: RealmFile, classes: [String] = [], into folder: TemporaryFolder) throws -> (
    SQLiteReader, ExportOutcome
  ) {
    let target = try AtomicFile(path: folder.path("out.db"))
    let outcome = try RealmExport(of: file, classes: classes).writeSQLite(to: target.partialPath)
    try target.commit()
    return (try SQLiteReader(folder.path("out.db")), outcome)
  }

  @Test("A database is sound, has every row, and nothing beside it", arguments: Fixtures.names)
  func soundness(name: String) throws {
    let folder = try TemporaryFolder()
    let (database, outcome) = try export(Fixtures.file(name), into: folder)
    #expect(try folder.names() == ["out.db"])
    #expect(try database.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try database.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(outcome.danglingLinks == 0 && outcome.repeatedKeys.isEmpty)
    for (table, golden) in try Fixtures.tables(name) where table.hasPrefix("class_") {
      let name = String(table.dropFirst(6))
      #expect(
        try database.rows("SELECT _key FROM \"\(name)\" ORDER BY _key") == golden.rows.map { ["\($0.key)"] })
    }
    let strict = try database.rows(
      "SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite_%'"
    )
    #expect(strict == [["0"]])
  }

  @Test("The same file gives the same bytes")
  func deterministic() throws {
    let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
    _ = try export(Fixtures.file("formats/format-24"), into: one)
    _ = try export(Fixtures.file("formats/format-24"), into: two)
    #expect(try one.data("out.db") == two.data("out.db"))
  }

  @Test(
    "Values are exact: texts with NUL, decomposed Hangul and bytes; numbers at their ends; null apart from empty"
  )
  func values() throws {
    let folder = try TemporaryFolder()
    let (database, _) = try export(Fixtures.file("formats/format-24"), into: folder)
    let tables = try Fixtures.tables("formats/format-24")
    for column in ["stringCol", "stringOpt", "stringLong", "stringLongOpt", "stringEmpty"] {
      let stored = try database.blobs("SELECT CAST(\(column) AS BLOB) FROM AllTypes ORDER BY _key")
      let golden = try #require(tables["class_AllTypes"]).rows.map {
        ($0.values[column] as? String).map { Array($0.utf8) }
      }
      #expect(stored == golden, "\(column)")
    }
    for column in ["intCol", "w64", "n64"] {
      let stored = try database.rows("SELECT \(column) FROM AllTypes ORDER BY _key").map { $0[0] }
      #expect(
        stored
          == tables["class_AllTypes"]?.rows.map {
            ($0.values[column] as? NSNumber).map { "\($0.int64Value)" }
          })
    }
    let binary = try database.blobs("SELECT binaryOpt FROM AllTypes ORDER BY _key")
    #expect(
      binary
        == tables["class_AllTypes"]?.rows.map {
          (($0.values["binaryOpt"] as? [String: Any])?["$binary"] as? String).flatMap {
            Data(base64Encoded: $0)
          }.map { Array($0) }
        })
    #expect(try database.rows("PRAGMA user_version") == [["7"]])
  }

  @Test("Collections are tables of their owners' keys")
  func collections() throws {
    let folder = try TemporaryFolder()
    let (database, _) = try export(Fixtures.file("formats/format-24"), into: folder)
    let golden = try #require(try Fixtures.tables("formats/format-24")["class_AllTypes"])
    for property in ["listInt", "listStringOpt", "setInt", "listLink", "setMixed", "listMixed"] {
      let stored = try database.rows(
        "SELECT owner, count(*), max(position) + 1 FROM AllTypes_\(property) GROUP BY owner ORDER BY owner")
      let expected = golden.rows.compactMap { row -> [String]? in
        let count = (row.values[property] as? [Any])?.count ?? 0
        return count == 0 ? nil : ["\(row.key)", "\(count)", "\(count)"]
      }
      #expect(stored == expected, "\(property)")
    }
    for property in ["dictIntOpt", "dictLink", "dictMixed"] {
      let stored = try database.rows(
        "SELECT owner, key, value IS NULL FROM AllTypes_\(property) ORDER BY owner, key")
      let expected = golden.rows.flatMap { row in
        (row.values[property] as? [String: Any] ?? [:]).sorted {
          $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        }
        .map { ["\(row.key)", $0.key, $0.value is NSNull ? "1" : "0"] }
      }
      #expect(stored == expected, "\(property)")
    }
    let links = try database.rows(
      "SELECT count(*) FROM AllTypes_listLink l JOIN NoteSummary n ON n._key = l.value")
    #expect(links == (try database.rows("SELECT count(*) FROM AllTypes_listLink")))
  }

  @Test("Keys and links have indexes, links are foreign keys, and one class alone refers to none")
  func keys() throws {
    let folder = try TemporaryFolder()
    let (database, _) = try export(Fixtures.file("app/alice"), into: folder)
    #expect(
      try database.rows("SELECT \"table\", \"to\" FROM pragma_foreign_key_list('NoteSummary')") == [
        ["NoteContainer", "_key"]
      ])
    #expect(
      try database.rows("SELECT name, \"unique\" FROM pragma_index_list('NoteSummary') ORDER BY name")
        == [["NoteSummary_by_container", "0"], ["NoteSummary_by_id", "1"]])
    let other = try TemporaryFolder()
    let (alone, outcome) = try export(Fixtures.file("app/alice"), classes: ["NoteSummary"], into: other)
    #expect(try alone.rows("SELECT count(*) FROM pragma_foreign_key_list('NoteSummary')") == [["0"]])
    #expect(
      try alone.rows("SELECT count(container) FROM NoteSummary WHERE typeof(container) = 'integer'") != [
        ["0"]
      ])
    #expect(outcome.rows == 300)
  }

  @Test("Names that SQL, SQLite or the export itself would stumble on are quoted, told apart and kept")
  func hostileNames() throws {
    var database = SmallDatabase()
    let names = [
      "a\"b", "A\"B", "x'); DROP TABLE y;--", "sqlite_master", "", "nul\0l", "select", "a.b", "ü", "u\u{308}",
    ]
    for name in names {
      let columns = ["_key", "_KEY", "\"", "]", "select", "", "a\0b", "Same", "same", "rowid"].map {
        SmallDatabase.Column($0, .ints([7]))
      }
      database.add(
        "class_" + name, rows: 1, primaryKey: 2, columns + [.init("list", .linkLists([[0]], table: 0))])
    }
    // A class that bears the name that a collection's table would have.
    database.add("class_select_list", rows: 1, [.init("v", .ints([3]))])
    let folder = try TemporaryFolder()
    let file = try folder.open(database)
    let target = try AtomicFile(path: folder.path("out.db"))
    let outcome = try RealmExport(of: file).writeSQLite(to: target.partialPath)
    try target.commit()
    let reader = try SQLiteReader(folder.path("out.db"))
    #expect(outcome.classes.count == names.count + 1)
    #expect(try reader.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try reader.rows("PRAGMA foreign_key_check").isEmpty)
    for entry in outcome.classes.dropLast() {
      let place = try #require(entry.place).replacing("\"", with: "\"\"")
      #expect(try reader.rows("SELECT * FROM \"\(place)\"") == [["0"] + Array(repeating: "7", count: 10)])
    }
    #expect(try reader.rows("SELECT v FROM select_list") == [["3"]])
  }

  @Test("A NaN, an infinity and a negative zero are told from null and from each other")
  func fractions() throws {
    var database = SmallDatabase()
    database.add("class_T", rows: 5, [.init("x", .doubles([.nan, .infinity, -.infinity, -0.0, 0.1]))])
    let folder = try TemporaryFolder()
    let (reader, _) = try export(folder.open(database), into: folder)
    #expect(
      try reader.rows("SELECT typeof(x) FROM T ORDER BY _key") == [
        ["text"], ["real"], ["real"], ["real"], ["real"],
      ])
    #expect(try reader.rows("SELECT x FROM T WHERE typeof(x) = 'text'") == [["NaN"]])
    #expect(
      try reader.doubles("SELECT x FROM T WHERE typeof(x) = 'real' ORDER BY _key").map(\.bitPattern)
        == [Double.infinity, -.infinity, -0.0, 0.1].map(\.bitPattern))
  }

  @Test(
    "Links of a damaged file that lead nowhere are cut and counted; a key twice costs the index its uniqueness"
  )
  func unsoundFile() throws {
    var database = SmallDatabase()
    database.add(
      "class_T", rows: 3, primaryKey: 0,
      [
        .init("id", .ints([5, 5, 6])), .init("next", .links([1, 99, nil], table: 0)),
        .init("all", .linkLists([[0, 98, 2], [], [97]], table: 0)),
      ])
    let folder = try TemporaryFolder()
    let (reader, outcome) = try export(folder.open(database), into: folder)
    #expect(outcome.danglingLinks == 3)
    #expect(outcome.repeatedKeys == ["T"])
    #expect(try reader.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try reader.rows("SELECT next FROM T ORDER BY _key") == [["1"], [nil], [nil]])
    #expect(try reader.rows("SELECT owner, value FROM T_all") == [["0", "0"], ["0", "2"]])
  }
}
