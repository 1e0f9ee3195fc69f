/// SQL that never varies, with a number of its own, so that a connection finds its prepared statement without
/// hashing the text.
///
/// One is made for each statement of a declared table and of the store itself, which are few: each connection
/// keeps the statement for as long as it is open.
struct FixedSQL: Sendable {
  let text: String
  let number: Int

  private static let count = Locked(0)

  init(_ text: String) {
    self.text = text
    number = FixedSQL.count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}

extension FixedSQL {
  static let begin = FixedSQL("BEGIN")
  static let beginImmediate = FixedSQL("BEGIN IMMEDIATE")
  static let commit = FixedSQL("COMMIT")
  static let readLife = FixedSQL("SELECT state FROM store_account_life WHERE key = ?")
  static let readGate = FixedSQL("SELECT reason, tables FROM store_gate")
}
