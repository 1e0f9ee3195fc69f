/// The state behind a list: skeleton, content, empty, failure, cancelled; its rows, and what is selected.
///
/// It belongs to whoever made it. It isn't `Sendable` and has no actor of its own: made on the main actor it stays
/// there, made in another actor or a task it stays there, and the compiler sees to it. ``run(isolation:snapshots:loading:apply:)``
/// fetches in child tasks, and calls `apply` where the model is (trap S5).
///
/// ```swift
/// let list = ListModel<Item>()
/// await list.run(
///   snapshots: { alice.observe(Item.where { $0.folder == inbox }) },
///   loading: { try await engine.sync() },
///   apply: { view.show($0) })
/// ```
public final class ListModel<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
  private enum Message: Sendable {
    case snapshot(ListRows<Row>, asking: Int)
    case snapshotsEnded((any Error)?, asking: Int)
    case loadingEnded(ListMachine<Row>.End, load: Int)
    case deadline
    /// Something was done from outside: there are steps to take.
    case wake
  }

  private struct Asking {
    let stop = Stop()
    /// Hears of each snapshot that has been applied.
    let taken = Inbox<Void>()
  }

  /// What takes the steps of the machine while the model runs.
  private struct Running {
    let inbox = Inbox<Message>()
    var askings: [Int: Asking] = [:]
    var loads: [Int: Stop] = [:]
  }

  private var machine: ListMachine<Row>
  private var steps: [ListMachine<Row>.Step] = []
  private var running: Running?
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - minimumSkeleton: how long a skeleton stays at least, so that it doesn't flicker (trap V2).
  ///   - whenSelectedVanishes: what is selected after an update that takes the selected row away.
  ///   - clock: what that time is measured by.
  public init<C: Clock>(
    minimumSkeleton: Duration = .milliseconds(500),
    whenSelectedVanishes: VanishedSelection = .selectNeighbour, clock: C = ContinuousClock()
  ) where C.Duration == Duration {
    machine = ListMachine(minimum: minimumSkeleton, whenSelectedVanishes: whenSelectedVanishes)
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
  }

  public var phase: ListPhase<Row> { machine.phase }

  /// The identity of the selected row, which is among those shown.
  public var selection: Row.ID? { machine.selection }

  /// Selects the row with this identity, or none. An identity that isn't shown leaves all as it is.
  public func select(_ id: Row.ID?) { take(machine.select(id)) }

  /// Loads once more; does nothing while something is being loaded.
  ///
  /// After a failure or a cancellation it is a retry, with a skeleton; otherwise what is shown stays.
  public func refresh() { take(machine.refresh(at: elapsed())) }

  /// Cancels the loading, for a person: what has come is shown at once, else `cancelled`.
  public func cancel() { take(machine.cancel(at: elapsed())) }

  /// Ends the list for good. From here on it receives nothing, whatever is still under way, and its run returns.
  public func close() {
    take(machine.close())
  }

  /// Shows the list until it is closed or the task is cancelled. A second run while one is under way returns at once.
  ///
  /// After the task was cancelled the model can be run again: it then shows what it has shown before and refreshes
  /// it, without a skeleton where it had content. The call returns when its child tasks are over, `loading` included.
  ///
  /// - Parameters:
  ///   - snapshots: gives a sequence whose first element is what there is at that time. It is asked again when
  ///     loading has ended with no row seen, so that an answer from before isn't taken for "empty", and at a retry.
  ///     The sequence's next element is asked for when the last one has been applied.
  ///   - loading: loads, and returns when loading is over: the one thing that says so. It is called again by
  ///     ``refresh()``. A `CancellationError` is a cancellation; anything else that it throws is a failure.
  ///   - apply: shows an update, in the model's own isolation, before anything else happens to the model.
  public func run<Snapshots: AsyncSequence & SendableMetatype>(
    isolation: isolated (any Actor)? = #isolation, snapshots: @escaping @Sendable () -> Snapshots,
    loading: @escaping @Sendable () async throws -> Void, apply: (ListUpdate<Row>) -> Void
  ) async where Snapshots.Element == [Row], Snapshots.AsyncIterator: SendableMetatype {
    guard running == nil, !machine.isClosed else { return }
    let running = Running()
    self.running = running
    steps = machine.begin(at: elapsed())
    let fetch = Self.fetch(snapshots, into: running.inbox)
    let load = Self.load(loading, into: running.inbox)
    await withDiscardingTaskGroup { group in
      _ = isolation
      perform(in: &group, fetch, load, apply)
      for await message in running.inbox.messages {
        guard !Task.isCancelled, !machine.isClosed else { break }
        hear(message)
        perform(in: &group, fetch, load, apply)
        if case .snapshot(_, let asking) = message { self.running?.askings[asking]?.taken.put(()) }
      }
      group.cancelAll()
    }
    self.running = nil
  }

  private typealias Fetch = @Sendable (_ asking: Int, _ taken: Inbox<Void>) async -> Void
  private typealias Load = @Sendable (_ load: Int) async -> Void

  private static func fetch<Snapshots: AsyncSequence & SendableMetatype>(
    _ snapshots: @escaping @Sendable () -> Snapshots, into inbox: Inbox<Message>
  ) -> Fetch where Snapshots.Element == [Row], Snapshots.AsyncIterator: SendableMetatype {
    { asking, taken in
      var turns = taken.messages.makeAsyncIterator()
      do {
        for try await snapshot in snapshots() {
          inbox.put(.snapshot(ListRows(snapshot), asking: asking))
          guard await turns.next() != nil else { return }
        }
        inbox.put(.snapshotsEnded(nil, asking: asking))
      } catch {
        inbox.put(.snapshotsEnded(error, asking: asking))
      }
    }
  }

  private static func load(
    _ loading: @escaping @Sendable () async throws -> Void, into inbox: Inbox<Message>
  ) -> Load {
    { load in
      do {
        try await loading()
        inbox.put(.loadingEnded(.success, load: load))
      } catch is CancellationError {
        inbox.put(.loadingEnded(.cancelled, load: load))
      } catch {
        inbox.put(.loadingEnded(.failure(error), load: load))
      }
    }
  }

  private func hear(_ message: Message) {
    let now = elapsed()
    switch message {
    case .snapshot(let rows, let asking): steps += machine.snapshot(rows, asking: asking, at: now)
    case .snapshotsEnded(let error, let asking):
      steps += machine.snapshotsEnded(error, asking: asking, at: now)
    case .loadingEnded(let end, let load): steps += machine.loadingEnded(end, load: load, at: now)
    case .deadline: steps += machine.deadline(at: now)
    case .wake: break
    }
  }

  /// The steps of what was done from outside are taken by the loop, in their order.
  private func take(_ new: [ListMachine<Row>.Step]) {
    guard let running else { return }
    steps += new
    running.inbox.put(.wake)
  }

  private func perform(
    in group: inout DiscardingTaskGroup, _ fetch: @escaping Fetch, _ load: @escaping Load,
    _ apply: (ListUpdate<Row>) -> Void
  ) {
    guard let inbox = running?.inbox else { return }
    while !steps.isEmpty {
      switch steps.removeFirst() {
      case .show(let update): apply(update)
      case .observe(let asking):
        let (number, asking) = (asking, Asking())
        running?.askings[number] = asking
        group.addTask { await asking.stop.limit { await fetch(number, asking.taken) } }
      case .stopObserving(let asking): running?.askings.removeValue(forKey: asking)?.stop.now()
      case .load(let number):
        let stop = Stop()
        running?.loads = [number: stop]
        group.addTask { await stop.limit { await load(number) } }
      case .stopLoading(let number): running?.loads.removeValue(forKey: number)?.now()
      case .wake(let after):
        let sleep = sleep
        group.addTask {
          do {
            try await sleep(after)
            inbox.put(.deadline)
          } catch {
            // Cancelled: nobody waits for it any more.
          }
        }
      }
    }
  }
}
