import FerryStore
import Foundation
import Testing

@Suite struct `A timestamp` {
  private func clamped(_ seconds: Int64, _ nanoseconds: Int64) -> Int64? {
    let (time, wasClamped) = Timestamp.clamping(seconds: seconds, nanoseconds: nanoseconds)
    return wasClamped ? nil : time.nanoseconds
  }

  @Test func `is exact to the last nanosecond of its range`() {
    #expect(clamped(9_223_372_036, 854_775_807) == .max)
    #expect(clamped(-9_223_372_036, -854_775_808) == .min)
    #expect(clamped(-9_223_372_037, 145_224_192) == .min)
    #expect(clamped(9_223_372_037, -145_224_193) == .max)
    #expect(clamped(0, .max) == .max)
    #expect(clamped(0, .min) == .min)
    #expect(clamped(-1, 1) == -999_999_999)
  }

  @Test func `takes parts of any size and sign, as long as their sum fits`() {
    #expect(clamped(9_223_372_039, -3_000_000_000) == 9_223_372_036_000_000_000)
    #expect(clamped(-9_223_372_039, 3_000_000_000) == -9_223_372_036_000_000_000)
    #expect(clamped(10_000_000_000, .min) == 776_627_963_145_224_192)
  }

  @Test func `becomes the nearest end beyond its range, and says so`() {
    for (seconds, nanoseconds, end): (Int64, Int64, Timestamp) in [
      (9_223_372_036, 854_775_808, .max), (9_223_372_037, 0, .max), (.max, .max, .max), (.max, 0, .max),
      (253_402_300_800, 0, .max), (-9_223_372_036, -854_775_809, .min), (-9_223_372_037, 145_224_191, .min),
      (-62_135_769_600, 0, .min), (.min, 0, .min), (.min, .min, .min), (1, .max, .max), (-1, .min, .min),
    ] {
      let (time, wasClamped) = Timestamp.clamping(seconds: seconds, nanoseconds: nanoseconds)
      #expect(wasClamped && time == end, "\(seconds) \(nanoseconds)")
    }
  }

  @Test func `equals exact arithmetic over random parts near every border`() {
    var generator = Seeded(seed: 1)
    let borders: [Int64] = [0, 1, -1, 9_223_372_036, -9_223_372_036, .max, .min]
    for _ in 0..<5000 {
      let seconds = borders.pick(&generator) &+ .random(in: -3...3, using: &generator)
      let small = Int64.random(in: -2_000_000_000...2_000_000_000, using: &generator)
      let nanoseconds = [small, .random(in: .min ... .max, using: &generator)].pick(&generator)
      let exact = Decimal(seconds) * 1_000_000_000 + Decimal(nanoseconds)
      let (time, wasClamped) = Timestamp.clamping(seconds: seconds, nanoseconds: nanoseconds)
      let nearest = min(Decimal(Int64.max), max(Decimal(Int64.min), exact))
      #expect(Decimal(time.nanoseconds) == nearest, "\(seconds) \(nanoseconds)")
      #expect(wasClamped == (nearest != exact), "\(seconds) \(nanoseconds)")
    }
  }

  @Test func `parts into seconds and a fraction that make it up again`() {
    for nanoseconds in [Int64.min, -1_000_000_001, -1_000_000_000, -999_999_999, -1, 0, 1, 999_999_999, .max]
    {
      let time = Timestamp(nanoseconds: nanoseconds)
      #expect((0..<1_000_000_000).contains(time.fraction))
      #expect(Timestamp.clamping(seconds: time.seconds, nanoseconds: time.fraction).time == time)
    }
  }

  @Test func `is written as ISO 8601 with the decimals it has`() {
    for (nanoseconds, text): (Int64, String) in [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999999Z"),
      (1_740_821_400_357_000_000, "2025-03-01T09:30:00.357Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00Z"), (.max, "2262-04-11T23:47:16.854775807Z"),
      (.min, "1677-09-21T00:12:43.145224192Z"), (-2_203_891_200_000_000_000, "1900-03-01T00:00:00Z"),
      (100, "1970-01-01T00:00:00.0000001Z"),
    ] {
      #expect(Timestamp(nanoseconds: nanoseconds).description == text)
    }
  }

  @Test func `is written as Foundation writes it, over random times`() {
    var generator = Seeded(seed: 2)
    for _ in 0..<3000 {
      let time = Timestamp(nanoseconds: .random(in: .min ... .max, using: &generator))
      let whole = Date(timeIntervalSince1970: TimeInterval(time.seconds)).formatted(.iso8601)
      #expect(time.description.prefix(19) == whole.prefix(19))
      let fraction = time.description.dropFirst(20).dropLast()
      #expect(Int64(fraction + String(repeating: "0", count: 9 - fraction.count)) == time.fraction)
    }
  }

  @Test func `is ordered as its nanoseconds are`() {
    #expect(Timestamp.min < Timestamp(nanoseconds: -1) && Timestamp(nanoseconds: -1) < Timestamp.max)
  }
}
