import FerryKernel
import FerryStore
import ItemDomain

// What a server's deletion mustn't take along.

extension Feed {
  /// The attachments' feed. An attachment whose file nobody but this device has counts as edited here where the server
  /// deletes it: whoever did that has never seen the file.
  func keepingOnlyCopies() -> Feed {
    var feed = self
    let apply = self.apply
    feed.apply = { record, context, transaction in
      if record.content == nil, let id = AttachmentID(record.id),
        let file = try transaction.find(AttachmentFile.self, id), try transaction.isOnlyHere(file)
      {
        try AttachmentDAO.keep(id, against: record, context, transaction)
      }
      return try apply(record, context, transaction)
    }
    return feed
  }

  /// The items' feed. Where an item outlives its deletion because somebody edited it, what is attached to it does, too.
  func keepingAttachments() -> Feed {
    var feed = self
    let apply = self.apply
    feed.apply = { record, context, transaction in
      let applied = try apply(record, context, transaction)
      if case .conflict(let settlement) = applied, settlement.decision == .kept, let id = ItemID(record.id),
        try transaction.canWrite(Attachment.self)
      {
        if record.content == nil {
          try AttachmentDAO.keep(of: id, transaction)
        } else {
          try AttachmentDAO.takeBack(of: id, transaction)
        }
      }
      return applied
    }
    return feed
  }
}

extension Domain {
  /// Items, whose feed looks after attachments: it is here because items know none.
  public static let itemWithAttachments = Domain(
    Domain.item.name, Domain.item.summary, dependsOn: Domain.item.dependsOn, tables: Domain.item.tables,
    changes: Domain.item.changes, unfinished: Domain.item.unfinished, crossings: Domain.item.crossings,
    feeds: Domain.item.feeds.map { $0.keepingAttachments() })
}

extension AttachmentDAO {
  /// Makes an attachment one that was edited here, so that the server's deletion of it is a conflict, told to a person
  /// like any other. Not one of which the record says nothing new.
  fileprivate static func keep(
    _ id: AttachmentID, against record: RemoteRecord, _ context: ApplyContext,
    _ transaction: borrowing Transaction<AccountScope>
  ) throws {
    guard let known = try transaction.remoteState(of: Attachment.self, id),
      context.isCurrent || known.revision < record.revision
    else { return }
    try keep(id, transaction)
  }

  fileprivate static func keep(of item: ItemID, _ transaction: borrowing Transaction<AccountScope>) throws {
    for attachment in try list(transaction, of: item) { try keep(attachment.id, transaction) }
  }

  private static func keep(_ id: AttachmentID, _ transaction: borrowing Transaction<AccountScope>) throws {
    guard try !transaction.isInOutbox(Attachment.self, id),
      let known = try transaction.remoteState(of: Attachment.self, id), known.json != nil
    else { return }
    // One that the server goes on holding as it is here is found to be so by the push, and isn't sent.
    try transaction.enqueue(Attachment.self, id, base: .revision(known.revision))
  }

  /// Takes back what waits to be deleted on the server of an item's attachments.
  fileprivate static func takeBack(of item: ItemID, _ transaction: borrowing Transaction<AccountScope>) throws
  {
    let table = Attachment.table.declaration
    guard let feed = Domain.attachment.feeds.first else { return }
    for entry in try transaction.outbox() where entry.table == table.name && entry.operation == .delete {
      guard let known = try transaction.remoteState(of: table, entry.key),
        let content = try known.json.flatMap({ try JSONValue.parse(text: $0).objectValue }),
        content["item"]?.stringValue?.utf8.elementsEqual(item.rawValue.utf8) == true
      else { continue }
      try transaction.dequeue(of: table, entry.key)
      _ = try feed.apply(
        RemoteRecord(id: entry.key, revision: known.revision, content: content),
        ApplyContext(isCurrent: true), transaction)
    }
  }
}
