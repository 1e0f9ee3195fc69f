import FerryKernel
import FerryStore
import FerrySync

extension KintoRemote {
  public func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws
    -> [PushOutcome]
  {
    var outcomes = [PushOutcome?](repeating: nil, count: changes.count)
    var batch = Batch(feed: feed, account: account)
    for (place, change) in changes.enumerated() {
      let name = RecordName(change.id, in: feed)
      if checksBeforeSending, let reason = Acceptability.objection(to: change, named: name) {
        outcomes[place] = .poisoned(reason: reason)
        continue
      }
      do throws(JSONFault) {
        batch.parts.append(try BatchPart(change, named: name, place: place, in: records(feed, account)))
      } catch {
        outcomes[place] = .poisoned(reason: error.sentence.withoutFullStop)
      }
    }
    try await send(batch.parts[...], of: batch, into: &outcomes)
    return outcomes.map { $0 ?? .unknown }
  }

  /// What all parts have in common.
  struct Batch {
    let feed: String
    let account: AccountID
    var parts: [BatchPart] = []
  }

  /// Sends parts in as many requests as the server's limit and a body's size ask for, in order. An error after some of
  /// them were sent is an outcome of the rest: it isn't true then that nothing was done.
  private func send(
    _ parts: ArraySlice<BatchPart>, of batch: Batch, into outcomes: inout [PushOutcome?]
  ) async throws {
    var rest = parts
    var isFirst = true
    while !rest.isEmpty {
      let chunk = rest.prefix(size(of: rest, batch.account))
      do {
        try await sendWhole(chunk, of: batch, into: &outcomes)
      } catch let error as RemoteError {
        if isFirst { throw error }
        for part in rest { outcomes[part.place] = .retry }
        return
      }
      isFirst = false
      rest = rest.dropFirst(chunk.count)
    }
  }

  /// How many of the parts go into one request.
  private func size(of parts: ArraySlice<BatchPart>, _ account: AccountID) -> Int {
    let limit = state.withLock { $0.sessions[account]?.session.batchLimit } ?? min(25, server.batchLimit)
    var bytes = 0
    var count = 0
    for part in parts.prefix(limit) {
      bytes += part.json.count
      if count > 0, bytes > server.batchBytes { break }
      count += 1
    }
    return count
  }

  /// Sends parts in one request, and those that hold it up in smaller ones.
  private func sendWhole(
    _ parts: ArraySlice<BatchPart>, of batch: Batch, into outcomes: inout [PushOutcome?], tries: Int? = nil
  ) async throws {
    let answer: KintoAnswer
    do {
      answer = try await self.answer(
        .post, "/batch", body: .bytes(BatchPart.body(of: parts)), of: batch.account, tries: tries)
    } catch NoAnswer.notSent(let error) {
      throw error
    } catch NoAnswer.lost {
      for part in parts { outcomes[part.place] = .unknown }
      return
    }
    switch answer.status {
    case 200: try judge(answer, parts, batch, &outcomes)
    case 400, 413: try await divide(answer, parts, of: batch, into: &outcomes)
    case 500, 503:
      // One record that the server breaks on looks like a server that is down, unless that answers otherwise.
      if try await isHealthy(batch.account) {
        try await divide(answer, parts, of: batch, into: &outcomes)
      } else {
        // It rolls back what it answers so to, and is asked for no more now.
        for part in parts { outcomes[part.place] = .retry }
      }
    case 429: for part in parts { outcomes[part.place] = .retry }
    case 409, 501...: for part in parts { outcomes[part.place] = .unknown }
    case 403: throw RemoteError.forbidden(batch.account, what: "send changes to \(batch.feed)")
    default: throw answer.refusal("a batch of changes")
    }
  }

  /// Sends each half by itself; what is refused alone, twice, is the culprit.
  private func divide(
    _ answer: KintoAnswer, _ parts: ArraySlice<BatchPart>, of batch: Batch,
    into outcomes: inout [PushOutcome?]
  ) async throws {
    if let part = parts.first, parts.count == 1 {
      if answer.status >= 500 { return try await suspect(part, of: batch, into: &outcomes) }
      outcomes[part.place] = .poisoned(reason: answer.message)
      return
    }
    // The limit may have become another since the session began.
    if answer.status == 400 {
      let limit = try await session(of: batch.account).batchLimit
      if limit < parts.count { return try await sendAll(parts, of: batch, into: &outcomes) }
    }
    let middle = parts.startIndex + parts.count / 2
    for half in [parts[..<middle], parts[middle...]] {
      do {
        // It was tried often enough to be sure that it isn't the server.
        try await sendWhole(half, of: batch, into: &outcomes, tries: 1)
      } catch is RemoteError {
        for part in half where outcomes[part.place] == nil { outcomes[part.place] = .retry }
      }
    }
  }

  /// Sends alone what the server seems to break on. One that has lost its database answers the same once to each
  /// connection that it had, when it is well again: nothing is to be set aside for that.
  private func suspect(_ part: BatchPart, of batch: Batch, into outcomes: inout [PushOutcome?]) async throws {
    for _ in 0..<KintoRemote.confirmations {
      let answer: KintoAnswer
      do {
        answer = try await self.answer(
          .post, "/batch", body: .bytes(BatchPart.body(of: [part])), of: batch.account, tries: 1)
      } catch is NoAnswer {
        outcomes[part.place] = .unknown
        return
      }
      if answer.status == 200 { return try judge(answer, [part], batch, &outcomes) }
      guard answer.status == 500 || answer.status == 503, try await isHealthy(batch.account) else {
        outcomes[part.place] = .unknown
        return
      }
      outcomes[part.place] = .poisoned(
        reason: "the server answers \(answer.status) to it, and is well otherwise")
    }
  }

  private static let confirmations = 3

  private func sendAll(_ parts: ArraySlice<BatchPart>, of batch: Batch, into outcomes: inout [PushOutcome?])
    async throws
  {
    try await send(parts, of: batch, into: &outcomes)
  }

  /// Whether the server reaches its database.
  private func isHealthy(_ account: AccountID) async throws -> Bool {
    do {
      return try await answer(.get, "/__heartbeat__", of: account, tries: 1).status == 200
    } catch is NoAnswer {
      return false
    }
  }
}
