/// Makes keys for rows whose class has none, of what each row says: the same rows in the same order have the
/// same keys for ever, so that crossing them twice gives the same.
///
///     var keys = StableKeys(of: "visit")
///     let key = try keys.next([.text(page), .integer(time.nanoseconds)])
///
/// Of rows that say the same each has a key of its own, by its ordinal among them. A value is for one pass over
/// one class's rows; it holds what each of them said, to tell a collision from a repetition.
public struct StableKeys: Sendable {
  private let table: String
  private let hash: @Sendable ([StoredValue], _ ordinal: Int64) -> String
  private var ordinals: [[StoredValue]: Int64] = [:]
  private var rows: [String: [StoredValue]] = [:]

  /// - Parameter table: what the rows are of, for an error.
  public init(of table: String) { self.init(of: table, hash: StableKeys.hash) }

  /// With a hash that a test chooses.
  init(of table: String, hash: @escaping @Sendable ([StoredValue], Int64) -> String) {
    (self.table, self.hash) = (table, hash)
  }

  /// The key of the next row, 32 lower-case hexadecimal digits.
  ///
  /// - Parameter row: the values that make it what it is, always in one order.
  /// - Throws: `StoreError.keyCollision` where another row has the key; it names both.
  public mutating func next(_ row: [StoredValue]) throws(StoreError) -> String {
    let ordinal = ordinals[row, default: 0]
    ordinals[row] = ordinal + 1
    let key = hash(row, ordinal)
    if let other = rows.updateValue(row, forKey: key) {
      throw .keyCollision(table: table, key: key, first: StableKeys.text(other), second: StableKeys.text(row))
    }
    return key
  }

  private static func hash(_ row: [StoredValue], ordinal: Int64) -> String {
    var hash = StableHash()
    for value in row {
      switch value {
      case .null: hash.combine("null")
      case .integer(let number):
        hash.combine("integer")
        hash.combine(number)
      case .real(let number):
        hash.combine("real")
        hash.combine(Int64(bitPattern: number.bitPattern))
      case .text(let text):
        hash.combine("text")
        hash.combine(text)
      case .blob(let bytes):
        hash.combine("blob")
        hash.combine(bytes: bytes)
      }
    }
    hash.combine(ordinal)
    return hash.finish()
  }

  private static func text(_ row: [StoredValue]) -> String {
    let values = row.map { value in
      switch value {
      case .null: "nil"
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): "\"\(text)\""
      case .blob(let bytes): "\(bytes.count) bytes"
      }
    }
    return "(\(values.joined(separator: ", ")))"
  }
}
