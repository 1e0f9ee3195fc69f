/// Work that comes and goes while a screen is shown: each piece is a child of ``run()``, so that none outlives it.
final class Crew: Sendable {
  /// A piece of work that has been begun.
  struct Job: Sendable {
    fileprivate let stopping: AsyncStream<Never>.Continuation
    fileprivate let ended: AsyncStream<Never>

    /// Cancels it.
    func stop() { stopping.finish() }

    /// Returns when it is over.
    func end() async { for await _ in ended {} }
  }

  private let (works, work) = AsyncStream.makeStream(of: (@MainActor @Sendable () async -> Void).self)

  /// Has work done; before `run` it waits for that.
  @discardableResult func start(_ body: @escaping @MainActor @Sendable () async -> Void) -> Job {
    let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    work.yield {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await body() }
        group.addTask { for await _ in stop {} }
        await group.next()
        group.cancelAll()
      }
      end.finish()
    }
    return Job(stopping: stopping, ended: ended)
  }

  /// Does what is begun until the task is cancelled, and returns when all of it is over.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await body in works { group.addTask { await body() } }
      group.cancelAll()
    }
  }
}

/// A value that changes, for whoever wants to hear of it: the newest one counts.
@MainActor final class Latest<Value: Sendable> {
  private(set) var value: Value
  private var listeners: [AsyncStream<Value>.Continuation] = []

  init(_ value: Value) { self.value = value }

  func set(_ value: Value) {
    self.value = value
    listeners.removeAll { if case .terminated = $0.yield(value) { true } else { false } }
  }

  /// The value as it is and as it will be.
  var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(value)
    listeners.append(continuation)
    return stream
  }
}
