import AttachmentDomain
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite struct `Evicting files` {
  private let desk: AttachmentDesk

  init() throws { desk = try AttachmentDesk() }

  /// Four files of 10 bytes, opened in the order of their names' numbers.
  private func filled(_ order: [Int] = [1, 2, 3, 4]) async throws -> [AttachmentID] {
    let ids = try (1...4).map { try desk.serve("\($0)", "content  \($0)") }
    for (time, number) in order.enumerated() { _ = try await desk.open(ids[number - 1], at: Int64(time)) }
    return ids
  }

  @Test func `deletes those that were opened longest ago, until the rest fits`() async throws {
    let ids = try await filled([3, 1, 4, 2])
    let eviction = try await AttachmentDAO.evict(desk.home, to: 25)
    #expect(eviction.files == 2)
    #expect((eviction.bytes, eviction.kept, eviction.unsent) == (20, 20, 0))
    var states: [AttachmentState?] = []
    for id in ids { states.append(try await desk.state(id)) }
    #expect(states == [.remote, .local, .remote, .local])
    #expect(try desk.names().count == 2)
    #expect(try AttachmentDesk.text(try await desk.open(ids[0])) == "content  1")
  }

  @Test func `to a budget that holds all deletes none`() async throws {
    _ = try await filled()
    #expect(try await AttachmentDAO.evict(desk.home, to: 40).files == 0)
    #expect(try desk.names().count == 4)
  }

  @Test func `happens after a file was fetched, and never to that one`() async throws {
    let ids = try await filled()
    let large = try desk.serve("large", String(repeating: "x", count: 100))
    let path = try await desk.open(large, at: 9, budget: 5)
    #expect(try AttachmentDesk.text(path).count == 100)
    #expect(try desk.names().count == 1)
    for id in ids { #expect(try await desk.state(id) == .remote) }
  }

  @Test func `never deletes what the server doesn't hold, whatever the budget`() async throws {
    _ = try await filled()
    let own = try await desk.add("mine alone", at: 0)
    let eviction = try await AttachmentDAO.evict(desk.home, to: 0)
    #expect((eviction.files, eviction.kept, eviction.unsent) == (4, 10, 10))
    #expect(try AttachmentDesk.text(try await desk.open(own.id)) == "mine alone")
    // Its record is on the server by now, the file isn't.
    let record: JSONObject = [
      "fileName": "a.txt", "byteSize": 10, "mimeType": "text/plain", "item": .string(desk.item.rawValue),
      "checksum": .string(try #require(own.checksum).base64EncodedString()),
    ]
    try AttachmentDesk.pull(own.id.rawValue, record, to: desk.home)
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 0)
  }

  @Test func `leaves content that one attachment's server has and another's hasn't`() async throws {
    let held = try desk.serve("x", "same")
    _ = try await desk.open(held)
    let own = try await desk.add("same")
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 0)
    try await AttachmentDAO.remove(desk.home, [own.id])
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 1)
    #expect(try desk.names().isEmpty)
  }

  @Test func `leaves what came from a server that has it no more`() async throws {
    let id = try desk.serve("x", "content")
    let path = try await desk.open(id)
    let record: JSONObject = [
      "fileName": "b.txt", "byteSize": 7, "mimeType": "text/plain", "item": .string(desk.item.rawValue),
    ]
    try AttachmentDesk.pull("x", record, to: desk.home, revision: 2)
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 0)
    #expect(try await desk.open(id) == path)
  }

  @Test func `while others open and add loses nothing`() async throws {
    let ids = try await filled()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for round in 0..<12 {
        group.addTask { try await AttachmentDAO.evict(desk.home, to: 0) }
        group.addTask { _ = try await desk.open(ids[round % 4], at: Int64(round)) }
        group.addTask { _ = try await desk.add("own \(round % 3)") }
      }
      try await group.waitForAll()
    }
    #expect(try await AttachmentDAO.verify(desk.home).faults.isEmpty)
    #expect(try await AttachmentDAO.orphans(desk.home).isEmpty)
    #expect(try await AttachmentDAO.usage(desk.home).unsent == 15)
  }
}

