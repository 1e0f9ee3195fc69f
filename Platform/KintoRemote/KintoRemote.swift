import FerryKernel
import FerryStore
import FerrySync

/// A Kinto server. See the article <doc:Kinto> for what it promises and what it can't.
public struct KintoRemote: Remote {
  let server: KintoServer
  let client: any HTTPClient
  let secret: @Sendable (AccountID) throws -> Secret
  let clock: any Clock<Duration>
  let now: @Sendable () -> Timestamp
  let state: Locked<KintoState>
  /// Whether what a server never takes is refused before it is sent; tests of the server turn it off.
  var checksBeforeSending = true

  /// - Parameters:
  ///   - secret: reads the account's secret; called once for each account.
  ///   - clock: what pauses between tries are measured with.
  ///   - random: what spreads them.
  ///   - now: the device's time, for what the server asks to be waited.
  public init(
    server: KintoServer, client: any HTTPClient, secret: @escaping @Sendable (AccountID) throws -> Secret,
    clock: any Clock<Duration> = ContinuousClock(),
    random: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    now: @escaping @Sendable () -> Timestamp
  ) {
    (self.server, self.client, self.secret) = (server, client, secret)
    (self.clock, self.now) = (clock, now)
    state = Locked(KintoState(random: random))
  }

  public func session(of account: AccountID) async throws -> RemoteSession {
    let answer = try await ask(.get, "/", of: account)
    guard answer.status == 200 else { throw answer.refusal("to say who \(account) is") }
    let reader = try answer.reader("The server's greeting")
    return try answer.reading("The server's greeting") { () throws(JSONFault) in
      let settings = try reader.member("settings")
      let limit = try settings.integer("batch_max_requests")
      let isReadOnly = try settings.ifPresent("readonly")?.bool() ?? false
      let keepsBlobs = try reader.ifPresent("capabilities")?.ifPresent("attachments") != nil
      let user = try reader.ifPresent("user")
      let session = RemoteSession(
        user: try user?.text("id") ?? "", batchLimit: max(1, min(Int(clamping: limit), server.batchLimit)),
        isReadOnly: isReadOnly, keepsBlobs: keepsBlobs)
      let bucket = try user?.ifPresent("bucket")?.text()
      if user != nil { state.withLock { $0.sessions[account] = KintoSession(session, bucket: bucket) } }
      return user == nil ? nil : session
    }.orThrow(RemoteError.unauthorized(account, why: "it knows no such name with this secret"))
  }

  public func notice(of account: AccountID) -> RemoteNotice { state.withLock { $0.notice } }

  public var traffic: RemoteTraffic { state.withLock { $0.traffic } }
}

/// What changes while a remote is used.
struct KintoState {
  var random: any RandomNumberGenerator & Sendable
  var authorizations: [AccountID: String] = [:]
  var sessions: [AccountID: KintoSession] = [:]
  var notice = RemoteNotice()
  var traffic = RemoteTraffic()

  init(random: any RandomNumberGenerator & Sendable) { self.random = random }
}

/// What the server said of an account.
struct KintoSession {
  let session: RemoteSession
  /// The id behind the alias `default`.
  let bucket: String?

  init(_ session: RemoteSession, bucket: String?) { (self.session, self.bucket) = (session, bucket) }
}

extension Optional {
  func orThrow(_ error: some Error) throws -> Wrapped {
    guard let self else { throw error }
    return self
  }
}

extension KintoRemote {
  /// The path of a collection, seen from the server's base.
  func collection(_ feed: String, _ account: AccountID) -> String {
    "/buckets/\(bucket(of: account))/collections/\(feed)"
  }

  func records(_ feed: String, _ account: AccountID) -> String { "\(collection(feed, account))/records" }

  /// A server that takes no changes refuses the alias `default` even for reading: then its real id is used.
  private func bucket(of account: AccountID) -> String {
    guard server.bucket == "default" else { return server.bucket }
    return state.withLock { state in
      guard let known = state.sessions[account], known.session.isReadOnly else { return server.bucket }
      return known.bucket ?? server.bucket
    }
  }
}
