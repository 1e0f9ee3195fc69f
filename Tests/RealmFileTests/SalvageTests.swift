import Foundation
import Testing

@testable import RealmFile

@Suite("Salvage")
struct SalvageTests {
  private let bytes: [UInt8]
  private let whole: SalvageReport

  init() throws {
    bytes = [UInt8](try Data(contentsOf: Fixtures.committed("app/alice.realm")))
    whole = try RealmFile(salvaging: MemorySource(bytes)).salvageReport()
  }

  /// What is left after a change to the bytes.
  private func salvage(_ change: (inout [UInt8]) throws -> Void) throws -> (
    file: RealmFile, report: SalvageReport
  ) {
    var bytes = bytes
    try change(&bytes)
    let file = try RealmFile(salvaging: MemorySource(bytes))
    return (file, try file.salvageReport())
  }

  /// The ref of the root of a table's rows.
  private func root(of className: String) throws -> Int {
    let table = try #require(try RealmFile(source: MemorySource(bytes)).table(className: className))
    guard case .clusters(let root) = table.layout.rows else { throw RealmFileError.emptyFile }
    return Int(root)
  }

  private func slot(_ index: Int, of ref: Int) throws -> Int {
    let file = try RealmFile(source: MemorySource(bytes))
    let snapshot = file.snapshot
    return Int(try snapshot.node(at: Int64(ref), claims: nil).refs("a node")[index])
  }

  @Test("Of a whole file nothing is lost, and it reads the same")
  func nothingLost() throws {
    #expect(whole.isComplete && whole.lostCells == 0 && whole.lostRows == 0)
    let file = try RealmFile(source: MemorySource(bytes))
    #expect(try whole.cells == file.readEverything())
    #expect(try RealmFile(salvaging: MemorySource(bytes)).json() == file.json())
  }

  @Test("Ordinary reading of a damaged file ends in an error where salvage goes on")
  func lostLeaf() throws {
    let root = try root(of: "NoteSummary")
    let first = try slot(3, of: root)
    var broken = bytes
    broken[first + 4] = 0x18
    #expect(throws: RealmFileError.self) { try RealmFile(source: MemorySource(broken)).readEverything() }
    let (_, report) = try salvage { $0[first + 4] = 0x18 }
    let table = try #require(report.tables.first { $0.name == "class_NoteSummary" })
    let before = try #require(whole.tables.first { $0.name == "class_NoteSummary" })
    let lost = try #require(table.lostRows)
    #expect(lost > 0 && lost <= 256 && table.rows == before.rows - lost && table.lostCells == 0)
    #expect(report.tables.filter { !$0.isComplete }.map(\.name) == ["class_NoteSummary"])
    #expect(table.causes.count == 2)
  }

