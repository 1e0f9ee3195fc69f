import Foundation
import Testing

@testable import FerryStore

/// Random conditions over random rows: what SQL finds is what the condition says of each record in memory.
@Suite struct `A generated query` {
  private static let texts = ["", "a", "ab", "b", "á", "a\u{301}", "a\0b", "\0", "한", "🚢", "A"]
  private static let numbers: [Double] = [0, -0.0, 1.5, -1.5, .infinity, -.infinity, 1e300]
  private static let wholes = [-1, 0, 1, 2, .max, .min]
  private static let kinds = ["primary", "archived", "spam", ""]

  private typealias Condition = FerryStore.QueryExpression<Everything, Bool>
  private static let columns = Columns<Everything>()

  private static func row(_ id: Int64, _ generator: inout Seeded) -> Everything {
    var row = Everything(id)
    row.text = texts.pick(&generator)
    row.note = Bool.random(using: &generator) ? nil : texts.pick(&generator)
    row.whole = wholes.pick(&generator)
    row.flag = .random(using: &generator)
    row.maybe = [nil, true, false].pick(&generator)
    row.real = numbers.pick(&generator)
    row.score = Bool.random(using: &generator) ? nil : numbers.pick(&generator)
    row.kind = Bool.random(using: &generator) ? nil : FolderKind(rawValue: kinds.pick(&generator))
    row.level = Level(rawValue: .random(in: 0...3, using: &generator))
    row.due = Bool.random(using: &generator) ? nil : [Timestamp.min, .max].pick(&generator)
    row.blob = Data(texts.pick(&generator).utf8)
    return row
  }

  private static func leaf(_ generator: inout Seeded) -> Condition {
    let (text, whole, number) = (texts.pick(&generator), wholes.pick(&generator), numbers.pick(&generator))
    let kind = FolderKind(rawValue: kinds.pick(&generator))
    let some = (0..<Int.random(in: 0...3, using: &generator)).map { _ in texts.pick(&generator) }
    switch Int.random(in: 0..<26, using: &generator) {
    case 0: return columns.text == text
    case 1: return columns.text != text
    case 2: return columns.text < text
    case 3: return columns.text >= text
    case 4: return columns.text.contains(text)
    case 5: return columns.text.starts(with: text)
    case 6: return columns.note == text
    case 7: return columns.note != text
    case 8: return columns.note == nil
    case 9: return some.contains(columns.text)
    case 10: return (some.map(Optional.some) + [nil]).contains(columns.note)
    case 11: return some.map(Optional.some).contains(columns.note)
    case 12: return columns.whole <= whole
    case 13: return columns.whole > whole
    case 14: return columns.flag
    case 15: return columns.maybe == true
    case 16: return columns.maybe != false
    case 17: return columns.real < number
    case 18: return columns.real == number
    case 19: return columns.score != number
    case 20: return columns.kind == kind
    case 21: return columns.kind != kind
    case 22: return [Level.low, .unknown(3)].contains(columns.level)
    case 23: return columns.due == .max
    case 24: return columns.blob == Data(text.utf8)
    default: return [kind, nil].contains(columns.kind)
    }
  }

  private static func condition(depth: Int, _ generator: inout Seeded) -> Condition {
    guard depth > 0 else { return leaf(&generator) }
    let left = condition(depth: depth - 1, &generator)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0, 1: return left && condition(depth: depth - 1, &generator)
    case 2, 3: return left || condition(depth: depth - 1, &generator)
    case 4: return !left
    case 5: return left == condition(depth: depth - 1, &generator)
    default: return [true].contains(left) != leaf(&generator)
    }
  }

  @Test func `finds what its evaluation in memory finds, 300 times over`() throws {
    let seed = ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap(UInt64.init) ?? 20_250_301
    var generator = Seeded(seed: seed)
    let shelf = try Shelf()
    let rows = (1...60).map { Self.row($0, &generator) }
    try shelf.account.blockingWrite { try $0.insert(rows) }
    for number in 1...300 {
      let condition = Self.condition(depth: .random(in: 0...4, using: &generator), &generator)
      let found = try shelf.account.blockingRead {
        try $0.fetch(Everything.where { _ in condition }).map(\.id)
      }
      let expected = try rows.filter { try condition.evaluate($0) }.map(\.id)
      #expect(found == expected, "case \(number) of FERRY_SEED=\(seed): \(condition.node)")
      if found != expected { return }
    }
  }

  @Test func `orders as the values are ordered in memory`() throws {
    var generator = Seeded(seed: 5)
    let shelf = try Shelf()
    let rows = (1...60).map { Self.row($0, &generator) }
    try shelf.account.blockingWrite { try $0.insert(rows) }
    let byText = try shelf.account.blockingRead { try $0.fetch(Everything.all.order { $0.text.ascending }) }
    let expected = rows.sorted {
      bytes($0.text) == bytes($1.text)
        ? $0.id < $1.id : bytes($0.text).lexicographicallyPrecedes(bytes($1.text))
    }
    #expect(byText.map(\.id) == expected.map(\.id))
    let byNumber = try shelf.account.blockingRead {
      try $0.fetch(Everything.all.order { $0.real.descending })
    }
    #expect(byNumber.map(\.real) == rows.map(\.real).sorted(by: >))
  }
}