@Suite struct `Verifying files` {
  private let desk: AttachmentDesk

  init() throws { desk = try AttachmentDesk() }

  private func damage(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[0] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
  }

  @Test func `reads each once and says what is missing and what is damaged`() async throws {
    let ids = try ["1", "2", "3"].map { try desk.serve($0, "content \($0)", named: "file \($0)") }
    for id in ids { _ = try await desk.open(id) }
    let own = try await desk.add("content 1")
    #expect(try await AttachmentDAO.verify(desk.home).files == 3)
    #expect(try await AttachmentDAO.verify(desk.home).bytes == 27)
    try damage(try await desk.open(ids[0]))
    try FileManager.default.removeItem(atPath: try await desk.open(ids[1]))
    let found = try await AttachmentDAO.verify(desk.home)
    #expect(found.files == 3)
    #expect(found.bytes == 9)
    #expect(
      Set(found.faults.map { "\($0.id) \($0.fileName) \($0.kind) \($0.isHeld)" }) == [
        "1 file 1 damaged true", "2 file 2 missing true", "\(own.id) a.txt damaged false",
      ])
    for id in ids { #expect(try await desk.state(id) == .local) }
  }

  @Test func `repairs: what the server holds is fetched again, an only copy is kept and said to be damaged`()
    async throws
  {
    let id = try desk.serve("1", "content", named: "theirs")
    try damage(try await desk.open(id))
    let own = try await desk.add("only copy")
    let path = try await desk.open(own.id)
    try damage(path)
    #expect(try await AttachmentDAO.verify(desk.home, repairing: true).faults.count == 2)
    #expect(try await desk.state(id) == .remote)
    #expect(try AttachmentDesk.text(try await desk.open(id)) == "content")
    #expect(try await desk.state(own.id) == .failed)
    #expect(FileManager.default.fileExists(atPath: path))
    #expect(try await AttachmentDAO.entry(desk.home, own.id)?.file?.reason == "The only copy is damaged.")
    // Brought back from a backup, it is well again.
    try Data("only copy".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await desk.open(own.id) == path)
    #expect(try await desk.state(own.id) == .local)
    #expect(try await AttachmentDAO.verify(desk.home).faults.isEmpty)
  }

  @Test func `finds orphans both ways, and removes those that are nobody's`() async throws {
    let id = try desk.serve("1", "content")
    _ = try await desk.open(id)
    let deleted = try desk.serve("2", "theirs")
    _ = try await desk.open(deleted)
    try AttachmentDesk.pull("2", nil, to: desk.home, revision: 2)
    let own = try await desk.add("gone")
    try FileManager.default.removeItem(atPath: try await desk.open(own.id))
    let folder = AttachmentDAO.folder(of: desk.home)
    let stray = String(repeating: "ab", count: 32)
    for name in [
      stray, "notes.txt", "incoming/\(stray).part", "incoming/\(stray).part.etag", "incoming/add-x",
    ] {
      try Data("stray".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let found = try await AttachmentDAO.orphans(desk.home)
    #expect(
      found.files.map(\.name) == [
        stray, "notes.txt", "incoming/\(stray).part", "incoming/\(stray).part.etag", "incoming/add-x",
      ])
    #expect(found.files.allSatisfy { $0.byteSize == 5 })
    #expect(found.withoutFile == [own.id])
    #expect(found.withoutAttachment == [deleted])
    _ = try await AttachmentDAO.removeOrphans(desk.home)
    let left = try await AttachmentDAO.orphans(desk.home)
    #expect(left.files.isEmpty && left.withoutAttachment.isEmpty)
    #expect(left.withoutFile == [own.id])
    #expect(try desk.names().count == 1)
    #expect(try await AttachmentDAO.orphans(desk.work).isEmpty)
  }
}
