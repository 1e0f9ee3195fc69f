import Foundation
import Testing

@testable import RealmFile

@Suite("Formats up to 9")
struct ColumnarTests {
  private func open(_ file: HandmadeFile, format: UInt8 = 9) throws -> RealmFile {
    var file = file
    file.format = format
    return try RealmFile(source: MemorySource(file.finish()))
  }

  private func values(_ table: RealmTable?, _ column: Int = 0) throws -> [RealmValue] {
    let rows = try #require(table).rows()
    var values: [RealmValue] = []
    while let row = try rows.next() { values.append(try row.value(at: column)) }
    return values
  }

  @Test("Every column type reads, and indexes between columns are passed over", arguments: [UInt8(5), 9])
  func types(format: UInt8) throws {
    var file = HandmadeFile()
    let columns: [HandmadeFile.TreeColumn] = [
      .init(name: "int", type: 0, attributes: 1, root: file.integers([-5, 7])),
      .init(name: "int?", type: 0, attributes: 16, root: file.integers([9, 9, 7])),
      .init(name: "bool", type: 1, attributes: 1, root: file.integers([0, 1])),
      .init(name: "bool?", type: 1, attributes: 16, root: file.integers([3, 1, 3])),
      .init(name: "date", type: 7, root: file.integers([-1, 60])),
      .init(name: "date?", type: 7, attributes: 16, root: file.integers([60, -1, 60])),
      .init(
        name: "time?", type: 8, attributes: 16,
        root: file.timestamps(file.integers([99, -1, 99]), file.integers([-500, 4]))),
      .init(name: "double", type: 10, root: file.node(flags: 0x0C, size: 2, payload: Self.doubles)),
    ]
    file.table("class_A", trees: columns)
    let table = try open(file, format: format).table(className: "A")
    let expected: [[RealmValue]] = [
      [.int(-5), .int(7)], [.null, .int(7)], [.bool(false), .bool(true)], [.bool(true), .null],
      [.timestamp(seconds: -1, nanoseconds: 0), .timestamp(seconds: 60, nanoseconds: 0)],
      [.timestamp(seconds: -1, nanoseconds: 0), .null],
      [.timestamp(seconds: -1, nanoseconds: -500), .null], [.double(1.5), .null],
    ]
    for (column, cells) in expected.enumerated() { #expect(try values(table, column) == cells) }
    #expect(table?.columns.map(\.isNullable) == [false, true, false, true, false, true, true, false])
    #expect(table?.unreadColumns == [])
  }

  private static let doubles = HandmadeFile.bytes(0x3FF8 << 48) + HandmadeFile.bytes(0x7FF8_0000_0000_00AA)

  @Test("Strings that may be null have 0 for null, and others have no null at all")
  func strings() throws {
    var file = HandmadeFile()
    let marked = file.mediumStrings(["a", nil, ""], marks: [1, 0, 1])
    let unmarked = file.mediumStrings(["a", "", "b"], marks: nil)
    // Each column needs nodes of its own.
    func short(_ file: inout HandmadeFile) -> Int64 { file.strings([nil, [], Array("x".utf8)]) }
    func nothing(_ file: inout HandmadeFile) -> Int64 { file.node(flags: 0x08, size: 3, payload: []) }
    func long(_ file: inout HandmadeFile) -> Int64 {
      file.refs([file.blob([0x61, 0]), 0, file.blob([0])], flags: 0x20)
    }
    file.table(
      "class_A",
      trees: [
        .init(name: "marked", type: 2, attributes: 16, root: marked),
        .init(name: "unmarked", type: 2, root: unmarked),
        .init(name: "short", type: 2, root: short(&file)),
        .init(name: "short?", type: 2, attributes: 16, root: short(&file)),
        .init(name: "nothing", type: 2, root: nothing(&file)),
        .init(name: "nothing?", type: 2, attributes: 16, root: nothing(&file)),
        .init(name: "long", type: 2, root: long(&file)),
        .init(name: "long?", type: 2, attributes: 16, root: long(&file)),
      ])
    let table = try open(file).table(className: "A")
    let (null, empty) = (RealmValue.null, RealmValue.string(""))
    let expected: [[RealmValue]] = [
      [.string("a"), null, empty], [.string("a"), empty, .string("b")], [empty, empty, .string("x")],
      [null, empty, .string("x")], [empty, empty, empty], [null, null, null],
      [.string("a"), empty, empty], [.string("a"), null, empty],
    ]
    for (column, cells) in expected.enumerated() { #expect(try values(table, column) == cells) }
  }

  @Test("Links lead to rows by index, and lists of links and of values are trees in cells")
  func collections() throws {
    var file = HandmadeFile()
    let numbers = file.refs([file.integers([9, 9, 4])])
    let element = file.treeSpec([.init(name: "", type: 0, attributes: 16, root: 0)])
    let times = file.refs([file.timestamps(file.integers([99, 5]), file.integers([6]))])
    let time = file.treeSpec([.init(name: "", type: 8, root: 0)])
    let slot = HandmadeFile.tagged(0)
    file.table(
      "class_A",
      trees: [
        .init(name: "link", type: 12, root: file.integers([0, 2]), subspec: [slot]),
        .init(name: "numbers", type: 5, root: file.refs([numbers, 0]), subspec: [element]),
        .init(name: "links", type: 13, root: file.refs([0, file.integers([1, 0])]), subspec: [slot]),
        .init(name: "times", type: 5, root: file.refs([0, times]), subspec: [time]),
        .init(name: "", type: 14, root: file.refs([0, 3]), subspec: [slot, slot]),
      ])
    let table = try #require(try open(file).table(className: "A"))
    let link = { RealmValue.link(table: "class_A", key: $0) }
    #expect(try values(table, 0) == [.null, link(1)])
    #expect(try values(table, 1) == [.list([.null, .int(4)]), .list([])])
    #expect(try values(table, 2) == [.list([]), .list([link(1), link(0)])])
    #expect(try values(table, 3) == [.list([]), .list([.timestamp(seconds: 5, nanoseconds: 6)])])
    #expect(table.columns.map(\.isNullable) == [true, true, false, false])
    #expect(table.columns.map(\.target) == ["class_A", nil, "class_A", nil])
    // A cell reads twice, and a row reads by its key.
    let row = try #require(try table.row(key: 1))
    #expect(try row.value(at: 2) == row.value(at: 2))
  }

  /// A column of the numbers 0 to `count`, in leaves of these ends.
  private func tree(
    _ ends: [Int64], isCompact: Bool, _ file: inout HandmadeFile,
    _ leaf: (inout HandmadeFile, Range<Int64>) -> Int64
  ) -> Int64 {
    let bounds = zip([0] + ends, ends)
    let leaves = bounds.map { first, end in leaf(&file, first..<end) }
    let head = isCompact ? HandmadeFile.tagged(ends[0]) : file.integers(Array(ends.dropLast()))
    return file.inner([head] + leaves + [HandmadeFile.tagged(ends.last ?? 0)])
  }

  @Test(
    "Trees whose leaves differ from column to column read in step, from any row on",
    arguments: [Int64(-1), 0, 298, 299, 300, 999, 1298, 1299, 2598, 2599])
  func trees(after: Int64) throws {
    var file = HandmadeFile()
    let compact: [Int64] = [1000, 2000, 2600]
    let general: [Int64] = [300, 1299, 1300, 2250, 2600]
    let numbers = tree(compact, isCompact: true, &file) { $0.integers(Array($1)) }
    let texts = tree(general, isCompact: false, &file) { $0.strings($1.map { "\($0)" }) }
    let seconds = tree([700, 1400, 2100, 2600], isCompact: true, &file) { $0.integers([-9] + Array($1)) }
    let nanoseconds = tree(general, isCompact: false, &file) { $0.integers($1.map { 2 * $0 }) }
    file.table(
      "class_A",
      trees: [
        .init(name: "n", type: 0, root: numbers), .init(name: "s", type: 2, root: texts),
        .init(name: "t", type: 8, root: file.timestamps(seconds, nanoseconds)),
      ])
    let table = try #require(try open(file).table(className: "A"))
    #expect(table.rowCount == 2600)
    let rows = table.rows(after: after)
    var key = after + 1
    while let row = try rows.next() {
      let expected: [RealmValue] = [
        .int(key), .string("\(key)"), .timestamp(seconds: key, nanoseconds: Int32(2 * key)),
      ]
      #expect(row.key == key)
      for column in 0..<3 { #expect(try row.value(at: column) == expected[column]) }
      key += 1
    }
    #expect(key == 2600)
  }

  @Test("A tree that two columns share, and columns of different lengths, are damage")
  func inconsistent() throws {
    for lengths in [(2, 3), (3, 2)] {
      var file = HandmadeFile()
      let roots = [
        file.integers(Array(repeating: 1, count: lengths.0)),
        file.strings(Array(repeating: "", count: lengths.1)),
      ]
      file.table(
        "class_A",
        trees: [.init(name: "n", type: 0, root: roots[0]), .init(name: "s", type: 2, root: roots[1])])
      let opened = try open(file)
      #expect(throws: RealmFileError.self) { try opened.readEverything() }
    }
    var file = HandmadeFile()
    let root = file.integers([1, 2])
    file.table(
      "class_A", trees: [.init(name: "a", type: 0, root: root), .init(name: "b", type: 0, root: root)])
    let opened = try open(file)
    #expect(throws: RealmFileError.self) { try opened.readEverything() }
  }
}
