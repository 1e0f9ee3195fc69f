import FerryKernel
import FerryStore
import FerrySync

/// A server in memory that does what a test tells it to.
public final class ScriptedRemote: Remote {
  private struct State {
    var changes: [String: [RemoteRecord]] = [:]
    var faults: [String: RemoteError] = [:]
    var pagesLeft = Int.max
    var requests: [String] = []
    var standsStill = false
  }

  private let state = Locked(State())
  private let pageSize: Int

  /// - Parameter pageSize: at most this many records a page, whatever is asked for.
  public init(pageSize: Int = 500) { self.pageSize = pageSize }

  /// Adds a record, or changes it: the revision is one more than the feed's last.
  public func put(_ feed: String, _ account: AccountID, _ id: String, _ content: JSONObject) {
    change(feed, account, id, content)
  }

  /// Deletes a record, or one that never was.
  public func delete(_ feed: String, _ account: AccountID, _ id: String) { change(feed, account, id, nil) }

  /// Answers this many more pages, then can't be reached.
  public func answer(pages: Int) { state.withLock { $0.pagesLeft = pages } }

  /// Fails whenever a feed is asked for.
  public func fail(_ feed: String, with error: RemoteError) { state.withLock { $0.faults[feed] = error } }

  /// Answers from now on with pages that have more but whose cursor stays what it was.
  public func standStill() { state.withLock { $0.standsStill = true } }

  /// What was asked for, each as `feed account cursor`.
  public var requests: [String] { state.withLock { $0.requests } }

  public func changes(in feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemotePage
  {
    let size = min(limit, pageSize)
    return try state.withLock { state in
      state.requests.append("\(feed) \(account) \(cursor ?? "-")")
      if let fault = state.faults[feed] { throw fault }
      guard state.pagesLeft > 0 else {
        throw RemoteError.unreachable(server: "home", why: "no route to host")
      }
      state.pagesLeft -= 1
      if state.standsStill { return RemotePage(records: [], cursor: cursor ?? "0", hasMore: true) }
      let after = cursor.flatMap(Int64.init) ?? 0
      let all = state.changes["\(feed) \(account)"] ?? []
      let rest = all.enumerated().filter { index, record in
        record.revision > after && !all[(index + 1)...].contains { $0.id == record.id }
      }.map(\.element)
      let page = Array(rest.prefix(size))
      return RemotePage(
        records: page, cursor: "\(page.last?.revision ?? after)", hasMore: rest.count > page.count)
    }
  }

  private func change(_ feed: String, _ account: AccountID, _ id: String, _ content: JSONObject?) {
    state.withLock { state in
      let name = "\(feed) \(account)"
      let revision = (state.changes[name]?.last?.revision ?? 0) + 1
      state.changes[name, default: []].append(RemoteRecord(id: id, revision: revision, content: content))
    }
  }
}
