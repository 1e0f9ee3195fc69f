import FerryStore
import ItemDomain

extension ItemFilter {
  /// The same, of items that have an attachment alone. It is here because items know no attachments.
  public func withAttachment() -> ItemFilter { and { $0.has(Attachment.self, by: \.item) } }
}
