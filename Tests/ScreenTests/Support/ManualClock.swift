/// A clock that stands still until a test moves it, and then wakes whoever sleeps.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct State {
    var now = Swift.Duration.zero
    var last = 0
    var sleepers: [Int: (deadline: Swift.Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }
  private let state = Shared(State())
  let minimumResolution = Swift.Duration.nanoseconds(1)

  var now: Instant { Instant(offset: state.withLock { $0.now }) }
  var sleepers: Int { state.withLock { $0.sleepers.count } }

  func advance(by duration: Swift.Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.sorted { $0.key < $1.key }
    }
    for sleeper in woken { sleeper.value.continuation.resume() }
  }

  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver = state.withLock { state in
          guard !Task.isCancelled, deadline.offset > state.now else { return true }
          state.sleepers[number] = (deadline.offset, continuation)
          return false
        }
        if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume(
        throwing: CancellationError())
    }
  }
}
