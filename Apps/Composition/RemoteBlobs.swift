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
  ) async throws -> (file: ServerFile, revision: Int64) {
    let file = BlobFile(path: path, name: name, mediaType: mimeType)
    let (blob, revision) = try await remotes.remote(of: account).upload(
      file, to: record, in: feed, of: account)
    return (try ServerFile(blob.json), revision)
  }

  func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case RemoteError.blobTooLarge, RemoteError.refused: true
    default: false
    }
  }
}

extension Ferry {
  /// Where attachments' files come from and go to.
  public var blobs: any BlobSource { RemoteBlobs(remotes: remotes) }
}
