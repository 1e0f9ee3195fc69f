import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync

/// The configured servers as the source of attachments' files.
struct RemoteBlobs: BlobSource {
  let remotes: Remotes

  func download(_ file: ServerFile, of account: AccountID, to path: String) async throws {
    let blob = try RemoteBlob(JSONReader(.object(file.json), of: ServerFile.member))
    try await remotes.remote(of: account).download(blob, of: account, to: path)
  }

  func upload(
    _ path: String, named name: String, mimeType: String, to record: String, in feed: String,
    of account: AccountID
  ) async throws -> ServerFile {
    let file = BlobFile(path: path, name: name, mediaType: mimeType)
    let blob = try await remotes.remote(of: account).upload(file, to: record, in: feed, of: account).blob
    return try ServerFile(blob.json)
  }

  func meaning(of error: any Error) -> UploadFailure {
    switch error {
    case RemoteError.blobTooLarge, RemoteError.refused: .refused
    case RemoteError.missingRecord: .noRecord
    case RemoteError.unreachable, RemoteError.unauthorized, RemoteError.forbidden, RemoteError.retired,
      RemoteError.readOnly, RemoteError.keepsNoFiles:
      .everyFile
    default: .passing
    }
  }
}

extension Ferry {
  /// Where attachments' files come from and go to.
  public var blobs: any BlobSource { RemoteBlobs(remotes: remotes) }
}
