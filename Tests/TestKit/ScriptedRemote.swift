import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// A server in memory that keeps to the rules of `Remote` and breaks down where a test tells it to.
public final class ScriptedRemote: Remote {
  /// What goes wrong with a push.
  public enum PushFault: Sendable {
    /// It doesn't arrive.
    case unreachable
    /// It is done, but the answer is lost.
    case lostAnswer
    /// Only this many changes are done before the connection is cut.
    case cut(after: Int)
    /// The part at this place collides, and the server undoes what came before it, as Kinto on PostgreSQL does.
    case collision(at: Int)
    /// Nothing is done; the server asks for time.
    case busy
    /// The server refuses.
    case refusal(RemoteError)
  }

  fileprivate struct State {
    var feeds: [String: FeedHistory] = [:]
    var marks: [String: String] = [:]
    var blobs: [String: [UInt8]] = [:]
    var faults: [String: RemoteError] = [:]
    var pushFaults: [PushFault] = []
    var poison: [String: String] = [:]
    var notice = RemoteNotice()
    var session: RemoteSession?
    var lie: Int?
    var pagesLeft = Int.max
    var requests: [String] = []
    var pushes: [[RemoteChange]] = []
    var standsStill = false
    var overlap: Int64 = 0
    var beforePage: (@Sendable (_ request: String) -> Void)?
    var beforePush: (@Sendable ([RemoteChange]) throws -> Void)?
  }

  private let state = Locked(State())
  private let pageSize: Int

  /// - Parameter pageSize: at most this many records a page, whatever is asked for.
  public init(pageSize: Int = 500) { self.pageSize = pageSize }

  // What others do on the server.

  /// Adds a record, or changes it: the revision is one more than the feed's last.
  public func put(_ feed: String, _ account: AccountID, _ id: String, _ content: JSONObject) {
    change(feed, account, id, content)
  }

  /// Deletes a record, or one that never was.
  public func delete(_ feed: String, _ account: AccountID, _ id: String) { change(feed, account, id, nil) }

  /// Marks a feed, as whoever synced it first did; nil takes the mark away.
  public func mark(_ feed: String, _ account: AccountID, _ mark: String?) {
    state.withLock { $0.marks["\(feed) \(account)"] = mark }
  }

  /// The feed as the server has it.
  package func history(_ feed: String, _ account: AccountID) -> FeedHistory {
    state.withLock { $0.feeds["\(feed) \(account)"] ?? FeedHistory() }
  }

  /// Takes the feed away with its mark, and makes it anew, whose revisions go on above the old ones.
  public func recreate(_ feed: String, _ account: AccountID) {
    state.withLock { state in
      let revision = state.feeds["\(feed) \(account)"]?.revision ?? 0
      state.feeds["\(feed) \(account)"] = FeedHistory(from: revision + 1)
      state.marks["\(feed) \(account)"] = nil
    }
  }

  /// Puts the feed back to what it was, its mark untouched.
  package func restore(_ feed: String, _ account: AccountID, to history: FeedHistory) {
    state.withLock { $0.feeds["\(feed) \(account)"] = history }
  }

  /// Forgets a record without a trace, as a server does that undoes what it acknowledged.
  public func lose(_ feed: String, _ account: AccountID, _ id: String) {
    state.withLock { state in
      let name = "\(feed) \(account)"
      let old = state.feeds[name] ?? FeedHistory()
      var kept = FeedHistory()
      for record in old.live where !record.id.utf8.elementsEqual(id.utf8) { _ = kept.append(record) }
      // The feed goes on above where it was.
      kept.skip(to: old.revision)
      state.feeds[name] = kept
    }
  }

  // What goes wrong.

  /// Answers this many more pages, then can't be reached.
  public func answer(pages: Int) { state.withLock { $0.pagesLeft = pages } }

  /// Fails whenever a feed is asked for.
  public func fail(_ feed: String, with error: RemoteError) { state.withLock { $0.faults[feed] = error } }

  /// Answers from now on with pages that have more but whose cursor stays what it was.
  public func standStill() { state.withLock { $0.standsStill = true } }

  /// Lets each pull begin so many revisions before where the last one ended.
  public func stepBack(by overlap: Int64) { state.withLock { $0.overlap = overlap } }

  /// What happens to the next pushes, one after the other.
  public func failPushes(_ faults: PushFault...) { state.withLock { $0.pushFaults += faults } }

  /// Never takes a record with this id; nil: takes it again.
  public func poison(_ id: String, _ reason: String?) { state.withLock { $0.poison[id] = reason } }

  /// Asks for time, or announces something, with every answer from now on.
  public func give(_ notice: RemoteNotice) { state.withLock { $0.notice = notice } }

  /// Answers with this when asked who the account is.
  public func be(_ session: RemoteSession) { state.withLock { $0.session = session } }

  /// Says that a feed holds this many records; nil: the truth.
  public func claim(count: Int?) { state.withLock { $0.lie = count } }

  /// Runs before each page is put together, with what was asked for, as when another device writes between two
  /// pages.
  public func beforePage(_ body: (@Sendable (_ request: String) -> Void)?) {
    state.withLock { $0.beforePage = body }
  }

  /// Runs while a push is on its way, as when a person edits meanwhile.
  public func beforePush(_ body: (@Sendable ([RemoteChange]) throws -> Void)?) {
    state.withLock { $0.beforePush = body }
  }

