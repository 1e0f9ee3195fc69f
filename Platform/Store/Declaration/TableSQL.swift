/// The statements of a table that don't vary, rendered once.
struct TableSQL: Sendable {
  let columns: String
  let insert: String
  let upsert: String
  /// Of the row with the record's key, where it differs.
  let update: String
  let find: String
  let delete: String
  let deleteAll: String

  init(_ table: TableDeclaration) {
    let name = quoted(table.name)
    let account = table.hasAccount ? [quoted(TableDeclaration.accountColumn)] : []
    let own = table.columns.map { quoted($0.name) }
    let all = account + own
    let key = account + [quoted(table.key.name)]
    let rest = own.filter { $0 != quoted(table.key.name) }
    let marks = Array(repeating: "?", count: all.count).joined(separator: ", ")
    let byKey = key.map { "\($0) = ?" }.joined(separator: " AND ")

    columns = own.map { "\(name).\($0)" }.joined(separator: ", ")
    insert = "INSERT INTO \(name) (\(all.joined(separator: ", "))) VALUES (\(marks))"
    find = "SELECT \(columns) FROM \(name) WHERE \(byKey)"
    delete = "DELETE FROM \(name) WHERE \(byKey)"
    deleteAll = "DELETE FROM \(name)" + (table.hasAccount ? " WHERE \(account[0]) = ?" : "")
    // Parameters are numbered as `insert` has them.
    func number(_ column: String) -> String { "?\((all.firstIndex(of: column) ?? 0) + 1)" }
    // A record that is nothing but its key is never different.
    let (pairs, differences) =
      rest.isEmpty
      ? ("\(key[key.count - 1]) = \(number(key[key.count - 1]))", "false")
      : (
        rest.map { "\($0) = \(number($0))" }.joined(separator: ", "),
        rest.map { "\($0) IS NOT \(number($0))" }.joined(separator: " OR ")
      )
    update =
      "UPDATE \(name) SET \(pairs) WHERE " + key.map { "\($0) = \(number($0))" }.joined(separator: " AND ")
      + " AND (\(differences))"
    // Only a row that differs is written, so an unchanged one costs no page and wakes no observer.
    let target = key.joined(separator: ", ")
    upsert =
      rest.isEmpty
      ? "\(insert) ON CONFLICT (\(target)) DO NOTHING"
      : "\(insert) ON CONFLICT (\(target)) DO UPDATE SET "
        + rest.map { "\($0) = excluded.\($0)" }.joined(separator: ", ") + " WHERE "
        + rest.map { "\(name).\($0) IS NOT excluded.\($0)" }.joined(separator: " OR ")
  }
}
