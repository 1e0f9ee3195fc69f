/// Who is to hear of commits: observers, by what they have read, and listeners to change sets.
final class Audience: Sendable {
  private struct State {
    var lastID = 0
    var observers: [Int: Observer] = [:]
    var listeners: [Int: Listener] = [:]
  }
  private let state = Locked(State())

  /// Whether anybody wants the rows of a commit.
  var isListening: Bool { state.withLock { !$0.listeners.isEmpty } }
  var hasObservers: Bool { state.withLock { !$0.observers.isEmpty } }

  /// Tells everybody whom a commit concerns. It is called with the writer held, so that change sets come in
  /// the order of the commits.
  func didCommit(_ commit: Commit, name: (Int64) -> AccountID?) {
    wake { $0.missed(commit.regions) }
    guard !commit.rows.isEmpty else { return }
    let rows = commit.rows.map { changed in
      let account = changed.row.account.flatMap(name)
      return (
        changed.row.account,
        RowChange(table: changed.row.table, account: account, key: changed.row.key, kind: changed.kind)
      )
    }
    let origin = commit.origin
    let overrun = state.withLock { state in
      state.listeners.filter { _, listener in
        let changes = rows.filter { listener.account == nil || listener.account == $0.0 }.map(\.1)
        guard !changes.isEmpty else { return false }
        return !listener.take(ChangeSet(origin: origin, changes: changes))
      }
    }
    // Outside the lock: ending a stream calls back to here.
    for listener in overrun.values { listener.end(.lagged(limit: listener.limit)) }
  }

  /// Tells every observer to look again: somebody else has written, nobody knows what.
  func wakeAll() { wake { $0.missedAnything() } }

  private func wake(_ miss: (inout Observer) -> Bool) {
    state.withLock { state in
      for id in Array(state.observers.keys) {
        if var observer = state.observers.removeValue(forKey: id) {
          if miss(&observer) { observer.signal.yield() }
          state.observers[id] = observer
        }
      }
    }
  }

  /// Wakes everybody; what they do next meets the closed store.
  func close() {
    wakeAll()
    for listener in state.withLock({ $0.listeners }).values { listener.end(.closed) }
  }
}

// Observers.
extension Audience {
  func add(_ signal: AsyncStream<Void>.Continuation) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.observers[state.lastID] = Observer(signal: signal)
      return state.lastID
    }
  }

  func removeObserver(_ id: Int) { state.withLock { _ = $0.observers.removeValue(forKey: id) } }

  /// From here on what is committed may be missing in what the observer reads.
  func willRead(_ id: Int) {
    state.withLock { $0.observers[id]?.attention = .reading(missed: [], anything: false) }
  }

  /// The observer has read, and from these.
  func didRead(_ id: Int, _ regions: Set<Region>) {
    state.withLock { state in
      if state.observers[id]?.didRead(regions) == true { state.observers[id]?.signal.yield() }
    }
  }
}

// Listeners.
extension Audience {
  func add(_ listener: Listener) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.listeners[state.lastID] = listener
      return state.lastID
    }
  }

  func removeListener(_ id: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: id) } }
}

/// One iterator of an observation, as the audience sees it.
struct Observer: Sendable {
  let signal: AsyncStream<Void>.Continuation
  var attention = Attention.reading(missed: [], anything: false)

  enum Attention {
    /// Reading just now: what is committed meanwhile is held against what it turns out to read.
    case reading(missed: Set<Region>, anything: Bool)
    case waiting(Set<Region>)
    /// Told, and not yet reading: nothing more needs to be said.
    case woken
  }

  /// - Returns: whether to wake the observer.
  mutating func missed(_ regions: Set<Region>) -> Bool {
    switch attention {
    case .reading(let missed, let anything):
      attention = .reading(missed: missed.union(regions), anything: anything)
    case .waiting(let read):
      guard regions.meets(read) else { return false }
      attention = .woken
      return true
    case .woken: break
    }
    return false
  }

  mutating func missedAnything() -> Bool {
    switch attention {
    case .reading(let missed, _): attention = .reading(missed: missed, anything: true)
    case .waiting:
      attention = .woken
      return true
    case .woken: break
    }
    return false
  }

  mutating func didRead(_ regions: Set<Region>) -> Bool {
    if case .reading(let missed, let anything) = attention, anything || missed.meets(regions) {
      attention = .woken
      return true
    }
    attention = .waiting(regions)
    return false
  }
}

/// Somebody who takes change sets.
struct Listener: Sendable {
  /// nil: those of all accounts and of the device.
  let account: Int64?
  let limit: Int
  let sets: AsyncThrowingStream<ChangeSet, any Error>.Continuation

  /// - Returns: false where there was no room for it.
  func take(_ set: ChangeSet) -> Bool { if case .dropped = sets.yield(set) { false } else { true } }

  func end(_ error: StoreError) { sets.finish(throwing: error) }
}
