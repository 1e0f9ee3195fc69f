import FerryKernel
import FerryStore
import FolderDomain

extension Domain {
  /// Items and drafts. The server holds the items, but for those that were never sent; drafts are only here.
  public static let item = Domain(
    "item", "Items, and drafts of them", dependsOn: ["folder"],
    tables: [Item.table.declaration, Draft.table.declaration],
    changes: [
      .createMembers(of: "tags", in: "item"), .createSearch(in: "item"),
      .createIndex(on: "item", ["folder", "is_read", "updated_at"]),
      .createIndex(on: "item", ["folder", "is_starred", "updated_at"]),
      .createIndex(on: "item", ["updated_at"]), .createIndex(on: "item", ["is_read", "updated_at"]),
      .createIndex(on: "item", ["is_starred", "updated_at"]),
    ],
    unfinished: [Draft.table.declaration],
    crossings: [itemCrossing, draftCrossing],
    feeds: [itemFeed])

  private static let itemCrossing = Crossing(
    "item", Item.self,
    fields: LegacyField<ItemID>("id"), LegacyField<Int64>("remote-id"), LegacyField<LegacyKey?>("folder"),
    LegacyField<Int64?>("folder-row"), LegacyField<String>("title"), LegacyField<String?>("preview"),
    LegacyField<Bool>("is-read"), LegacyField<Bool?>("is-starred"), LegacyField<Timestamp>("updated-at"),
    LegacyField<Double?>("score"), LegacyField<[String]>("tags"),
    latest: { $0.updatedAt }
  ) { id, remoteID, folder, folderRow, title, preview, isRead, isStarred, updatedAt, score, tags in
    // Old builds wrote only the number of the folder's row; newer ones the link as well.
    let folderKey = folder ?? folderRow.map { .integer($0) }
    return Item(
      id: id, remoteID: remoteID == 0 ? nil : remoteID, folder: folderKey.flatMap(FolderID.init(legacy:)),
      title: title, preview: preview, isRead: isRead, isStarred: isStarred, updatedAt: updatedAt,
      score: score,
      tags: tags)
  }

  private static let draftCrossing = Crossing(
    "draft", Draft.self,
    fields: LegacyField<DraftID>("id"), LegacyField<ItemID?>("item"), LegacyField<String>("title"),
    LegacyField<String>("body"), LegacyField<Timestamp>("created-at"), LegacyField<Timestamp>("updated-at"),
    latest: { $0.updatedAt }
  ) { id, item, title, body, createdAt, updatedAt in
    Draft(id: id, item: item, title: title, body: body, createdAt: createdAt, updatedAt: updatedAt)
  }

  private static let itemFeed = Feed(
    "items", of: Item.self,
    conflicts: ConflictRules(.latest(by: "updatedAt"), fields: ["remoteID": .serverWins, "tags": .union])
  ) { item in
    var record: JSONObject = [
      "title": .string(item.title), "isRead": .bool(item.isRead),
      "updatedAt": .integer(item.updatedAt.nanoseconds), "tags": .array(item.tags.map { .string($0) }),
    ]
    record["remoteID"] = item.remoteID.map { .integer($0) }
    record["folder"] = item.folder.map { .string($0.rawValue) }
    record["preview"] = item.preview.map { .string($0) }
    record["isStarred"] = item.isStarred.map { .bool($0) }
    record["score"] = item.score.map { .number($0) }
    return record
  } decode: { id, record in
    Item(
      id: id, remoteID: try record.ifPresent("remoteID")?.integer(), folder: try record.identifier("folder"),
      title: try record.text("title"), preview: try record.ifPresent("preview")?.text(),
      isRead: try record.bool("isRead"), isStarred: try record.ifPresent("isStarred")?.bool(),
      updatedAt: Timestamp(nanoseconds: try record.integer("updatedAt")),
      score: try record.ifPresent("score")?.number(), tags: try record.items("tags").map { try $0.text() })
  }
}
