import Foundation
import Testing

@testable import RealmFile

@Suite("File layouts")
struct LayoutTests {
  private func people(base: Int = 24) -> HandmadeFile {
    var file = HandmadeFile(base: base)
    let ages = file.integers([30, -4])
    let names = file.strings(["Ann", "Bob"])
    file.table(
      "class_Person", [.init(name: "age", type: 0), .init(name: "name", type: 2)],
      root: file.cluster(rows: 2, leaves: [ages, names]))
    return file
  }

  @Test("A file with its top ref in the header and one with a footer read the same")
  func footer() throws {
    var (normal, streaming) = (people(), people())
    let expected = try RealmFile(source: MemorySource(normal.finish())).json()
    let bytes = streaming.finish(isStreaming: true)
    #expect(try RealmFile(source: MemorySource(bytes)).json() == expected)
    #expect(
      String(decoding: expected, as: UTF8.self).contains(
        "{\"key\":1,\"values\":{\"age\":-4,\"name\":\"Bob\"}}"))
  }

  @Test("A footer is found before the zeros that an old library pads with")
  func paddedFooter() throws {
    var file = people()
    let bytes = file.finish(isStreaming: true)
    let padded = bytes + [UInt8](repeating: 0, count: 4096 - bytes.count % 4096)
    #expect(try RealmFile(source: MemorySource(padded)).table(className: "Person")?.rowCount == 2)
  }

  @Test("All ones in slot 0 mean a footer only while slot 0 is active")
  func adoptedStreamingFile() throws {
    var file = people()
    var bytes = file.finish()
    for index in 0..<8 { bytes[index] = 0xFF }
    #expect(try RealmFile(source: MemorySource(bytes)).tables.count == 1)
  }

  @Test("A database that was never committed to has no tables")
  func neverCommitted() throws {
    let file = try RealmFile(path: Fixtures.committed("app/blank.realm").path)
    #expect(file.formatVersion == 0 && file.schemaVersion == nil && file.tables.isEmpty)
    try file.checkUnchanged()
  }

  @Test("A removed table's slot is passed over, and links find the table that reuses a slot")
  func vacancy() throws {
    var file = HandmadeFile()
    file.vacancy()
    let leaf = file.integers([1])
    file.table(
      "class_A", [.init(name: "x", type: 12, attributes: 16, target: 0x2_0001)],
      root: file.cluster(rows: 1, leaves: [leaf]), reuse: 2)
    let opened = try RealmFile(source: MemorySource(file.finish()))
    #expect(opened.tables.map(\.name) == ["class_A"])
    #expect(try opened.table(className: "A")?.row(key: 0)?.value(at: 0) == .link(table: "class_A", key: 0))
  }

  @Test("A file of many gigabytes costs what is touched of it")
  func sparse() throws {
    let base = 6 << 30
    var file = people(base: base)
    let (header, body) = file.parts()
    let source = MemorySource(body, at: base)
    source.pieces.append((0, header))
    let opened = try RealmFile(source: source)
    #expect(try opened.readEverything() == 4)
    #expect(source.filled < 1 << 18)
  }

  @Test("A sparse file of 64 GiB on disk reads")
  func sparseOnDisk() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Data(contentsOf: Fixtures.committed("app/alice.realm"))))
    try #require(truncate(path, 64 << 30) == 0)
    let json = try RealmFile(path: path).json()
    #expect(Data(json) == (try Data(contentsOf: Fixtures.committed("app/alice.json"))))
  }
}
