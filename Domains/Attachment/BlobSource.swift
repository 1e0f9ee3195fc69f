import FerryKernel
import FerryStore

/// The server's side of attachments' content: what a remote can do with files. The apps put one in.
public protocol BlobSource: Sendable {
  /// Fetches a file to a path, whole and right or not at all. An interrupted download leaves what it had beside
  /// `path`, and the next one goes on there.
  func download(_ file: ServerFile, of account: AccountID, to path: String) async throws

  /// Attaches the file at a path to a record that the server holds.
  ///
  /// - Returns: the file as the server's record names it now, and the record's new revision.
  func upload(
    _ path: String, named name: String, mimeType: String, to record: String, in feed: String,
    of account: AccountID
  ) async throws -> (file: ServerFile, revision: Int64)

  /// Whether an upload failed with the server's word that it doesn't take the file as it is, so that sending it again
  /// is of no use.
  func isRefusal(_ error: any Error) -> Bool
}

/// The file that a server holds for an attachment: what the record's member `attachment` says.
public struct ServerFile: Sendable {
  /// The name of the record's member.
  public static let member = "attachment"

  public let hash: BlobHash
  /// In bytes.
  public let byteSize: Int64
  /// All of the member, whose other parts are the remote's to know.
  public let json: JSONObject

  /// - Throws: `JSONFault` where the member names no hash and size.
  public init(_ json: JSONObject) throws(JSONFault) {
    let reader = JSONReader(.object(json), of: ServerFile.member)
    guard let hash = BlobHash(rawValue: try reader.text("hash")) else {
      throw reader.mismatch(expected: "64 lower-case hexadecimal digits as its hash", found: "something else")
    }
    let byteSize = try reader.integer("size")
    guard byteSize >= 0 else {
      throw reader.mismatch(expected: "a size of 0 or more", found: "\(byteSize)")
    }
    (self.hash, self.byteSize, self.json) = (hash, byteSize, json)
  }
}

extension Reading where Self: ~Copyable, Scope == AccountScope {
  /// The file that the server holds for an attachment, as it last said; nil where it holds none.
  func serverFile(of attachment: AttachmentID) throws -> ServerFile? {
    guard let json = try remoteState(of: Attachment.self, attachment)?.json,
      let member = try JSONValue.parse(text: json)[ServerFile.member]?.objectValue
    else { return nil }
    return try ServerFile(member)
  }

  /// What content that is; nil also where what the server says can't be read.
  func serverHash(of attachment: AttachmentID) throws -> BlobHash? {
    do { return try serverFile(of: attachment)?.hash } catch is JSONFault { return nil }
  }
}
