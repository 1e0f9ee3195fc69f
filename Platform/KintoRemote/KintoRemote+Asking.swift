import FerryKernel
import FerryStore
import FerrySync

extension KintoRemote {
  /// Why a request has no answer that could be used.
  enum NoAnswer: Error {
    /// The server did nothing.
    case notSent(RemoteError)
    /// The server may have done it.
    case lost(RemoteError)

    var error: RemoteError {
      switch self {
      case .notSent(let error), .lost(let error): error
      }
    }
  }

  /// Asks until there is an answer that asking again wouldn't better. All requests of this client may be
  /// repeated: each says what it takes the server to hold.
  ///
  /// - Throws: `RemoteError` for what says the same to every request (the secret, the end of the service), and
  ///   where there was no answer; `CancellationError`.
  func ask(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [(name: String, value: String)] = [],
    body: HTTPRequest.Body? = nil, of account: AccountID
  ) async throws -> KintoAnswer {
    do {
      return try await answer(method, path, headers, body: body, of: account)
    } catch let failure as NoAnswer {
      throw failure.error
    }
  }

  /// The same, where it matters whether the server may have done what it was asked.
  ///
  /// - Parameter tries: how often in all; nil: as patience says.
  func answer(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [(name: String, value: String)] = [],
    body: HTTPRequest.Body? = nil, of account: AccountID, tries: Int? = nil
  ) async throws -> KintoAnswer {
    let patience = server.patience
    var request = HTTPRequest(method, server.base + path, timeout: patience.timeout)
    request.headers =
      [("Accept", "application/json"), ("Authorization", try authorization(of: account))] + headers
    switch body {
    case .bytes: request.headers.append(("Content-Type", "application/json"))
    case .form: request.timeout = patience.fileTimeout
    case nil: break
    }
    request.body = body
    var mayBeDone = false
    var number = 1
    while true {
      try Task.checkCancellation()
      var wish: Duration?
      switch try await attempt(request) {
      case .success(let answer):
        try note(answer, of: account)
        wish = answer.wish
        guard answer.isPassing, number < tries ?? patience.tries, wish ?? .zero <= patience.longestWish
        else { return answer }
        if !answer.isUndone { mayBeDone = true }
      case .failure(let fault):
        var limit = tries ?? patience.tries
        switch fault {
        case .notSent: break
        case .lost: mayBeDone = true
        case .silent: (mayBeDone, limit) = (true, min(limit, patience.triesInSilence))
        }
        guard number < limit else {
          let error = RemoteError.unreachable(server: server.name, why: fault.why)
          throw mayBeDone ? NoAnswer.lost(error) : NoAnswer.notSent(error)
        }
      }
      try await pause(after: number, wish: wish)
      number += 1
    }
  }

  /// One try.
  private func attempt(_ request: HTTPRequest) async throws -> Result<KintoAnswer, HTTPFault> {
    let body = Locked<[UInt8]>([])
    do {
      let head = try await client.send(request) { head, bytes in
        try body.withLock { body in
          guard body.count + bytes.count <= server.largestAnswer else {
            throw RemoteError.badAnswer(
              where: "An answer of the server \(server.name)",
              why: "it is longer than \(server.largestAnswer) bytes")
          }
          if body.isEmpty, let size = head["Content-Length"].flatMap({ Int($0) }) {
            body.reserveCapacity(min(max(0, size), 1 << 26))
          }
          body.append(contentsOf: bytes)
        }
      }
      let bytes = body.withLock { body in
        let bytes = body
        body = []
        return bytes
      }
      count(request, received: bytes.count)
      return .success(KintoAnswer(head, bytes, server: server.name, at: now().seconds))
    } catch let fault as HTTPFault {
      count(request, received: body.withLock { $0.count })
      return .failure(fault)
    }
  }

  func count(_ request: HTTPRequest, received: Int) {
    state.withLock { state in
      state.traffic.requests += 1
      state.traffic.received += Int64(received)
      if case .bytes(let bytes)? = request.body { state.traffic.sent += Int64(bytes.count) }
    }
  }

  func pause(after number: Int, wish: Duration?) async throws {
    let pause = state.withLock { state in
      var random = AnyGenerator(base: state.random)
      let pause = server.patience.pause(after: number, wish: wish, random: &random)
      state.random = random.base
      return pause
    }
    try await clock.sleep(for: pause)
  }

  /// Writes down what the answer asks for or announces, and throws what holds for every request.
  func note(_ answer: KintoAnswer, of account: AccountID) throws {
    let now = now()
    state.withLock { state in
      let wishes = [answer.backoff, answer.isPassing ? answer.wish : nil].compactMap { $0 }
      for wish in wishes {
        let (time, _) = Timestamp.clamping(
          seconds: now.seconds + wish.components.seconds, nanoseconds: now.fraction)
        if state.notice.notBefore.map({ $0 < time }) ?? true { state.notice.notBefore = time }
      }
      if let alert = answer.alert { state.notice.alert = alert }
    }
    switch answer.status {
    case 401: throw RemoteError.unauthorized(account, why: answer.message)
    case 410: throw RemoteError.retired(server: server.name, message: answer.message)
    default: break
    }
  }

  func authorization(of account: AccountID) throws -> String {
    if let known = state.withLock({ $0.authorizations[account] }) { return known }
    let value = try secret(account).authorization(user: account.user)
    state.withLock { $0.authorizations[account] = value }
    return value
  }
}

/// Lets a stored generator be used where a concrete one is asked for.
private struct AnyGenerator: RandomNumberGenerator {
  var base: any RandomNumberGenerator & Sendable
  mutating func next() -> UInt64 { base.next() }
}
