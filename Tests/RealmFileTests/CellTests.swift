import Foundation
import Testing

@testable import RealmFile

@Suite("Cells where they lie")
struct CellTests {
  /// The value that a cell stands for.
  private func value(_ cell: RealmCell, of column: RealmColumn) -> RealmValue {
    switch cell {
    case .null: .null
    case .int(let number): .int(number)
    case .bool(let flag): .bool(flag)
    case .float(let number): .float(number)
    case .double(let number): .double(number)
    case .text(let text): text.string.map { .string($0) } ?? .invalidUTF8(text.array)
    case .binary(let data): .binary(data.array)
    case .timestamp(let seconds, let nanoseconds): .timestamp(seconds: seconds, nanoseconds: nanoseconds)
    case .objectId(let identifier): .objectId(identifier)
    case .uuid(let identifier): .uuid(identifier)
    case .decimal128(let number): .decimal128(number)
    case .link(let key): column.target.map { .link(table: $0, key: key) } ?? .null
    case .value(let value): value
    }
  }

  @Test(
    "A cell stands for the value that a row gives",
    arguments: ["app/alice", "formats/format-10", "formats/format-22", "formats/format-24"])
  func sameAsValues(name: String) throws {
    let file = try RealmFile(path: Fixtures.committed("\(name).realm").path)
    for table in file.tables {
      let rows = table.rows()
      while let row = try rows.next() {
        for (index, column) in table.columns.enumerated() {
          #expect(try value(row.cell(at: index), of: column) == row.value(at: index))
        }
      }
    }
  }

  @Test("The bytes of a cell outlive the file")
  func lifetime() throws {
    func title() throws -> RealmCell {
      let file = try RealmFile(path: Fixtures.committed("app/alice.realm").path)
      let table = try #require(file.table(className: "Setting"))
      let key = try #require(table.columnIndex(named: "key"))
      return try #require(try table.row(key: 1)).cell(at: key)
    }
    guard case .text(let text) = try title() else { throw RealmFileError.emptyFile }
    #expect(text.string == "theme" && text.count == 5)
    #expect(text.withUnsafeBytes { Array($0) } == Array("theme".utf8))
  }

  @Test("A column that the table does not have, and a link without a target")
  func edges() throws {
    var file = HandmadeFile()
    let leaf = file.integers([3])
    file.table(
      "class_A", [.init(name: "x", type: 12, attributes: 16, target: 77)],
      root: file.cluster(rows: 1, leaves: [leaf]))
    let row = try #require(try RealmFile(source: MemorySource(file.finish())).tables.first?.row(key: 0))
    guard case .null = try row.cell(at: 0) else { throw RealmFileError.emptyFile }
    #expect(try row.value(at: 0) == .null)
    #expect(throws: RealmFileError.noSuchColumn(index: 1, table: "class_A")) { _ = try row.cell(at: 1) }
  }

  @Test("Bytes are told to be UTF-8 as Swift tells it")
  func validity() {
    func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { UTF8Check.isValid($0) } }
    func expected(_ bytes: [UInt8]) -> Bool { Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes }
    var wrong: [[UInt8]] = []
    let edges: [UInt8] = [
      0, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
      0xF0,
      0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for a in edges {
      for b in edges {
        for c in edges {
          for d in edges where isValid([a, b, c, d]) != expected([a, b, c, d]) { wrong.append([a, b, c, d]) }
        }
      }
    }
    var generator = SeededGenerator(seed: 5)
    let text = Array("한글 text 🙂 é and a long tail of plain characters".utf8)
    for _ in 0..<2_000 {
      var bytes = Array(text.prefix(Int.random(in: 0...text.count, using: &generator)))
      if let place = bytes.indices.randomElement(using: &generator) {
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if isValid(bytes) != expected(bytes) { wrong.append(bytes) }
    }
    #expect(wrong.isEmpty)
  }

  @Test("Text is escaped as Python escapes it, wherever in the text the character is")
  func escapes() {
    for length in 0..<20 {
      for (character, escape) in [
        ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1F}", "\\u001f"), ("\0", "\\u0000"),
      ] {
        let (before, after) = (
          String(repeating: "é!", count: length), String(repeating: "x", count: 19 - length)
        )
        var text = JSONText()
        text.string(before + character + after)
        #expect(String(decoding: text.bytes, as: UTF8.self) == "\"" + before + escape + after + "\"")
      }
    }
    var text = JSONText()
    for number in [Int64.min, -10, -1, 0, 9, 10, .max] {
      text.integer(number)
      text.raw(" ")
    }
    #expect(
      String(decoding: text.bytes, as: UTF8.self)
        == "-9223372036854775808 -10 -1 0 9 10 9223372036854775807 ")
  }
}
