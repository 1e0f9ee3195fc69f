import FerryStore

/// The record that Store is measured with: what lists show of a message.
struct SampleItem: Record, Equatable {
  typealias Key = Identifier<SampleItem>
  let id: Key
  var folder: String
  var title: String
  var preview: String?
  var isRead: Bool
  var isStarred: Bool
  var updatedAt: Timestamp
  var score: Double?
  var kind: SampleKind

  static let table = Table<SampleItem>(
    "item", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("folder", \.folder), Column("title", \.title),
    Column("preview", \.preview), Column("is_read", \.isRead), Column("is_starred", \.isStarred),
    Column("updated_at", \.updatedAt), Column("score", \.score), Column("kind", \.kind),
    indexes: [Index(\.folder, \.updatedAt)],
    make: {
      SampleItem(
        id: $0, folder: $1, title: $2, preview: $3, isRead: $4, isStarred: $5, updatedAt: $6, score: $7,
        kind: $8)
    }
  ).decoded { row, column in
    SampleItem(
      id: try row.next(&column), folder: try row.next(&column), title: try row.next(&column),
      preview: try row.next(&column), isRead: try row.next(&column), isStarred: try row.next(&column),
      updatedAt: try row.next(&column), score: try row.next(&column), kind: try row.next(&column))
  }

  static let schema = Schema(owner: "bench", tables: [table.declaration])
}

/// The same rows in a record that is made by its initializer alone, as most are.
struct PlainItem: Record {
  typealias Key = Identifier<SampleItem>
  let id: Key
  var folder: String
  var title: String
  var preview: String?
  var isRead: Bool
  var isStarred: Bool
  var updatedAt: Timestamp
  var score: Double?
  var kind: SampleKind

  static let table = Table<PlainItem>(
    "item", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("folder", \.folder), Column("title", \.title),
    Column("preview", \.preview), Column("is_read", \.isRead), Column("is_starred", \.isStarred),
    Column("updated_at", \.updatedAt), Column("score", \.score), Column("kind", \.kind),
    make: {
      PlainItem(
        id: $0, folder: $1, title: $2, preview: $3, isRead: $4, isStarred: $5, updatedAt: $6, score: $7,
        kind: $8)
    })
}

enum SampleKind: OpenChoice {
  case primary, archived, shared, unknown(String)

  init(rawValue: String) {
    switch rawValue {
    case "primary": self = .primary
    case "archived": self = .archived
    case "shared": self = .shared
    default: self = .unknown(rawValue)
    }
  }

  var rawValue: String {
    switch self {
    case .primary: "primary"
    case .archived: "archived"
    case .shared: "shared"
    case .unknown(let raw): raw
    }
  }
}

/// Records made of a seed: the same on every machine.
struct SampleItems: Sequence, IteratorProtocol {
  static let folderCount = 100

  private var state: UInt64
  private var made = 0
  private let count: Int

  init(_ count: Int, seed: UInt64 = 1) { (self.count, state) = (count, seed) }

  static func folder(_ number: Int) -> String { "folder-\(padded(number, 4))" }

  static func key(_ number: Int) -> Identifier<SampleItem>? { Identifier("item-\(padded(number, 8))") }

  mutating func next() -> SampleItem? {
    guard made < count, let id = SampleItems.key(made) else { return nil }
    made += 1
    let title = text(bytes: 24 + number(28), isASCII: number(100) < 55)
    let preview = number(5) == 0 ? nil : text(bytes: 80 + number(96), isASCII: number(100) < 20)
    return SampleItem(
      id: id, folder: SampleItems.folder(number(SampleItems.folderCount)), title: title, preview: preview,
      isRead: number(3) > 0, isStarred: number(10) == 0,
      updatedAt: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(number(1 << 40)) * 1000),
      score: number(2) == 0 ? nil : Double(number(1 << 20)) / 1024,
      kind: number(10) < 7 ? .primary : number(2) == 0 ? .archived : .shared)
  }

  private static let plain = Array("the quick brown fox jumps over a lazy dog and reads its mail again")
  private static let others = [
    Array("größere Übergänge für später, naïve Café-Gäste"), Array("東京都の新しい手紙と今日の予定"),
    Array("письмо о встрече завтра"),
  ]

  /// About so many bytes of UTF-8.
  private mutating func text(bytes: Int, isASCII: Bool) -> String {
    let letters = isASCII ? SampleItems.plain : SampleItems.others[number(SampleItems.others.count)]
    var text = ""
    var position = number(letters.count)
    // A text may begin with ASCII letters only, however it goes on.
    if !isASCII { text.append("é") }
    while text.utf8.count < bytes {
      text.append(letters[position % letters.count])
      position += 1
    }
    return text
  }

  /// 0 ..< bound, by SplitMix64.
  private mutating func number(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return Int((word ^ word >> 31) % UInt64(bound))
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
