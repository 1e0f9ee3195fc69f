import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct `A deletion on the server` {
  private let desk: AttachmentDesk
  private let attachments: Feed
  private let items: Feed
  private var home: AccountStore { desk.home }

  init() throws {
    desk = try AttachmentDesk()
    attachments = try #require(Domain.attachment.feeds.first)
    items = try #require(Domain.itemWithAttachments.feeds.first)
  }

  private func apply(_ id: String, _ content: JSONObject?, _ feed: Feed, revision: Int64) throws -> Applied {
    try home.blockingWrite(origin: .server) { transaction in
      try feed.apply(RemoteRecord(id: id, revision: revision, content: content), transaction)
    }
  }

  private func decision(_ applied: Applied) -> Settlement.Decision? {
    if case .conflict(let settlement) = applied { settlement.decision } else { nil }
  }

  /// A record as the server gets it.
  private func record(_ id: String, of feed: Feed) throws -> JSONObject {
    let record = try home.blockingRead { try feed.encode(id, $0) }
    return try #require(record)
  }

  private func item(_ title: String) throws -> JSONObject {
    var record = try record(desk.item.rawValue, of: items)
    record["title"] = .string(title)
    return record
  }

  private func outbox() async throws -> [String] {
    try await home.read { try $0.outbox() }.filter { $0.table == "attachment" }.map {
      "\($0.operation) \($0.key) \($0.base)"
    }
  }

  @Test func `of an attachment whose file is nowhere but here is a conflict, and it stays`() async throws {
    let own = try await desk.add("mine alone")
    let record = try record(own.id.rawValue, of: attachments)
    #expect(try apply(own.id.rawValue, record, attachments, revision: 1) == .unchanged)
    #expect(try decision(apply(own.id.rawValue, nil, attachments, revision: 2)) == .kept)
    try await AttachmentDAO.tidy(home, at: .max)
    #expect(try AttachmentDesk.text(try await desk.open(own.id)) == "mine alone")
    #expect(try await outbox() == ["put \(own.id) absent"])
    // What the server has had goes.
    let held = try desk.serve("held", "theirs")
    _ = try await desk.open(held)
    #expect(try apply("held", nil, attachments, revision: 2) == .deleted)
  }

  @Test func `of an item that was edited here leaves what is attached to it, too`() async throws {
    _ = try apply(desk.item.rawValue, item("old"), items, revision: 1)
    try desk.serve("a", "one")
    try desk.serve("b", "two")
    try await home.write { [id = desk.item] transaction in
      var item = try #require(try transaction.find(Item.self, id))
      item.title = "edited"
      try transaction.update(item)
    }
    #expect(try decision(apply(desk.item.rawValue, nil, items, revision: 2)) == .kept)
    #expect(try decision(apply("a", nil, attachments, revision: 3)) == .kept)
    #expect(try await AttachmentDAO.list(home, of: desk.item).map(\.id.rawValue) == ["a", "b"])
    #expect(try await outbox() == ["put a absent", "put b revision(1)"])
  }

  @Test func `isn't made of what is attached to an item that was deleted here and edited there`() async throws
  {
    _ = try apply(desk.item.rawValue, item("old"), items, revision: 1)
    try desk.serve("a", "one")
    let edited = try item("edited")
    try await ItemDAO.deleteWithAttachments(home, [desk.item], at: Timestamp(nanoseconds: 1))
    #expect(try await outbox() == ["delete a revision(1)"])
    #expect(try decision(apply(desk.item.rawValue, edited, items, revision: 2)) == .kept)
    #expect(try await AttachmentDAO.list(home, of: desk.item).map(\.id.rawValue) == ["a"])
    #expect(try await outbox().isEmpty)
  }

  @Test func `or here of an item alone leaves attachments that a person finds and removes`() async throws {
    _ = try apply(desk.item.rawValue, item("old"), items, revision: 1)
    try desk.serve("a", "one")
    let lost = try AttachmentDesk.item("refused")
    try AttachmentDesk.serve("b", "two", to: home, of: lost, desk.source)
    try await home.write(origin: .server) {
      try $0.setRemoteState(RemoteState(revision: 1, json: "{}"), of: Item.self, lost)
    }
    #expect(try await AttachmentDAO.orphans(home).withoutItem.isEmpty)
    try await home.write { [id = desk.item] in _ = try $0.delete(Item.self, id) }
    #expect(try await AttachmentDAO.orphans(home).withoutItem.map(\.rawValue) == ["a"])
    _ = try apply(desk.item.rawValue, nil, items, revision: 2)
    try await AttachmentDAO.tidy(home, at: .max)
    #expect(try await AttachmentDAO.removeOrphans(home).withoutItem.map(\.rawValue) == ["a"])
    #expect(try await outbox() == ["delete a revision(1)"])
    // That one's item is on the server, where it can't be read.
    #expect(try await AttachmentDAO.entries(home).map(\.attachment.id.rawValue) == ["b"])
  }

  @Test func `of the record alone leaves a file that is found where it was`() async throws {
    let file = desk.source.put("content")
    let record: JSONObject = [
      "fileName": "b.txt", "byteSize": 7, "mimeType": "text/plain", "item": .string(desk.item.rawValue),
      "formerAttachment": .object(file.json),
    ]
    let id = try AttachmentDesk.pull("x", record, to: home)
    #expect(try AttachmentDesk.text(try await desk.open(id)) == "content")
    // And goes to where it belongs.
    let outcomes = try await AttachmentDAO.sendFiles(home, through: desk.source)
    #expect(outcomes.map(\.outcome) == [.sent])
  }
}
