import Foundation
import Testing

@testable import RealmFile

@Suite("Declarations of formats up to 9")
struct ColumnarSchemaTests {
  private func open(_ file: HandmadeFile, format: UInt8 = 9) throws -> RealmFile {
    var file = file
    file.format = format
    return try RealmFile(source: MemorySource(file.finish()))
  }

  /// A column of two zeros.
  private func zeros(_ name: String, _ file: inout HandmadeFile) -> HandmadeFile.TreeColumn {
    .init(name: name, type: 0, root: file.integers([0, 0]))
  }

  @Test("Columns without a name and with a name taken get a number, as the library's upgrade gives them")
  func names() throws {
    var file = HandmadeFile()
    let names = ["a", "", "a", "b", "", "b"]
    file.table("class_A", trees: names.map { zeros($0, &file) })
    let table = try #require(try open(file).table(className: "A"))
    #expect(table.columns.map(\.name) == ["a", "col_1", "a_2", "b", "col_4", "b_5"])
  }

  @Test("The column of synced files' object identifiers is not the app's")
  func objectIdentifiers() throws {
    var file = HandmadeFile()
    file.table("class_A", trees: [zeros("!OID", &file), zeros("n", &file)])
    #expect(try open(file).table(className: "A")?.columns.map(\.name) == ["n"])
  }

  @Test(
    "Primary keys are named by class or by table, by name or by position",
    arguments: ["A", "class_A"], [true, false])
  func primaryKeys(owner: String, isByName: Bool) throws {
    var file = HandmadeFile()
    let property = isByName ? file.strings(["b"]) : file.integers([2])
    file.table(
      "pk",
      trees: [
        .init(name: "pk_table", type: 2, root: file.strings([owner])),
        .init(name: "pk_property", type: isByName ? 2 : 0, root: property),
      ])
    file.table("class_A", trees: [zeros("!OID", &file), zeros("a", &file), zeros("b", &file)])
    file.table("class_B", trees: [zeros("b", &file)])
    let opened = try open(file)
    #expect(opened.tables.map(\.name) == ["class_A", "class_B"])
    #expect(opened.tables.map(\.primaryKey) == [1, nil])
  }

  @Test("Interned strings are found by counting the columns that have some")
  func interned() throws {
    var file = HandmadeFile()
    let columns = (0..<2).map { index in
      HandmadeFile.TreeColumn(
        name: "s\(index)", type: 3, root: file.integers([1, 0]),
        strings: file.strings(["x\(index)", "y\(index)"]))
    }
    file.table("class_A", trees: [columns[0], zeros("n", &file), columns[1]])
    let row = try #require(try open(file).table(className: "A")?.row(key: 0))
    #expect(row.columns.map(\.type) == [.string, .int, .string])
    #expect(try row.value(at: 0) == .string("y0") && row.value(at: 2) == .string("y1"))
  }

  @Test("What the library's upgrade drops is named, and the rest reads")
  func unread() throws {
    var file = HandmadeFile()
    let mixed = file.refs([file.integers([0, 12]), file.integers([3, 3])])
    let wide = file.treeSpec([zeros("x", &file), zeros("y", &file)])
    file.table(
      "class_A",
      trees: [
        .init(name: "any", type: 6, root: mixed),
        .init(name: "sub", type: 5, root: file.refs([0, 0]), subspec: [wide]),
        .init(name: "n", type: 0, root: file.integers([1, 2])),
      ])
    let table = try #require(try open(file, format: 5).table(className: "A"))
    #expect(table.columns.map(\.name) == ["any", "n"])
    #expect(
      table.unreadColumns == [.init(name: "any", why: .oldMixed), .init(name: "sub", why: .subtable)])
    let row = try #require(try table.row(key: 1))
    #expect(try row.value(at: 0) == .null && row.value(at: 1) == .int(2))
  }

  @Test("A table without columns of its own has the rows that its backlinks say")
  func backlinksOnly() throws {
    var file = HandmadeFile()
    let slot = HandmadeFile.tagged(0)
    file.table(
      "class_A", trees: [.init(name: "", type: 14, root: file.refs([0, 0, 0]), subspec: [slot, slot])])
    let table = try #require(try open(file).table(className: "A"))
    let rows = table.rows()
    var keys: [Int64] = []
    while let row = try rows.next() { keys.append(row.key) }
    #expect(table.rowCount == 3 && keys == [0, 1, 2] && table.columns.isEmpty)
  }

  @Test("A table without any column has no rows")
  func noColumns() throws {
    var file = HandmadeFile()
    file.table("class_A", trees: [])
    let table = try #require(try open(file).table(className: "A"))
    #expect(try table.rowCount == 0 && table.rows().next() == nil)
  }

  @Test("A file that the library was interrupted in upgrading is refused with that word")
  func halfUpgraded() throws {
    var progress = HandmadeFile()
    progress.table("!UPDATE_PROGRESS", trees: [zeros("table_name", &progress)])
    var clustered = HandmadeFile()
    let leaf = clustered.integers([1])
    clustered.table("class_A", [.init(name: "x", type: 0)], root: clustered.cluster(rows: 1, leaves: [leaf]))
    for file in [progress, clustered] {
      #expect(throws: RealmFileError.halfUpgraded(9)) { _ = try open(file) }
    }
    // The other slot, which is none here, is no reason to call such a file damaged.
    for isBroken in [false, true] {
      clustered.format = 9
      var (file, bytes) = (clustered, [UInt8]())
      bytes = file.finish()
      if isBroken {
        bytes[0] = 64
        bytes[20] = 9
      }
      #expect(throws: RealmFileError.halfUpgraded(9)) { _ = try RealmFile(salvaging: MemorySource(bytes)) }
    }
    #expect(RealmFileError.halfUpgraded(9).sentence.contains("half-upgraded"))
    #expect(throws: RealmFileError.self) { _ = try open(clustered, format: 4) }
  }

  @Test(
    "The files of public repositories from before 2020 read as the library reads them after upgrading a copy",
    .enabled(if: Fixtures.hasShared, Fixtures.missingShared),
    arguments: Fixtures.goldenNames(below: "public"))
  func golden(name: String) throws {
    let url = try Fixtures.shared(name)
    let header = [UInt8](try Data(contentsOf: url).prefix(24))
    guard Array(header[16..<20]) == Array("T-DB".utf8), (2...9).contains(header[20 + Int(header[23] & 1)])
    else { return }
    #expect(try Data(RealmFile(path: url.path).json()) == Data(contentsOf: url.golden))
  }
}
