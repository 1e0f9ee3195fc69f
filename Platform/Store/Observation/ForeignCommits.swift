import Dispatch

/// Notices the commits of other processes while somebody observes. SQLite says, on a connection, whether anybody
/// but that connection has committed; it is asked on the writer's, ten times a second, unless the writer is
/// busy: then the writer asks itself after its commit.
///
/// Its task is one of the house's three that nobody awaits where they begin; `Store.close()` awaits its end.
final class ForeignCommits: Sendable {
  static let interval = Duration.milliseconds(100)

  private struct State {
    var task: Task<Void, Never>?
    var isClosed = false
  }

  private let clock: any Clock<Duration>
  private let poll: Poll
  private let (needs, need) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let state = Locked(State())

  init(writer: ConnectionSlot, queue: DispatchQueue, audience: Audience, clock: any Clock<Duration>) {
    self.clock = clock
    poll = Poll(writer: writer, queue: queue, audience: audience)
  }

  deinit { state.withLock { $0.task?.cancel() } }

  /// How often it has asked.
  var pollCount: Int { poll.count.withLock { $0 } }

  /// Somebody observes.
  func begin() {
    state.withLock { state in
      if state.task == nil, !state.isClosed { state.task = makeTask() }
    }
    need.yield()
  }

  /// To be called by whoever holds the writer, after a commit.
  func checkIfOwed(on connection: Connection) { poll.checkIfOwed(on: connection) }

  func close() async {
    let task = state.withLock { state in
      state.isClosed = true
      return state.task
    }
    task?.cancel()
    await task?.value
  }

  private func makeTask() -> Task<Void, Never> {
    Task { [clock, poll, needs] in
      for await _ in needs {
        while poll.isNeeded {
          do { try await clock.sleep(for: ForeignCommits.interval) } catch { return }
          if poll.isNeeded { await poll() }
        }
      }
    }
  }
}

/// Asking once. It doesn't keep the store, which may go while the task sleeps.
private final class Poll: Sendable {
  private let queue: DispatchQueue
  private let audience: Audience
  private let check: @Sendable () throws -> Bool?
  private let isOwed = Locked(false)
  let count = Locked(0)

  init(writer: ConnectionSlot, queue: DispatchQueue, audience: Audience) {
    self.queue = queue
    self.audience = audience
    check = { [weak writer] in try writer?.withConnectionIfFree { try $0.hasForeignCommits() } }
  }

  var isNeeded: Bool { audience.hasObservers }

  func callAsFunction() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.count.withLock { $0 += 1 }
        self.tell { try self.check() }
        continuation.resume()
      }
    }
  }

  func checkIfOwed(on connection: Connection) {
    guard isOwed.withLock({ $0 }) else { return }
    tell { try connection.hasForeignCommits() }
  }

  private func tell(_ check: () throws -> Bool?) {
    do {
      let answer = try check()
      isOwed.withLock { $0 = answer == nil }
      if answer == true { audience.wakeAll() }
    } catch {
      // Whatever is wrong with the store, the observers meet it when they look again.
      audience.wakeAll()
    }
  }
}
