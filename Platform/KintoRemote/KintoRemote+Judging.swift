import FerryKernel
import FerryStore
import FerrySync

/// What a batch's answer says of each part. The outer status says nothing: it is 200 also where every part was
/// refused.
extension KintoRemote {
  func judge(
    _ answer: KintoAnswer, _ parts: ArraySlice<BatchPart>, _ batch: Batch, _ outcomes: inout [PushOutcome?]
  ) throws {
    guard let responses = answer.json?["responses"]?.arrayValue, responses.count == parts.count else {
      // The batch was carried out, but how can't be read.
      for part in parts { outcomes[part.place] = .unknown }
      return
    }
    let statuses = responses.map { Int(clamping: $0["status"]?.integerValue ?? 0) }
    try throwCommonRefusal(responses, statuses, batch)
    // On PostgreSQL a 409 aborts the transaction: whatever came before it was undone, although it says 200 or 201.
    let undone = statuses.lastIndex(of: 409) ?? -1
    for (index, part) in parts.enumerated() {
      outcomes[part.place] =
        index <= undone
        ? .unknown : outcome(of: part.change, statuses[index], responses[index]["body"], batch.feed)
    }
  }

  /// Throws where every part was refused for the same reason that is none of theirs: then nothing was done.
  private func throwCommonRefusal(_ responses: [JSONValue], _ statuses: [Int], _ batch: Batch) throws {
    guard let status = statuses.first, statuses.allSatisfy({ $0 == status }) else { return }
    let body = responses.first?["body"]
    switch status {
    case 401: throw RemoteError.unauthorized(batch.account, why: KintoAnswer.message(body, status))
    case 403: throw RemoteError.forbidden(batch.account, what: "change \(batch.feed)")
    case 404 where body?["errno"]?.integerValue == 111:
      throw RemoteError.missingFeed(feed: batch.feed, account: batch.account)
    case 405: throw RemoteError.readOnly(server: server.name)
    case 410: throw RemoteError.retired(server: server.name, message: KintoAnswer.message(body, status))
    default: return
    }
  }

  private func outcome(of change: RemoteChange, _ status: Int, _ body: JSONValue?, _ feed: String)
    -> PushOutcome
  {
    switch status {
    case 200, 201:
      guard let revision = body?["data"]?["last_modified"]?.integerValue else { return .unknown }
      return .done(revision: revision)
    case 412: return failedPrecondition(of: change, body, feed)
    case 404 where change.precondition != .absent: return .gone
    case 400, 403, 413: return .poisoned(reason: KintoAnswer.message(body, status))
    case 401, 405, 429: return .retry
    default: return .unknown
    }
  }

  /// A precondition that doesn't hold is a conflict only where the contents differ: after a lost answer the record
  /// is the very one that was sent.
  private func failedPrecondition(of change: RemoteChange, _ body: JSONValue?, _ feed: String) -> PushOutcome
  {
    guard let value = body?["details"]?["existing"] else {
      return change.precondition == .absent ? .conflict(existing: nil) : .gone
    }
    do throws(JSONFault) {
      let existing = try KintoRemote.record(value, in: feed)
      // With its file: one that was attached since is not what was sent, and is to be known before the next edit.
      if let content = change.content, content == existing.content {
        return .done(revision: existing.revision)
      }
      return .conflict(existing: existing)
    } catch {
      return .conflict(existing: nil)
    }
  }
}
