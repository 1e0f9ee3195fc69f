import Composition
import FerryStore
import Testing

@Suite struct `A worker that runs again and again` {
  @Test(arguments: [
    ("1s", 1), ("30s", 30), ("5m", 300), ("1h30m", 5400), ("1d", 86_400), ("1d2h3m4s", 93_784), ("90m", 5400),
    ("007s", 7), ("0s", 0), ("366d", 31_622_400),
  ])
  func `is told how often`(text: String, seconds: Int64) {
    #expect(DurationText.duration(text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "5", "m", "5 m", "-5m", "5m5m", "5s1m", "1.5h", "5min", "５m", "99999999999999999999s",
    "9223372036854775807d",
    "367d", "1h ", "+1s",
  ])
  func `is told no nonsense`(text: String) {
    #expect(DurationText.duration(text) == nil)
  }

  private static let now = Timestamp(nanoseconds: 1_000_000_000_000)

  private func pause(_ spent: Duration, _ retryAfter: Int64? = nil, isDone: Bool = false) -> Duration {
    let retryAt = retryAfter.map { Timestamp(nanoseconds: Self.now.nanoseconds + $0 * 1_000_000_000) }
    return SyncSchedule(every: .seconds(300)).pause(
      after: spent, isDone: isDone, retryAt: retryAt, now: Self.now)
  }

  @Test func `counts from start to start, and never leaves no pause at all`() {
    #expect(pause(.seconds(20)) == .seconds(280))
    #expect(pause(.seconds(300)) == .seconds(1))
    #expect(pause(.seconds(4000)) == .seconds(1))
  }

  @Test func `never comes sooner for a server that asks for time, unless something waits`() {
    #expect(pause(.seconds(20), 2, isDone: true) == .seconds(280))
    #expect(pause(.seconds(20), 7200, isDone: true) == .seconds(7200))
  }

  @Test func `wakes when the server says, be that sooner or later`() {
    #expect(pause(.seconds(20), 30) == .seconds(30))
    #expect(pause(.seconds(20), 7200) == .seconds(7200))
    #expect(pause(.seconds(20), 0) == .seconds(1))
    #expect(pause(.seconds(20), -5) == .seconds(1))
    let never = SyncSchedule(every: .seconds(300)).pause(
      after: .zero, isDone: false, retryAt: Timestamp(nanoseconds: .max), now: Timestamp(nanoseconds: -5))
    #expect(never == .seconds(300))
  }
}
