import FerryKernel
import FerryStore

/// The server's side of attachments' content: what a remote can do with files. The apps put one in.
public protocol BlobSource: Sendable {
  /// Fetches a file to a path, whole and right or not at all. An interrupted download leaves what it had beside
  /// `path`, and the next one goes on there.
  func download(_ file: ServerFile, of account: AccountID, to path: String) async throws

  /// Attaches the file at a path to a record that the server holds.
  ///
  /// - Returns: the file as the server's record names it now.
  func upload(
    _ path: String, named name: String, mimeType: String, to record: String, in feed: String,
    of account: AccountID
  ) async throws -> ServerFile

  /// What an upload's failure says of this file, and of others.
  func meaning(of error: any Error) -> UploadFailure
}

/// What the failure of an upload says.
public enum UploadFailure: Sendable {
  /// The server doesn't take the file as it is: sending it again is of no use.
  case refused
  /// The server doesn't have the file's record, or not any more.
  case noRecord
  /// Every other file would fare the same now.
  case everyFile
  /// Nothing of that: the next time may be better.
  case passing
}

/// The file that a server holds for an attachment: what the record's member `attachment` says.
public struct ServerFile: Sendable {
  /// The name of the record's member.
  public static let member = "attachment"
  /// The name of the member that says where the file was on a server that lost the record. It may be there still.
  static let formerMember = "formerAttachment"

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
  /// The file that the server holds for an attachment, as it last said; nil where it holds none, and where only
  /// another server said so.
  ///
  /// - Throws: `JSONFault` where what it says can't be read.
  func serverFile(of attachment: AttachmentID, in member: String = ServerFile.member) throws -> ServerFile? {
    guard let state = try remoteState(of: Attachment.self, attachment), state.revision > 0,
      let json = state.json, let member = try JSONValue.parse(text: json)[member]?.objectValue
    else { return nil }
    return try ServerFile(member)
  }

  /// What content that is; nil also where what the server says can't be read.
  func serverHash(of attachment: AttachmentID) throws -> BlobHash? {
    do { return try serverFile(of: attachment)?.hash } catch is JSONFault { return nil }
  }

  /// Whether the server has something for the attachment that isn't this file.
  func hasOther(than file: AttachmentFile) throws -> Bool {
    do { return try serverFile(of: file.id).map { $0.hash != file.hash } ?? false } catch is JSONFault {
      return true
    }
  }

  /// Whether nobody but this device has the file: no server ever did, or the one that did names none any more.
  func isOnlyHere(_ file: AttachmentFile) throws -> Bool {
    guard file.wasOnServer else { return true }
    do { return try serverFile(of: file.id) == nil } catch is JSONFault { return false }
  }

  /// Whether the server holds the file, or another one in place of what it had.
  func isHeld(_ file: AttachmentFile) throws -> Bool {
    guard let server = try serverHash(of: file.id) else { return false }
    return server == file.hash || file.wasOnServer
  }
}
