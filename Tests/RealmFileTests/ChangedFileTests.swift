import Foundation
import Testing

@testable import RealmFile

@Suite("A file that changes under the reader")
struct ChangedFileTests {
  private func open() throws -> (MemorySource, RealmFile) {
    let bytes = [UInt8](try Data(contentsOf: Fixtures.committed("app/alice.realm")))
    let source = MemorySource(bytes)
    return (source, try RealmFile(source: source))
  }

  @Test("An unchanged file stays unchanged, also when it has grown")
  func unchanged() throws {
    let (source, file) = try open()
    try file.checkUnchanged()
    source.sizeNow += 4096
    try file.checkUnchanged()
  }

  @Test("A commit is noticed: any of the 24 header bytes")
  func commit() throws {
    let (source, file) = try open()
    for index in 0..<24 {
      source.pieces[0].bytes[index] ^= 1
      #expect(throws: RealmFileError.changedWhileReading) { try file.checkUnchanged() }
      source.pieces[0].bytes[index] ^= 1
    }
    try file.checkUnchanged()
  }

  @Test("A new top node at the old place is noticed")
  func recycledTop() throws {
    let (source, file) = try open()
    let slot = 8 * Int(source.pieces[0].bytes[23] & 1)
    let top = (0..<8).reversed().reduce(0) { $0 << 8 | Int(source.pieces[0].bytes[slot + $1]) }
    source.pieces[0].bytes[top + 8] ^= 8
    #expect(throws: RealmFileError.changedWhileReading) { try file.checkUnchanged() }
  }

  @Test("A file cut short while it is read is an error and not a crash")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Data(contentsOf: Fixtures.committed("app/alice.realm"))))
    let file = try RealmFile(path: path)
    try #require(truncate(path, 4096) == 0)
    #expect(throws: RealmFileError.changedWhileReading) { try file.checkUnchanged() }
    #expect(throws: RealmFileError.changedWhileReading) { try file.readEverything() }
  }

  @Test("Nonsense that another process wrote is told as a change")
  func nonsense() throws {
    let (source, file) = try open()
    source.pieces[0].bytes[8] ^= 8
    for index in 24..<source.pieces[0].bytes.count { source.pieces[0].bytes[index] = 0xFF }
    #expect(throws: RealmFileError.changedWhileReading) { try file.readEverything() }
  }
}
