import FerryKernel
import FerryStore
import Foundation
import ItemDomain

/// What is known of a file that belongs to an item. The file itself is not here.
public struct Attachment: Record, Equatable {
  public typealias Key = AttachmentID
  public let id: AttachmentID
  /// nil: it belongs to none.
  public var item: ItemID?
  public var fileName: String
  /// In bytes.
  public var byteSize: Int64
  public var mimeType: String
  /// SHA-256 of the content; nil: not known.
  public var checksum: Data?

  public init(
    id: AttachmentID, item: ItemID?, fileName: String, byteSize: Int64, mimeType: String, checksum: Data?
  ) {
    (self.id, self.item, self.fileName) = (id, item, fileName)
    (self.byteSize, self.mimeType, self.checksum) = (byteSize, mimeType, checksum)
  }

  public static let table = Table<Attachment>(
    "attachment", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("item", \.item, to: Item.self), Column("file_name", \.fileName),
    Column("byte_size", \.byteSize), Column("mime_type", \.mimeType), Column("checksum", \.checksum),
    make: Attachment.init(id:item:fileName:byteSize:mimeType:checksum:))

  /// By what is stored. Swift's own `==` takes some texts as equal that aren't, and an observer would miss them.
  public static func == (left: Attachment, right: Attachment) -> Bool { table.areEqual(left, right) }
}

public typealias AttachmentID = Identifier<Attachment>
