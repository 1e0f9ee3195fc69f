import Foundation

@testable import FerryStore

/// A clock that stands still until a test moves it.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID = 0
    var sleepers: [Int: (wakes: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Locked(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
          state.sleepers[id] = (deadline, continuation)
          defer { state.waiting = [] }
          return state.waiting
        }
        for continuation in waiting { continuation.resume() }
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: Int) {
    state.withLock { $0.sleepers.removeValue(forKey: id)?.continuation }?.resume(
      throwing: CancellationError())
  }

  /// Returns once somebody sleeps.
  func isSlept() async {
    await withCheckedContinuation { continuation in
      let isAsleep = state.withLock { state in
        if state.sleepers.isEmpty { state.waiting.append(continuation) }
        return !state.sleepers.isEmpty
      }
      if isAsleep { continuation.resume() }
    }
  }

  /// Moves the clock once somebody sleeps, and returns once they sleep again.
  func tick(by duration: Duration = ForeignCommits.interval) async {
    await isSlept()
    advance(by: duration)
    await isSlept()
  }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.wakes <= state.now }
      for id in due.keys { state.sleepers.removeValue(forKey: id) }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }
}
