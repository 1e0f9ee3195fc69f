import FerryStore
import Foundation
import TestKit
import Testing

@testable import FerryKernel

/// Legacy values as JSON: what a backup and the quarantine hold reads back as it was.
@Suite struct LegacyValueTests {
  static let values: [LegacyValue] = [
    .null, .integer(.min), .integer(.max), .integer(1 << 53 + 1), .flag(true), .flag(false),
    .number(0), .number(-0.0), .number(1), .number(0.1), .number(.leastNonzeroMagnitude),
    .number(.greatestFiniteMagnitude),
    .number(1e22), .number(.nan), .number(.infinity), .number(-.infinity),
    .text(""), .text("e\u{301}"), .text("\u{e9}"), .text("a\u{0}b"), .text("\u{2028}\u{feff}\n\r\t\"\\/"),
    .text("👩‍👩‍👧‍👦𠀀"), .text("$bytes"), .bytes([]), .bytes([0, 255, 10]),
    .time(seconds: .min, nanoseconds: -999_999_999), .time(seconds: .max, nanoseconds: 999_999_999),
    .time(seconds: 0, nanoseconds: 0), .objectID(Array(0..<12)),
    .link(.integer(-7)), .link(.text("e\u{301}/_-")), .link(.text("")),
    .link(.objectID(Array(repeating: 255, count: 12))),
    .link(.position(0)), .decimal("1.10"), .decimal("-Inf"), .decimal(""), .list([]), .dictionary([]),
    .list([
      .list([.null]), .dictionary([.init(name: "$bytes", value: .text("x")), .init(name: "", value: .null)]),
    ]),
    .dictionary([
      .init(name: "e\u{301}", value: .integer(1)), .init(name: "\u{e9}", value: .integer(2)),
      .init(name: "\u{e9}", value: .null),
    ]),
  ]

  private func roundTrip(_ value: LegacyValue) throws -> LegacyValue? {
    LegacyValue(json: try JSONValue.parse(text: try value.json.text()))
  }

  @Test("Every kind of value comes back as it was, to the byte and the bit", arguments: values)
  func comesBack(_ value: LegacyValue) throws {
    let back = try #require(try roundTrip(value))
    #expect(back == value)
    #expect(back.kind == value.kind)
    if case (.number(let left), .number(let right)) = (value, back), !left.isNaN {
      #expect(left.bitPattern == right.bitPattern)
    }
  }

  @Test("No two of them are equal")
  func areDistinct() throws {
    for (left, one) in LegacyValueTests.values.enumerated() {
      for (right, other) in LegacyValueTests.values.enumerated() where left != right {
        #expect(one != other)
      }
    }
  }

  @Test("So do random ones, nested", arguments: 0..<200 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let value = LegacyValueTests.value(&random, depth: 3)
    #expect(try roundTrip(value) == value, "seed \(seed)")
  }

  private static func value(_ random: inout SplitMix64, depth: Int) -> LegacyValue {
    switch Int.random(in: 0..<(depth == 0 ? 10 : 12), using: &random) {
    case 0: .null
    case 1: .integer(random.integer())
    case 2: .flag(.random(using: &random))
    case 3: .number(Double(bitPattern: random.next()))
    case 4: .text(random.text())
    case 5:
      .bytes((0..<Int.random(in: 0...9, using: &random)).map { _ in .random(in: 0...255, using: &random) })
    case 6:
      .time(seconds: random.integer(), nanoseconds: .random(in: -999_999_999...999_999_999, using: &random))
    case 7: .link(key(&random))
    case 8: .decimal(random.text())
    case 9: .uuid(uuid(&random))
    case 10: .list((0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random, depth: depth - 1) })
    default:
      .dictionary(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          .init(name: random.text(), value: value(&random, depth: depth - 1))
        })
    }
  }

  static func key(_ random: inout SplitMix64) -> LegacyKey {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .integer(random.integer())
    case 1: .text(random.text())
    case 2: .uuid(uuid(&random))
    case 3: .objectID((0..<12).map { _ in .random(in: 0...255, using: &random) })
    default: .position(random.integer())
    }
  }

  private static func uuid(_ random: inout SplitMix64) -> UUID {
    let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  @Test(
    "JSON that no value wrote is none",
    arguments: [
      #"{}"#, #"{"a":1}"#, #"{"$bytes":"?"}"#, #"{"$bytes":"","$time":[0,0]}"#, #"{"$time":[0]}"#,
      #"{"$time":[0,4294967296]}"#,
      #"{"$uuid":"x"}"#, #"{"$objectId":"00"}"#, #"{"$link":"x"}"#, #"{"$link":"i07"}"#,
      #"{"$dictionary":[["a"]]}"#,
      #"{"$number":"many"}"#, #"[{"a":1}]"#, #"{"$decimal":1}"#,
    ])
  func foreign(_ text: String) throws {
    #expect(LegacyValue(json: try JSONValue.parse(text: text)) == nil)
  }
}

/// Legacy keys as identifiers that servers take.
@Suite struct LegacyKeyTests {
  @Test("Known keys have known identifiers, for ever")
  func known() {
    #expect(LegacyKey.integer(-7).identifier == "i-7")
    #expect(LegacyKey.integer(.min).identifier == "i-9223372036854775808")
    #expect(LegacyKey.text("언어").identifier == "s_ec_96_b8_ec_96_b4")
    #expect(LegacyKey.text("7").identifier == "s7")
    #expect(LegacyKey.text("a_b c").identifier == "sa_5fb_20c")
    #expect(LegacyKey.text("").identifier == "s")
    #expect(LegacyKey.objectID(Array(0..<12)).identifier == "o000102030405060708090a0b")
    #expect(LegacyKey.position(3).identifier == "p3")
  }

  @Test(
    "They read back as the keys they were made from, and are legal for servers",
    arguments: 0..<300 as Range<UInt64>)
  func reversible(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let key = LegacyValueTests.key(&random)
    let identifier = key.identifier
    let back = try #require(LegacyKey(identifier: identifier))
    #expect(LegacyValue.link(back) == .link(key), "seed \(seed)")
    #expect(
      try #/[a-zA-Z0-9][a-zA-Z0-9_-]*/#.wholeMatch(in: identifier) != nil, "seed \(seed): \(identifier)")
  }

  @Test(
    "What no key is written as names none",
    arguments: [
      "", "i", "i07", "i+7", "i-0", "p", "u", "uAAAA", "o00", "s_", "s_e", "s_EC_96_B8", "s_41", "sa b",
      "s_ff", "x1",
    ])
  func foreign(_ identifier: String) {
    #expect(LegacyKey(identifier: identifier) == nil)
  }

  @Test("Placeholders make no identifier, of whatever type; other negatives and zero do")
  func placeholders() {
    for key in [LegacyKey.integer(-1), .text("-1"), .text("")] { #expect(BookID(legacy: key) == nil) }
    for key in [LegacyKey.integer(-7), .integer(0), .text("0"), .text(" ")] {
      #expect(BookID(legacy: key) != nil)
    }
  }
}
