import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit

/// The golden rows as the records they must become.
enum LegacyItems {
  /// The items, by the bytes of their keys.
  static func items(of user: String) throws -> [Item] {
    try Golden(user).rows(of: "NoteSummary").map(item).sorted { precedes($0.id.rawValue, $1.id.rawValue) }
  }

  /// The drafts, by the bytes of their keys.
  static func drafts(of user: String) throws -> [Draft] {
    let drafts = try Golden(user).rows(of: "Draft").map { row in
      Draft(
        id: try row.key("uuid"), item: try row.target("item"), title: try row.text("title"),
        body: try row.text("body"), createdAt: try row.time("createdAt"), updatedAt: try row.time("updatedAt")
      )
    }
    return drafts.sorted { precedes($0.id.rawValue, $1.id.rawValue) }
  }

  /// A record of the server's.
  static func item(_ id: ItemID, _ record: JSONReader) throws -> Item {
    Item(
      id: id, remoteID: try record.ifPresent("remoteID")?.integer(),
      folder: try record.ifPresent("folder").flatMap { FolderID(try $0.text()) },
      title: try record.text("title"),
      preview: try record.ifPresent("preview")?.text(), isRead: try record.bool("isRead"),
      isStarred: try record.ifPresent("isStarred")?.bool(),
      updatedAt: Timestamp(nanoseconds: try record.integer("updatedAt")),
      score: try record.ifPresent("score")?.number(), tags: try record.items("tags").map { try $0.text() })
  }

  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func item(_ row: Golden.Row) throws -> Item {
    let remote = try row.integer("remoteItemID")
    let folder = try row.target("container") ?? FolderID("i\(try row.integer("containerRowID"))")
    return Item(
      id: try row.key("id"), remoteID: remote == 0 ? nil : remote, folder: folder,
      title: try row.text("title"),
      preview: try row.ifAny("preview", row.text), isRead: try row.flag("isRead"),
      isStarred: try row.ifAny("isStarred", row.flag), updatedAt: try row.time("updatedAt"),
      score: try row.ifAny("score", row.number), tags: try row.texts("tags"))
  }
}
