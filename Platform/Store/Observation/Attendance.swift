/// One iterator's place in the audience; it is given up when the iterator goes.
final class Attendance: Sendable {
  private let store: Store
  private let id: Int
  private let signals: AsyncStream<Void>

  init(at store: Store) {
    let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.store = store
    self.signals = signals
    id = store.audience.add(signal)
    store.foreignCommits.begin()
  }

  deinit { store.audience.removeObserver(id) }

  /// Waits for a commit that concerns the iterator.
  ///
  /// - Returns: false when the task was cancelled.
  func isWoken() async -> Bool {
    for await _ in signals { return true }
    return false
  }

  /// Reads, and waits from then on for commits to what was read.
  func read<Value: Sendable>(_ fetch: @escaping @Sendable (Session) throws -> Value) async throws -> Value {
    store.audience.willRead(id)
    let (store, audience, id) = (store, store.audience, id)
    return try await store.hop(to: store.readerQueue) { isCancelled in
      let (value, regions) = try store.read(isCancelled: isCancelled) { session in
        session.connection.footprint.read = []
        defer { session.connection.footprint.read = nil }
        let value = try fetch(session)
        return (value, session.connection.footprint.read ?? [])
      }
      audience.didRead(id, regions)
      return value
    }
  }
}
