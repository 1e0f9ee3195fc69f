import AttachmentDomain
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@Suite struct `Sending files` {
  private let desk: AttachmentDesk

  init() throws { desk = try AttachmentDesk() }

  private func send() async throws -> [AttachmentDAO.Sent] {
    try await AttachmentDAO.sendFiles(desk.home, through: desk.source).map(\.outcome)
  }

  /// The attachment's record as the server has it after a push.
  private func push(_ attachment: Attachment) async throws {
    let record: JSONObject = [
      "fileName": .string(attachment.fileName), "byteSize": .integer(attachment.byteSize),
      "mimeType": .string(attachment.mimeType), "item": .string(desk.item.rawValue),
      "checksum": .string(try #require(attachment.checksum).base64EncodedString()), "more": 7,
    ]
    try AttachmentDesk.pull(attachment.id.rawValue, record, to: desk.home)
  }

  @Test func `waits for the record, sends once, and may be evicted then`() async throws {
    let own = try await desk.add("mine", named: "m/../n.txt")
    #expect(try await send() == [.waiting])
    try await push(own)
    desk.source.refuseUploads(true)
    #expect(try await send() == [.failed(code: "scripted", reason: "The line is dead.")])
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 0)
    desk.source.refuseUploads(false)
    #expect(try await send() == [.sent])
    #expect(try await send() == [])
    #expect(desk.source.uploads == ["alice@home attachments/\(own.id) m_.._n.txt text/plain"])
    let state = try #require(try await desk.home.read { try $0.remoteState(of: Attachment.self, own.id) })
    // The rest of the record is the next pull's to tell.
    #expect(state.revision == 1)
    let json = try JSONValue.parse(text: try #require(state.json))
    #expect(json["attachment"]?["hash"]?.stringValue == own.checksum.flatMap(BlobHash.init)?.rawValue)
    #expect(json["more"]?.integerValue == 7)
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 1)
    #expect(try await desk.home.read { try $0.outboxCount() } == 0)
  }

  @Test func `doesn't replace another file that the server has`() async throws {
    let own = try await desk.add("mine")
    try await push(own)
    func server(_ file: JSONObject?) async throws {
      try await desk.home.write(origin: .server) { transaction in
        var record: JSONObject = ["fileName": "a.txt", "byteSize": 1, "mimeType": "text/plain"]
        record["attachment"] = file.map { .object($0) }
        let json = try JSONValue.object(record).text()
        try transaction.setRemoteState(RemoteState(revision: 3, json: json), of: Attachment.self, own.id)
      }
    }
    try await server(desk.source.put("theirs").json)
    let reason = "The server has another file for it."
    #expect(try await send() == [.held(reason: reason, isNew: true)])
    #expect(try await send() == [.held(reason: reason, isNew: false)])
    #expect(desk.source.uploads.isEmpty)
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 0)
    #expect(try AttachmentDesk.text(try await desk.open(own.id)) == "mine")
    // The other one is gone.
    try await server(nil)
    #expect(try await send() == [.sent])
  }

  @Test func `that the server doesn't take waits for a person to say so`() async throws {
    let own = try await desk.add("mine")
    try await push(own)
    desk.source.takeNone(true)
    #expect(try await send() == [.held(reason: "The line is dead.", isNew: true)])
    #expect(try await send() == [.held(reason: "The line is dead.", isNew: false)])
    #expect(desk.source.attempts == 1)
    #expect(try await AttachmentDAO.entries(desk.home).map(\.file?.reason) == ["The line is dead."])
    // A look at it changes nothing of that.
    #expect(try AttachmentDesk.text(try await desk.open(own.id)) == "mine")
    #expect(try await send() == [.held(reason: "The line is dead.", isNew: false)])
    desk.source.takeNone(false)
    let outcomes = try await AttachmentDAO.sendFiles(desk.home, through: desk.source, retrying: true)
    #expect(outcomes.map(\.outcome) == [.sent])
    #expect(try await AttachmentDAO.entries(desk.home).map(\.file?.reason) == [nil])
  }

  @Test func `leaves to the next pull what others changed of the record meanwhile`() async throws {
    let own = try await desk.add("mine")
    try await push(own)
    #expect(try await send() == [.sent])
    // Acknowledged while the file was on its way, and so below the revision that the file made.
    let record: JSONObject = [
      "fileName": "renamed.txt", "byteSize": 4, "mimeType": "text/plain", "item": .string(desk.item.rawValue),
      "checksum": .string(try #require(own.checksum).base64EncodedString()),
      "attachment": .object(desk.source.put("mine").json),
    ]
    try AttachmentDesk.pull(own.id.rawValue, record, to: desk.home, revision: 2)
    #expect(try await AttachmentDAO.find(desk.home, own.id)?.fileName == "renamed.txt")
  }

  @Test func `of a record that is gone waits for the sync that says so`() async throws {
    try await push(try await desk.add("mine"))
    desk.source.fail(as: .noRecord)
    #expect(try await send() == [.waiting])
  }

  @Test func `begins with the small ones, and tries no other where it would fare the same`() async throws {
    for text in ["the largest of all", "middling", "tiny"] { try await push(try await desk.add(text)) }
    let dead = AttachmentDAO.Sent.failed(code: "scripted", reason: "The line is dead.")
    desk.source.fail(as: .passing)
    #expect(try await send() == [dead, dead, dead])
    #expect(desk.source.attempts == 3)
    desk.source.fail(as: .everyFile)
    #expect(try await send() == [dead, dead, dead])
    #expect(desk.source.attempts == 4)
    desk.source.refuseUploads(false)
    let sent = try await AttachmentDAO.sendFiles(desk.home, through: desk.source).map(\.id)
    let sizes = try await desk.home.read { snapshot in
      try sent.map { try snapshot.find(Attachment.self, $0)?.byteSize }
    }
    #expect(sizes == [4, 8, 18])
  }

  @Test
  func `never sends a damaged file, which stays here whatever the server has, and goes once it is whole`()
    async throws
  {
    let own = try await desk.add("only copy")
    try await push(own)
    let path = try await desk.open(own.id)
    try Data("only c0py".utf8).write(to: URL(fileURLWithPath: path))
    let damaged = "The only copy is damaged."
    #expect(try await send() == [.held(reason: damaged, isNew: true)])
    #expect(try await send() == [.held(reason: damaged, isNew: false)])
    #expect(desk.source.attempts == 0)
    // An earlier build may have sent the damaged bytes.
    let pushed = try #require(try await desk.home.read { try $0.remoteState(of: Attachment.self, own.id) })
    var record = try #require(try JSONValue.parse(text: pushed.json ?? "").objectValue)
    record["attachment"] = .object(desk.source.put("only c0py").json)
    let json = try JSONValue.object(record).text()
    try await desk.home.write(origin: .server) {
      try $0.setRemoteState(RemoteState(revision: 2, json: json), of: Attachment.self, own.id)
    }
    #expect(try await AttachmentDAO.verify(desk.home, repairing: true).faults.map(\.isHeld) == [false])
    try await AttachmentDAO.tidy(desk.home, at: .max)
    #expect(try await desk.open(own.id) == path)
    #expect(try await desk.state(own.id) == .failed)
    try Data("only copy".utf8).write(to: URL(fileURLWithPath: path))
    try await desk.home.write(origin: .server) {
      try $0.setRemoteState(pushed, of: Attachment.self, own.id)
    }
    #expect(try await send() == [.sent])
    #expect(try await desk.state(own.id) == .local)
  }

  @Test func `that a server has had sends those again whose records name no file any more`() async throws {
    let id = try desk.serve("x", "content")
    _ = try await desk.open(id)
    #expect(try await send().isEmpty)
    let record: JSONObject = [
      "fileName": "b.txt", "byteSize": 7, "mimeType": "text/plain", "item": .string(desk.item.rawValue),
    ]
    try AttachmentDesk.pull("x", record, to: desk.home, revision: 2)
    #expect(try await desk.home.read { try AttachmentDAO.unsentFiles($0).count } == 1)
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 0)
    #expect(try await send() == [.sent])
    #expect(try await AttachmentDAO.evict(desk.home, to: 0).files == 1)
  }
}