  @Test("A column's leaf that is lost costs the cells of that leaf, which read as null")
  func lostColumnLeaf() throws {
    let cluster = try slot(3, of: root(of: "NoteSummary"))
    let leaf = try slot(1, of: cluster)
    let (file, report) = try salvage { bytes in
      for index in 5..<8 { bytes[leaf + index] = 0 }
      bytes[leaf + 7] = 1
    }
    #expect(report.lostRows == 0 && report.lostCells > 1 && report.lostCells <= 256)
    #expect(report.cells == whole.cells - report.lostCells)
    let row = try #require(try file.table(className: "NoteSummary")?.rows().next())
    let lost = try row.columns.indices.filter { try row.isLost(at: $0) }
    #expect(lost.count == 1)
    for column in lost { #expect(try row.value(at: column) == .null) }
  }

  @Test("A header without its mnemonic, a cut end and lost names do not hide the tables")
  func header() throws {
    let mnemonic = try salvage { for index in 16..<20 { $0[index] ^= 0xFF } }.report
    #expect(mnemonic.cells == whole.cells && mnemonic.cause == .notARealmFile && !mnemonic.isComplete)
    let cut = try salvage { $0.removeLast(4096) }.report
    #expect(cut.cause?.code == "realm.damaged" && cut.tables.count == whole.tables.count)
    let names = try slot(0, of: top())
    let fewer = try salvage { $0[names + 7] = 2 }.report
    #expect(fewer.tables.map(\.name) == whole.tables.map(\.name))
    let none = try salvage { $0[names + 4] = 0x18 }.report
    #expect(none.cells == whole.cells && none.tables.allSatisfy { $0.name.hasPrefix("unnamed_") })
  }

  private func top() throws -> Int {
    Int(Header.word(bytes, at: 8 * Int(bytes[23] & 1)))
  }

  @Test("Where the top node is lost, the snapshot before is read and named as older")
  func otherSlot() throws {
    let top = try top()
    let report = try salvage { $0[top + 4] = 0 }.report
    #expect(report.cause != nil && !report.isComplete)
    #expect(report.rows > 0 && report.tables.allSatisfy(\.isFromOlderSnapshot))
  }

  @Test("Where both top refs are lost, a search finds a top node")
  func search() throws {
    let report = try salvage { for index in 0..<16 { $0[index] = 0xEE } }.report
    #expect(report.tables.map(\.name) == whole.tables.map(\.name))
    #expect(report.cells == whole.cells)
  }

  @Test("A table whose declaration is lost is counted, and the others read")
  func lostTable() throws {
    let list = try slot(1, of: top())
    let table = try slot(2, of: list)
    let report = try salvage { $0[table + 4] = 0 }.report
    let older = report.tables.filter(\.isFromOlderSnapshot)
    #expect(report.lostTables.count + older.count == 1)
    #expect(report.tables.count + report.lostTables.count == whole.tables.count)
  }

  @Test("Formats up to 9 lose the rest of a column, and no more")
  func columns() throws {
    var file = HandmadeFile()
    file.format = 9
    let leaves = (0..<3).map { file.integers(Array(repeating: $0, count: 100)) }
    let tree = file.inner([HandmadeFile.tagged(100)] + leaves + [HandmadeFile.tagged(300)])
    let whole = file.integers(Array(0..<300))
    file.table(
      "class_A", trees: [.init(name: "a", type: 0, root: tree), .init(name: "b", type: 0, root: whole)])
    var bytes = file.finish()
    bytes[Int(leaves[1]) + 4] = 0x18
    #expect(throws: RealmFileError.self) { try RealmFile(source: MemorySource(bytes)).readEverything() }
    let report = try RealmFile(salvaging: MemorySource(bytes)).salvageReport()
    #expect(report.rows == 300 && report.lostCells == 200 && report.cells == 400)
  }

  @Test("A small file in which everything is lost many times over is soon done with")
  func bounded() throws {
    var file = HandmadeFile()
    let clusters = (0..<200).map { _ in file.cluster(rows: 256, leaves: []) }
    let counts = [0, HandmadeFile.tagged(1), HandmadeFile.tagged(200 * 256)]
    let columns = (0..<100).map { HandmadeFile.Column(name: "c\($0)", type: 0) }
    file.table("class_A", columns, root: file.inner(counts + clusters))
    let bytes = file.finish()
    let report = try RealmFile(salvaging: MemorySource(bytes)).salvageReport()
    #expect(report.cells == 0 && report.lostCells > 0 && report.lostCells <= bytes.count / 8 * 256 + 25_600)
    #expect(report.tables.first?.lostRows == 200 * 256 - report.rows)
  }

  @Test("What is not damage is refused as ever")
  func refused() throws {
    #expect(throws: RealmFileError.emptyFile) { _ = try RealmFile(salvaging: MemorySource([])) }
    #expect(throws: RealmFileError.notARealmFile) {
      _ = try RealmFile(salvaging: MemorySource(Array(repeating: 0x41, count: 8192)))
    }
    #expect(throws: RealmFileError.unsupportedFormat(25)) {
      _ = try salvage { $0[20 + Int($0[23] & 1)] = 25 }
    }
  }
}
