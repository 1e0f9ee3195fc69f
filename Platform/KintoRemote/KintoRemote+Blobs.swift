import FerryKernel
import FerryStore
import FerrySync
import Foundation

extension KintoRemote {
  public func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    let url = blob.location.contains("://") ? blob.location : "\(server.base)/\(blob.location)"
    guard let origin = Origin(url) else {
      throw RemoteError.badAnswer(
        where: "The location \(blob.location)", why: "it is no http or https address")
    }
    // A file may lie anywhere; the secret goes to nobody but the server itself.
    let authorization = origin == server.origin ? try authorization(of: account) : nil
    var mayBeMixed = false
    for number in 1... {
      try Task.checkCancellation()
      let part = try PartialFile(for: path)
      if part.size > 0 { mayBeMixed = true }
      do {
        let end = try await fetch(blob, url, authorization, of: account, into: part, path)
        switch end {
        case .whole:
          try part.finish(as: blob)
          try FileOperations().removeIfThere(KintoRemote.validatorPath(path))
          return
        case .again(let why, let wish):
          guard number < server.patience.tries, wish ?? .zero <= server.patience.longestWish else {
            throw RemoteError.unreachable(server: server.name, why: why)
          }
          try await pause(after: number, wish: wish)
        }
      } catch RemoteError.blobDiffers where mayBeMixed {
        // Perhaps only the part that was there already is to blame: once more, from the beginning.
        mayBeMixed = false
        try FileOperations().removeIfThere(PartialFile.name(path))
      }
    }
  }

  private enum FetchEnd {
    case whole
    case again(why: String, wish: Duration?)
  }

  /// Fetches what is missing.
  private func fetch(
    _ blob: RemoteBlob, _ url: String, _ authorization: String?, of account: AccountID,
    into part: PartialFile, _ path: String
  ) async throws -> FetchEnd {
    if part.size > blob.size { try part.restart() }
    if part.size == blob.size, blob.size > 0 { return .whole }
    var request = HTTPRequest(.get, url, timeout: server.patience.fileTimeout)
    // The bytes as they lie there: a compressed answer has other offsets.
    request.headers = [("Accept-Encoding", "identity")]
    if let authorization { request.headers.append(("Authorization", authorization)) }
    let start = part.size
    let validator = start > 0 ? KintoRemote.validator(path) : nil
    if start > 0 {
      request.headers.append(("Range", "bytes=\(start)-"))
      if let validator { request.headers.append(("If-Range", validator)) }
    }
    let sink = DownloadSink(part, blob, start, validatorPath: KintoRemote.validatorPath(path))
    let head: HTTPHead
    do {
      head = try await client.send(request) { head, bytes in try sink.take(head, bytes) }
    } catch let fault as HTTPFault {
      count(request, received: Int(sink.received))
      return .again(why: fault.why, wish: nil)
    }
    count(request, received: Int(sink.received))
    let answer = KintoAnswer(head, [], server: server.name, at: now().seconds)
    switch head.status {
    case 200, 206: return .whole
    case 416:
      try sink.restart()
      return .again(why: "it has no such part of the file", wish: nil)
    case 401 where authorization != nil: throw RemoteError.unauthorized(account, why: "it refuses a file")
    case 403 where authorization != nil: throw RemoteError.forbidden(account, what: "read \(blob.location)")
    // 500: the static view that serves files on this machine, for a file that was deleted after it was served.
    case 404, 410, 500: throw RemoteError.blobGone(location: blob.location)
    case 429, 501...: return .again(why: "it answers \(head.status)", wish: answer.wish)
    default: throw answer.refusal("the file \(blob.location)")
    }
  }

  static func validatorPath(_ path: String) -> String { PartialFile.name(path) + ".etag" }

  /// The ETag of the file that the part is of, if the server gave a strong one.
  private static func validator(_ path: String) -> String? {
    let bytes = try? FileOperations().read(validatorPath(path))  // why: then the hash alone tells
    return bytes.map { String(decoding: $0, as: UTF8.self) }
  }

  public func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws
    -> (blob: RemoteBlob, revision: Int64)
  {
    if let known = state.withLock({ $0.sessions[account]?.session }), !known.keepsBlobs {
      throw RemoteError.keepsNoFiles(server: server.name)
    }
    // The server would make a record that isn't there, and looks at no precondition.
    guard try await self.record(record, in: feed, of: account) != nil else {
      throw RemoteError.missingRecord(record, feed: feed)
    }
    let (size, hash) = try FileOperations().digest(of: file.path)
    let form = HTTPRequest.Body.form(
      field: RemoteBlob.member, .init(path: file.path, name: file.name, mediaType: file.mediaType))
    let path = "\(records(feed, account))/\(RecordName(record, in: feed).text)"
    let answer = try await ask(.post, "\(path)/attachment", body: form, of: account)
    state.withLock { $0.traffic.sent += size }
    switch answer.status {
    case 201:
      // It was deleted meanwhile, and what the server made of the file is no record: nobody is to see it.
      if let revision = answer.revision {
        _ = try await ask(.delete, path, [("If-Match", "\"\(revision)\"")], of: account)
      }
      throw RemoteError.missingRecord(record, feed: feed)
    case 200:
      let reader = try answer.reader("The answer to the file \(file.name)")
      let blob = try answer.reading("The answer to the file \(file.name)") { () throws(JSONFault) in
        try RemoteBlob(reader)
      }
      guard blob.sha256.utf8.elementsEqual(hash.utf8), blob.size == size else {
        throw RemoteError.blobDiffers(
          location: blob.location, why: "the server keeps other bytes than were sent")
      }
      guard let revision = answer.revision else {
        throw RemoteError.badAnswer(where: "The answer to the file \(file.name)", why: "it has no revision")
      }
      return (blob, revision)
    case 413: throw RemoteError.blobTooLarge(name: file.name, why: answer.message)
    case 400 where answer.message.contains("exceeds the limit"):
      throw RemoteError.blobTooLarge(name: file.name, why: answer.message)
    case 400, 415: throw answer.refusal("the file \(file.name)")
    case 403, 404: throw try failure(answer, feed, account)
    case 300...399, 405, 429, 503: throw answer.refusal("the file \(file.name)")
    // Of this file the server says no more than that; others may be taken.
    default:
      throw RemoteError.blobFailed(name: file.name, why: "\(answer.message) (\(answer.status))")
    }
  }
}
