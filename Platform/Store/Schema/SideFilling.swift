extension FrozenTable {
  /// Writes what is kept beside the rows that there are, where nothing is yet.
  func fill(_ fill: SchemaStep.Fill, on connection: Connection) throws {
    let sides =
      switch fill {
      case .all: self.sides
      case .search: self.sides.onlySearch
      case .members(let column): self.sides.only(membersOf: column)
      }
    try forEachRow(of: nil, on: connection) { account, key, values in
      try SideRows(sides: sides, connection: connection, account: account).write(key, isNew: true) {
        index throws(StoreError) in values[index]
      }
    }
  }

  /// Hands each row to `body`: its account, its key, and its columns as they are stored.
  ///
  /// - Parameter account: whose rows; nil: everybody's, or the device's.
  func forEachRow(
    of account: Int64?, on connection: Connection,
    _ body: (Int64?, StoredValue, [StoredValue]) throws -> Void
  ) throws {
    let names = (prefix + [key] + columns.map(\.name)).map(quoted).joined(separator: ", ")
    let condition = account == nil ? "" : " WHERE \(quoted(TableDeclaration.accountColumn)) = ?"
    let first = Int32(prefix.count)
    let why: StaticString? = hasAccount && account == nil ? "a schema change is everybody's" : nil
    try connection.run("SELECT \(names) FROM \(quoted(name))\(condition)", acrossAccounts: why) { binder in
      if let account { try binder.bind(account, 1) }
    } row: { row in
      let values = try columns.indices.map { try row.stored(first + 1 + Int32($0)) }
      try body(hasAccount ? try row.integer(0) : nil, try row.stored(first), values)
      return true
    }
  }
}
