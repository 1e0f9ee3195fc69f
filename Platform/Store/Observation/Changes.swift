/// The change sets of a store's commits in their order, from the moment it was asked for.
///
/// It has one reader: whoever else wants them asks for a sequence of their own. It ends with
/// `StoreError.lagged` rather than leave one out, and with `StoreError.closed` when the store is closed.
/// Commits of other processes aren't in it.
public struct Changes: AsyncSequence, Sendable {
  /// What one commit changed.
  public typealias Element = ChangeSet
  fileprivate let sets: AsyncThrowingStream<ChangeSet, any Error>

  /// The one reader's place in the sequence.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sets: sets.makeAsyncIterator()) }

  /// Takes the change sets, one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var sets: AsyncThrowingStream<ChangeSet, any Error>.AsyncIterator

    /// The next change set, once there is one; nil once the task was cancelled.
    public mutating func next() async throws -> ChangeSet? { try await sets.next() }
  }
}

extension Store {
  /// What this process commits from now on, whoever's it is. No transaction is under way at the moment that
  /// this returns, so that whatever is read afterwards lacks nothing but what is in the sequence.
  ///
  /// - Parameter limit: how many change sets may wait to be taken.
  /// - Throws: `StoreError.closed`, or `CancellationError`.
  public func changes(limit: Int = 1000) async throws -> Changes {
    try await changes(of: nil, limit: limit)
  }

  func changes(of account: Int64?, limit: Int) async throws -> Changes {
    let audience = audience
    let (stream, sets) = AsyncThrowingStream.makeStream(
      of: ChangeSet.self, bufferingPolicy: .bufferingOldest(Swift.max(1, limit)))
    let listener = Listener(account: account, limit: Swift.max(1, limit), sets: sets)
    try await hop(to: writerQueue) { _ in
      try self.holdingWriter {
        let id = audience.add(listener)
        sets.onTermination = { _ in audience.removeListener(id) }
      }
    }
    return Changes(sets: stream)
  }
}

extension AccountStore {
  /// What this process commits to this account's records from now on; see `Store.changes(limit:)`.
  public func changes(limit: Int = 1000) async throws -> Changes {
    try await store.changes(of: reach.account, limit: limit)
  }
}
