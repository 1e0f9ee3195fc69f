import FerryKernel
import Testing

/// Laws over seeded random values and bytes.
@Suite struct JSONPropertyTests {
  @Test("every value is read back as it was written", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    var values = RandomJSON(seed: seed)
    for _ in 0..<100 {
      let value = values.value(depth: 4)
      let bytes = try value.bytes()
      let back = try JSONValue.parse(bytes)
      #expect(back == value)
      #expect(try back.bytes() == bytes)
      #expect(try JSONValue.parse(value.bytes(order: .sorted)) == value)
    }
  }

  @Test("every finite number is read back to the same bits")
  func numbers() throws {
    var random = SeededRandom(seed: 754)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      #expect(try JSONValue.parse(JSONValue.number(number).bytes()) == .number(number))
    }
  }

  @Test("sorted text doesn't depend on the order of the members")
  func sorted() throws {
    var random = SeededRandom(seed: 1)
    var values = RandomJSON(seed: 1)
    for _ in 0..<100 {
      let members = (0..<30).map { ("n\($0)", values.value(depth: 2)) }
      let texts = try (0..<2).map { _ in
        var object = JSONObject()
        for (name, value) in members.shuffled(using: &random) { object[name] = value }
        return try JSONValue.object(object).bytes(order: .sorted)
      }
      #expect(texts[0] == texts[1])
    }
  }

  @Test("no cut and no changed byte crashes the parser, and what it takes it writes", arguments: 0..<20)
  func damage(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var values = RandomJSON(seed: seed)
    for _ in 0..<200 {
      var bytes = try values.value(depth: 4).bytes()
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
      for _ in 0..<3 {
        guard let index = bytes.indices.randomElement(using: &random) else { break }
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      try check(bytes)
    }
  }

  @Test("no garbage crashes the parser")
  func garbage() throws {
    var random = SeededRandom(seed: 8259)
    let alphabet = Array(#"[]{}:,"\u0d8c-+.eE1tfn "#.utf8) + [0x00, 0x80, 0xC3, 0xED, 0xF4, 0xFF]
    for _ in 0..<20_000 {
      try check(
        (0..<Int.random(in: 0...24, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
  }

  private func check(_ bytes: [UInt8]) throws {
    guard let value = try? JSONValue.parse(bytes) else { return }
    #expect(try JSONValue.parse(value.bytes()) == value)
  }
}

/// Random values that lean towards what is awkward.
struct RandomJSON {
  private var random: SeededRandom
  private static let pieces = [
    "", "a", "\u{E9}", "e\u{301}", "\0", "\"", "\\", "\n", "\u{1F}", "\u{7F}", "\u{1F600}", "/", "\u{2028}",
  ]
  private static let numbers: [Double] = [
    0, -0.0, 1, 0.1, 1e22, 1e16, 1e15, .leastNonzeroMagnitude, 1e-4, 1e-5, .greatestFiniteMagnitude,
  ]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0...63, using: &random))
    case 3: return .number(Self.numbers.randomElement(using: &random) ?? 0)
    case 4, 5: return .string(text())
    case 6: return .array((0..<count()).map { _ in value(depth: depth - 1) })
    default:
      var object = JSONObject()
      for _ in 0..<count() { object[text()] = value(depth: depth - 1) }
      return .object(object)
    }
  }

  private mutating func count() -> Int { Int.random(in: 0...20, using: &random) }

  private mutating func text() -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
      .joined()
  }
}
