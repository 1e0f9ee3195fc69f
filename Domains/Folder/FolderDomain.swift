import FerryKernel
import FerryStore

extension Domain {
  /// Folders: held by the server, and crossing before what lies in them.
  public static let folder = Domain(
    "folder", "Folders of items",
    tables: [Folder.table.declaration],
    crossings: [
      Crossing(
        "folder", Folder.self,
        fields: LegacyField<FolderID>("id"), LegacyField<String>("name"), LegacyField<String>("type"),
        LegacyField<Int64>("sort-order"), LegacyField<FolderID?>("parent")
      ) { id, name, type, sortOrder, parent in
        Folder(id: id, name: name, type: FolderType(rawValue: type), sortOrder: sortOrder, parent: parent)
      }
    ],
    feeds: [
      // Others have seen the server's: a folder isn't renamed under their eyes a second time.
      Feed("folders", of: Folder.self, conflicts: ConflictRules(.serverWins)) { folder in
        var record: JSONObject = [
          "name": .string(folder.name), "type": .string(folder.type.rawValue),
          "sortOrder": .integer(folder.sortOrder),
        ]
        record["parent"] = folder.parent.map { .string($0.rawValue) }
        return record
      } decode: { id, record in
        Folder(
          id: id, name: try record.text("name"), type: FolderType(rawValue: try record.text("type")),
          sortOrder: try record.integer("sortOrder"), parent: try record.identifier("parent"))
      }
    ])
}
