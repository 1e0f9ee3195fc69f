import FerryStore

/// Makes rows of a table from its declaration alone, any that its decoder takes: each column's values are by
/// chance, from the first kind that isn't refused by the column's name.
struct RowMaker {
  let table: TableDeclaration
  private(set) var random: SplitMix64
  /// By column: which kind of value.
  private var kinds: [Int]
  private var count = 0
  /// Columns of choices that refused a value that they have no name for.
  private(set) var closedChoices: Set<String> = []

  /// Whether some column takes none of the values that can be thought of here, so that there are no rows.
  private(set) var isStuck = false

  /// Finds out, with rows that are rolled back, which values the columns take.
  init(_ table: TableDeclaration, in store: LawStore, seed: UInt64) throws {
    self.table = table
    random = SplitMix64(seed: seed)
    kinds = table.columns.map { _ in 0 }
    // A kind may be refused for some of its values only, so one row isn't enough.
    var taken = 0
    while taken < 24, !isStuck {
      let row = row()
      guard let column = try store.refusal(of: row, table) else {
        taken += 1
        continue
      }
      taken = 0
      guard let index = table.columns.firstIndex(where: { $0.name == column }) else {
        isStuck = true
        return
      }
      if table.columns[index].shape.meaning == .choice { closedChoices.insert(column) }
      kinds[index] += 1
      isStuck = kinds[index] >= RowMaker.kindCount
    }
  }

  private static let kindCount = 8

  /// Rows of different keys.
  mutating func rows(_ count: Int) -> [[StoredValue]] { (0..<count).map { _ in row() } }

  /// Rows with the keys of others and values of their own.
  mutating func twins(of rows: [[StoredValue]]) -> [[StoredValue]] {
    rows.map { other in
      var twin = row()
      twin[table.keyIndex] = other[table.keyIndex]
      return twin
    }
  }

  private mutating func row() -> [StoredValue] {
    count += 1
    return table.columns.indices.map { index in
      let column = table.columns[index]
      if index == table.keyIndex { return value(column, kinds[index], unique: count) }
      if column.shape.isOptional, Int.random(in: 0..<4, using: &random) == 0 { return .null }
      return value(column, kinds[index], unique: nil)
    }
  }

  private mutating func value(_ column: ColumnDeclaration, _ kind: Int, unique: Int?) -> StoredValue {
    switch column.shape.storage {
    case .integer: .integer(integer(column, kind, unique))
    case .real: .real(Double(Int64.random(in: -(1 << 40)...(1 << 40), using: &random)) / 64)
    case .text: .text(text(column, kind, unique))
    case .blob:
      .blob(
        (0..<(kind == 1 ? 32 : Int.random(in: 0...40, using: &random))).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    }
  }

  private mutating func integer(_ column: ColumnDeclaration, _ kind: Int, _ unique: Int?) -> Int64 {
    if let unique { return Int64(unique) }
    if column.shape.meaning == .flag { return Int64.random(in: 0...1, using: &random) }
    return switch kind {
    case 0: random.integer()
    case 1: Int64.random(in: 0...(1 << 40), using: &random)
    case 2: Int64.random(in: 0...3, using: &random)
    default: Int64.random(in: 0...1, using: &random)
    }
  }

  private mutating func text(_ column: ColumnDeclaration, _ kind: Int, _ unique: Int?) -> String {
    if column.shape.meaning == .json {
      let texts = [#"["b","한글","b"]"#, "[]", #"["a"]"#]
      return switch kind {
      case 0: texts.randomElement(using: &random) ?? "[]"
      case 1: "[3,1,2]"
      case 2: "[]"
      case 3: "{}"
      default: "null"
      }
    }
    let number = unique ?? Int.random(in: 0..<1000, using: &random)
    return switch kind {
    // Never a placeholder, which is what identifiers alone refuse.
    case 0: "x\(number) \(random.text())"
    case 1: "word\(number)"
    case 2: "user\(number)@server"
    case 3: String(repeating: "0", count: 60) + String(1000 + number)
    case 4: "00000000-0000-4000-8000-00000000\(1000 + number)"
    case 5: "{}"
    case 6: "\(number)"
    default: ""
    }
  }
}
