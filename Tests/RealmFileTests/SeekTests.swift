import Foundation
import Testing

@testable import RealmFile

@Suite("Seeking")
struct SeekTests {
  private func keys(_ rows: RealmRows) throws -> [Int64] {
    var keys: [Int64] = []
    while let row = try rows.next() { keys.append(row.key) }
    return keys
  }

  @Test("Rows after any key are those that filtering gives", arguments: ["app/alice", "formats/format-24"])
  func after(name: String) throws {
    let file = try RealmFile(path: Fixtures.committed("\(name).realm").path)
    for table in file.tables {
      let all = try keys(table.rows())
      #expect(all.count == table.rowCount)
      #expect(try keys(table.rows(after: -1)) == all)
      #expect(try keys(table.rows(after: .min)) == all)
      #expect(try keys(table.rows(after: .max)).isEmpty)
      let stride = max(1, all.count / 25)
      for index in Swift.stride(from: 0, to: all.count, by: stride) {
        for key in [all[index] - 1, all[index], all[index] + 1] {
          #expect(try keys(table.rows(after: key)) == all.filter { $0 > key })
        }
      }
    }
  }

  @Test(
    "A row is found by its key, and a key between rows finds none",
    arguments: ["app/alice", "formats/format-24"])
  func byKey(name: String) throws {
    let file = try RealmFile(path: Fixtures.committed("\(name).realm").path)
    var generator = SeededGenerator(seed: 11)
    for table in file.tables {
      let all = try keys(table.rows())
      let known = Set(all)
      for key in all.shuffled(using: &generator) {
        #expect(try table.row(key: key)?.key == key)
        #expect(try table.row(key: key + 1)?.key == (known.contains(key + 1) ? key + 1 : nil))
      }
      #expect(try table.row(key: -1) == nil)
      #expect(try table.row(key: .max) == nil)
    }
  }

  @Test(
    "Seeking to the end of a large table touches little of the file",
    .enabled(if: Fixtures.hasShared, Fixtures.missingShared))
  func cost() throws {
    let bytes = [UInt8](try Data(contentsOf: Fixtures.shared("large/medium.realm")))
    let all = try keys(
      try #require(try RealmFile(source: MemorySource(bytes)).table(className: "NoteSummary")).rows())
    let source = MemorySource(bytes)
    let table = try #require(try RealmFile(source: source).table(className: "NoteSummary"))
    let before = source.filled
    #expect(try keys(table.rows(after: all[all.count - 10])) == all.suffix(9))
    #expect(source.filled - before <= 1 << 19)
  }

  @Test("Rows and cursors outlive the file they came from")
  func lifetime() throws {
    func last() throws -> RealmRow {
      let file = try RealmFile(path: Fixtures.committed("app/alice.realm").path)
      return try #require(try file.table(named: "class_Setting")?.row(key: 1))
    }
    let row = try last()
    let index = try #require(row.columns.firstIndex { $0.name == "key" })
    #expect(try row.value(at: index) == .string("theme"))
  }
}
