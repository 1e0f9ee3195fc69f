@testable import FerryConsole

/// A clock that stands still until a test moves it.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  // `Duration` alone would be the clock's own associated type, which is being inferred here.
  private let elapsed = Locked(Swift.Duration.zero)
  let minimumResolution = Swift.Duration.nanoseconds(1)

  var now: Instant { elapsed.withLock { Instant(offset: $0) } }

  func advance(by duration: Swift.Duration) { elapsed.withLock { $0 += duration } }

  /// Nothing under test sleeps.
  func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    throw CancellationError()
  }
}
