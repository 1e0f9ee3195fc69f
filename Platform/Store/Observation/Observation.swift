/// What a fetch finds, now and after each commit that makes it find something else.
///
///     for try await unread in alice.observe(Item.where { !$0.isRead }) { show(unread) }
///
/// The first element is what the store holds, read when it is asked for; then an element follows each commit,
/// of this process or another, after which the fetch's result isn't the last element any more. Whoever takes
/// elements more slowly than others commit gets the latest state and not those between. An error of the fetch
/// is thrown once and ends the sequence; so does closing the store. Cancelling the task ends it.
///
/// Every iterator observes for itself. Between two elements it holds no transaction and no row.
public struct Observation<Element: Sendable>: AsyncSequence, Sendable {
  let store: Store
  let fetch: @Sendable (Session) throws -> Element
  let isSame: @Sendable (Element, Element) -> Bool

  /// An observer of its own, who hasn't read anything yet.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observation: self) }

  /// One observer.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let observation: Observation
    private var attendance: Attendance?
    private var last: Element?
    private var isOver = false

    fileprivate init(observation: Observation) { self.observation = observation }

    /// The next element, once there is one; nil once the task was cancelled.
    ///
    /// - Throws: what the fetch throws, and `StoreError.closed`.
    public mutating func next() async throws -> Element? {
      guard !isOver else { return nil }
      do {
        if let element = try await following() { return element }
      } catch is CancellationError where Task.isCancelled {
      } catch {
        end()
        throw error
      }
      end()
      return nil
    }

    private mutating func following() async throws -> Element? {
      let attendance = self.attendance ?? Attendance(at: observation.store)
      if self.attendance == nil {
        self.attendance = attendance
      } else if await !attendance.isWoken() {
        return nil
      }
      while true {
        let element = try await attendance.read(observation.fetch)
        if let last, observation.isSame(last, element) {
          guard await attendance.isWoken() else { return nil }
        } else {
          last = element
          return element
        }
      }
    }

    private mutating func end() {
      isOver = true
      attendance = nil
      last = nil
    }
  }
}

extension Handle {
  /// Observes the records that a query finds. They are compared by their stored bytes.
  public func observe<R: Record>(_ query: Query<R>) -> Observation<[R]> where R.Scope == Scope {
    Observation(store: store) { session in
      try lend(session) { try Snapshot<Scope>(access: access(session)).fetch(query) }
    } isSame: { left, right in
      left.count == right.count && zip(left, right).allSatisfy { R.table.areEqual($0, $1) }
    }
  }

  /// Observes whatever a closure makes of a snapshot; the store notes which tables it reads, each time anew. It
  /// should depend on nothing else. Its values are compared by `==`.
  public func observe<Value: Sendable & Equatable>(
    _ fetch: @escaping @Sendable (borrowing Snapshot<Scope>) throws -> Value
  ) -> Observation<Value> {
    Observation(store: store) { session in
      try lend(session) { try fetch(Snapshot(access: access(session))) }
    } isSame: {
      $0 == $1
    }
  }
}
