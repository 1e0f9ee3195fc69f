import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit

/// Two accounts of one user name on two servers, each with an item of the same key, and the servers' files.
struct AttachmentDesk {
  let accounts: GoldenAccounts
  let source = ScriptedSource()
  /// For files of the device.
  let folder: GoldenFolder
  let item: ItemID
  private let random = Locked(SplitMix64(seed: 0xf11e))

  var home: AccountStore { accounts.home }
  var work: AccountStore { accounts.work }

  init() throws {
    accounts = try GoldenAccounts([.folder, .item, .attachment])
    folder = try GoldenFolder()
    item = try AttachmentDesk.item("i")
    for account in [accounts.home, accounts.work] {
      try account.blockingWrite(origin: .server) { try $0.insert(AttachmentDesk.record(item)) }
    }
  }

  static func item(_ id: String) throws -> ItemID {
    guard let id = ItemID(id) else { throw GoldenFault("\(id) is a placeholder") }
    return id
  }

  static func record(_ id: ItemID) -> Item {
    Item(
      id: id, remoteID: nil, folder: nil, title: "t", preview: nil, isRead: false, isStarred: nil,
      updatedAt: Timestamp(nanoseconds: 1), score: nil, tags: [])
  }

  /// A file of the device.
  func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    return folder.path(name)
  }

  /// Attaches a text.
  @discardableResult
  func add(
    _ text: String, named name: String = "a.txt", to account: AccountStore? = nil, at time: Int64 = 1,
    files: FileOperations = FileOperations()
  ) async throws -> Attachment {
    var generator = random.withLock { random in
      defer { _ = random.next() }
      return random
    }
    return try await AttachmentDAO.add(
      account ?? home, file: try file(UUID().uuidString, text), to: item, named: name,
      at: Timestamp(nanoseconds: time), using: &generator, files: files)
  }

  /// An attachment as a pull brings it, with its file on the server.
  @discardableResult
  func serve(
    _ id: String, _ text: String, named name: String = "b.txt", to account: AccountStore? = nil,
    revision: Int64 = 1, checksum: Data? = nil
  ) throws -> AttachmentID {
    try AttachmentDesk.serve(
      id, text, named: name, to: account ?? home, of: item, source, revision: revision, checksum: checksum)
  }

  @discardableResult
  static func serve(
    _ id: String, _ text: String, named name: String = "b.txt", to account: AccountStore, of item: ItemID,
    _ source: ScriptedSource, revision: Int64 = 1, checksum: Data? = nil
  ) throws -> AttachmentID {
    let file = source.put(text)
    var record: JSONObject = [
      "item": .string(item.rawValue), "fileName": .string(name),
      "byteSize": .integer(Int64(text.utf8.count)), "mimeType": "text/plain",
      "attachment": .object(file.json),
    ]
    record["checksum"] = checksum.map { .string($0.base64EncodedString()) }
    return try pull(id, record, to: account, revision: revision)
  }

  /// A record as a pull brings it.
  @discardableResult
  static func pull(_ id: String, _ record: JSONObject?, to account: AccountStore, revision: Int64 = 1) throws
    -> AttachmentID
  {
    guard let feed = Domain.attachment.feeds.first, let key = AttachmentID(id) else {
      throw GoldenFault("no feed")
    }
    try account.blockingWrite(origin: .server) { transaction in
      let remote = RemoteRecord(id: id, revision: revision, content: record)
      let applied = try feed.apply(remote, transaction)
      guard [.written, .unchanged, .deleted].contains(applied) else {
        throw GoldenFault("\(id) was not taken: \(applied)")
      }
    }
    return key
  }

  func open(
    _ id: AttachmentID, of account: AccountStore? = nil, at time: Int64 = 1,
    budget: Int64 = AttachmentDAO.defaultBudget, files: FileOperations = FileOperations()
  ) async throws -> String {
    try await AttachmentDAO.open(
      account ?? home, id, from: source, at: Timestamp(nanoseconds: time), budget: budget, files: files)
  }

  func state(_ id: AttachmentID, of account: AccountStore? = nil) async throws -> AttachmentState? {
    try await AttachmentDAO.entry(account ?? home, id)?.state
  }

  /// The names of an account's files, without those that only locks have.
  func names(of account: AccountStore? = nil) throws -> [String] {
    try AttachmentDesk.names(of: account ?? home)
  }

  static func names(of account: AccountStore) throws -> [String] {
    let path = AttachmentDAO.folder(of: account)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter {
      !$0.hasPrefix(".") && $0 != "incoming"
    }.sorted()
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }
}
