import FerryKernel
import Foundation

/// Makes legacy rows of an entity from its crossing's fields alone: most can cross, some can't, some have the key of
/// others.
struct LegacyRowMaker {
  private let fields: [FieldDeclaration]
  private var random: SplitMix64
  /// By field: which of its kinds the class has.
  private let kinds: [LegacyKind?]

  init(_ crossing: Crossing, seed: UInt64) {
    fields = crossing.fields
    random = SplitMix64(seed: seed)
    var random = random
    kinds = fields.map { $0.kinds.isEmpty ? nil : $0.kinds.randomElement(using: &random) }
    self.random = random
  }

  /// Rows whose keys, whichever field they are, are those of every other call.
  ///
  /// - Parameter flavour: makes other values under the same keys.
  mutating func rows(flavour: Int64) -> [[LegacyValue]] {
    var rows = (0..<30).map { index in
      fields.indices.map { value($0, Int64(index), flavour) }
    }
    // The same again, the same key with something else in the other fields, and what no field takes.
    rows += rows.prefix(4)
    for index in 5..<9 {
      var twin = rows[index]
      for field in twin.indices.dropFirst() { twin[field] = value(field, Int64(index), flavour + 100) }
      rows.append(twin)
    }
    for field in fields.indices {
      var wrong = rows[10]
      wrong[field] = .dictionary([LegacyValue.Entry(name: "x", value: .integer(1))])
      rows.append(wrong)
      wrong[field] = .null
      rows.append(wrong)
    }
    return rows
  }

  private mutating func value(_ field: Int, _ index: Int64, _ flavour: Int64) -> LegacyValue {
    // The first field is the key of most entities; the others vary.
    let number = field == 0 ? index : index * 7 + flavour
    if field > 0, fields[field].isOptional, number % 5 == 0 { return .null }
    return switch kinds[field] {
    case .integer: .integer(number)
    case .flag: .flag(number.isMultiple(of: 2))
    case .number: .number(Double(number) / 4)
    case .text: .text("text \(number) 한글")
    case .bytes: .bytes([UInt8(truncatingIfNeeded: number), 7])
    // Now and then before and after every range.
    case .time: .time(seconds: number % 11 == 3 ? -62_135_769_600 : 1_700_000_000 + number, nanoseconds: 9)
    case .uuid: .uuid(LegacyRowMaker.uuid(number))
    case .objectID: .objectID((0..<12).map { UInt8(truncatingIfNeeded: number >> Int64($0 * 8)) })
    case .link: .link(.integer(number))
    case .list: .list([.text("b \(number)"), .text("a")])
    case .dictionary: .dictionary([LegacyValue.Entry(name: "a", value: .integer(number))])
    case .decimal: .decimal("\(number).5")
    case nil: .null
    }
  }

  private static func uuid(_ number: Int64) -> UUID {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64(56 - $0 * 8)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0x40, 0, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6],
        bytes[7]
      ))
  }
}
