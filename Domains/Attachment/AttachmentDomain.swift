import FerryKernel
import FerryStore
import Foundation
import ItemDomain

extension Domain {
  /// Attachments: what the server says of them, and what is here of their files.
  public static let attachment = Domain(
    "attachment", "What is attached to items", dependsOn: ["item"],
    tables: [Attachment.table.declaration, AttachmentFile.table.declaration],
    changes: [.createTable("attachment_file")],
    crossings: [
      Crossing(
        "attachment", Attachment.self,
        fields: LegacyField<AttachmentID>("id"), LegacyField<ItemID?>("item"),
        LegacyField<String>("file-name"),
        LegacyField<Int64>("byte-size"), LegacyField<String>("mime-type"), LegacyField<Data?>("checksum")
      ) { id, item, fileName, byteSize, mimeType, checksum in
        Attachment(
          id: id, item: item, fileName: fileName, byteSize: byteSize, mimeType: mimeType, checksum: checksum)
      }
    ],
    feeds: [
      // Two contents under one id are two attachments: neither person's is thrown away.
      Feed(
        AttachmentDAO.feedName, of: Attachment.self,
        conflicts: ConflictRules(
          .serverWins, fields: ["byteSize": .keepBoth, "mimeType": .keepBoth, "checksum": .keepBoth])
      ) { attachment in
        var record: JSONObject = [
          "fileName": .string(attachment.fileName), "byteSize": .integer(attachment.byteSize),
          "mimeType": .string(attachment.mimeType),
        ]
        record["item"] = attachment.item.map { .string($0.rawValue) }
        record["checksum"] = attachment.checksum.map { .string($0.base64EncodedString()) }
        return record
      } decode: { id, record in
        Attachment(
          id: id, item: try record.identifier("item"), fileName: try record.text("fileName"),
          byteSize: try record.integer("byteSize"), mimeType: try record.text("mimeType"),
          checksum: try record.ifPresent("checksum").map(checksum))
      }.keepingOnlyCopies()
    ])

  private static func checksum(_ reader: JSONReader) throws -> Data {
    guard let data = Data(base64Encoded: try reader.text()) else {
      throw RowRefusal("checksum: expected base64")
    }
    return data
  }
}