  // What was asked.

  /// Which pages were asked for, each as `feed account cursor`.
  public var requests: [String] { state.withLock { $0.requests } }

  /// What was pushed, push by push, whatever became of it.
  public var pushes: [[RemoteChange]] { state.withLock { $0.pushes } }
}

// What the engine asks.
extension ScriptedRemote {
  public func session(of account: AccountID) async throws -> RemoteSession {
    try state.withLock { state in
      if let fault = state.faults["session"] { throw fault }
      return state.session
        ?? RemoteSession(user: account.user, batchLimit: 50, isReadOnly: false, keepsBlobs: true)
    }
  }

  public func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int)
    async throws -> RemotePage
  {
    let request = "\(feed) \(account) \(position.cursor ?? "-")"
    state.withLock { $0.beforePage }?(request)
    let size = min(limit, pageSize)
    return try state.withLock { state in
      state.requests.append(request)
      if let fault = state.faults[feed] { throw fault }
      guard state.pagesLeft > 0 else {
        throw RemoteError.unreachable(server: "home", why: "no route to host")
      }
      state.pagesLeft -= 1
      if state.standsStill {
        return RemotePage(records: [], cursor: position.cursor ?? "0", hasMore: true)
      }
      let history = state.feeds["\(feed) \(account)"] ?? FeedHistory()
      var position = position
      if case .resuming(let cursor) = position, let known = Int64(cursor), known <= history.revision {
        position = .resuming(String(max(0, known - state.overlap)))
      }
      return try history.page(of: feed, from: position, limit: size)
    }
  }

  public func count(in feed: String, of account: AccountID) async throws -> Int {
    try state.withLock { state in
      if let fault = state.faults[feed] { throw fault }
      return state.lie ?? state.feeds["\(feed) \(account)"]?.count ?? 0
    }
  }

  public func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    try history(feed, account).listing(of: feed, after: cursor, limit: min(limit, pageSize))
  }

  public func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    history(feed, account).record(id).flatMap { $0.content == nil ? nil : $0 }
  }

  public func mark(of feed: String, of account: AccountID) async throws -> String? {
    try state.withLock { state in
      if let fault = state.faults[feed] { throw fault }
      return state.marks["\(feed) \(account)"]
    }
  }

  public func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    state.withLock { state in
      let there = state.marks["\(feed) \(account)"] ?? mark
      state.marks["\(feed) \(account)"] = there
      return there
    }
  }

  public func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws
    -> [PushOutcome]
  {
    try state.withLock { $0.beforePush }?(changes)
    return try state.withLock { state in
      state.pushes.append(changes)
      if let fault = state.faults[feed] { throw fault }
      guard !state.pushFaults.isEmpty else { return state.apply(changes[...], "\(feed) \(account)") }
      switch state.pushFaults.removeFirst() {
      case .unreachable: throw RemoteError.unreachable(server: "home", why: "no route to host")
      case .refusal(let error): throw error
      case .busy: return changes.map { _ in .retry }
      case .lostAnswer:
        _ = state.apply(changes[...], "\(feed) \(account)")
        return changes.map { _ in .unknown }
      case .cut(let count):
        _ = state.apply(changes.prefix(count), "\(feed) \(account)")
        return changes.map { _ in .unknown }
      case .collision(let place):
        let rest = state.apply(changes.dropFirst(place + 1), "\(feed) \(account)")
        return changes.prefix(place + 1).map { _ in .unknown } + rest
      }
    }
  }

  public func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    guard let bytes = state.withLock({ $0.blobs[blob.location] }) else {
      throw RemoteError.blobGone(location: blob.location)
    }
    try FileOperations().writeWhole(bytes, to: path)
  }

  public func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws
    -> (blob: RemoteBlob, revision: Int64)
  {
    let bytes = try FileOperations().read(file.path)
    let (size, hash) = try FileOperations().digest(of: file.path)
    let blob = RemoteBlob(
      location: "blobs/\(hash)", sha256: hash, size: size, mediaType: file.mediaType, name: file.name)
    return try state.withLock { state in
      let name = "\(feed) \(account)"
      guard let existing = state.feeds[name]?.record(record), var content = existing.content else {
        throw RemoteError.missingRecord(record, feed: feed)
      }
      content[RemoteBlob.member] = .object(blob.json)
      state.blobs[blob.location] = bytes
      _ = state.feeds[name]?.apply(.update(record, content, of: existing.revision))
      return (blob, state.feeds[name]?.revision ?? 0)
    }
  }

  public func notice(of account: AccountID) -> RemoteNotice { state.withLock { $0.notice } }

  private func change(_ feed: String, _ account: AccountID, _ id: String, _ content: JSONObject?) {
    state.withLock { state in
      let name = "\(feed) \(account)"
      let revision = (state.feeds[name]?.revision ?? 0) + 1
      _ = state.feeds[name, default: FeedHistory()].append(
        RemoteRecord(id: id, revision: revision, content: content))
    }
  }
}

extension ScriptedRemote.State {
  mutating func apply(_ changes: ArraySlice<RemoteChange>, _ name: String) -> [PushOutcome] {
    changes.map { change in
      if let reason = poison[change.id] { return .poisoned(reason: reason) }
      return feeds[name, default: FeedHistory()].apply(change).outcome
    }
  }
}
