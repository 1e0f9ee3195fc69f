import FerryKernel
import FerryStore

/// What this device has of an attachment's content. It is of the device alone: no server hears of it, and what a
/// server says of the attachment doesn't touch it. An attachment without one is `remote`.
public struct AttachmentFile: Record, Equatable {
  public typealias Key = AttachmentID
  /// The attachment's.
  public let id: AttachmentID
  public var state: AttachmentState
  /// Of the content that is here, or is being fetched.
  public var hash: BlobHash
  /// In bytes.
  public var byteSize: Int64
  /// Whether a server has held this content: it came from there, or was sent there.
  public var wasOnServer: Bool
  /// When somebody last opened it; what was opened longest ago is evicted first.
  public var usedAt: Timestamp
  /// Why it failed.
  public var reason: String?

  public init(
    id: AttachmentID, state: AttachmentState, hash: BlobHash, byteSize: Int64, wasOnServer: Bool,
    usedAt: Timestamp, reason: String?
  ) {
    (self.id, self.state, self.hash, self.byteSize) = (id, state, hash, byteSize)
    (self.wasOnServer, self.usedAt, self.reason) = (wasOnServer, usedAt, reason)
  }

  /// Whether its content should be in the account's folder: what no server has had is nowhere else.
  var isHere: Bool { state == .local || !wasOnServer }

  public static let table = Table<AttachmentFile>(
    "attachment_file", key: \.id,
    columns: Column("id", \.id), Column("state", \.state), Column("sha256", \.hash),
    Column("byte_size", \.byteSize), Column("was_on_server", \.wasOnServer), Column("used_at", \.usedAt),
    Column("reason", \.reason),
    indexes: [Index(\.hash), Index(\.state, \.usedAt)],
    make: AttachmentFile.init(id:state:hash:byteSize:wasOnServer:usedAt:reason:)
  ).uncounted()

  /// By what is stored, as for an attachment.
  public static func == (left: AttachmentFile, right: AttachmentFile) -> Bool { table.areEqual(left, right) }
}

/// Where an attachment's content is. Nobody but this device writes it.
public enum AttachmentState: String, ColumnValue {
  /// Not here. Part of it may be, of a download that was interrupted and will go on there.
  case remote
  /// It is being fetched, or was when the process was killed.
  case downloading
  /// Here, whole and right when it came.
  case local
  /// The last attempt to have it failed.
  case failed
}

/// An attachment and what is here of its content.
public struct AttachmentEntry: Sendable, Equatable {
  public let attachment: Attachment
  /// nil: nothing is here.
  public let file: AttachmentFile?

  public var state: AttachmentState { file?.state ?? .remote }

  public init(attachment: Attachment, file: AttachmentFile?) {
    (self.attachment, self.file) = (attachment, file)
  }
}
