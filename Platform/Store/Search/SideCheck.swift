/// What is wrong with what the store keeps beside a table's rows.
public struct SideFaults: Sendable, Equatable {
  /// The keys, in text form, of rows beside which other members or words are kept than the row has.
  public var rows: [String] = []
  /// How many members and documents belong to no row, and texts in the index to no document of anybody's.
  public var strays = 0
  /// What FTS5 says of the search index as a whole, which all accounts share; nil where it is sound.
  public var index: String?

  /// Faults as they are given, to compare with.
  public init(rows: [String] = [], strays: Int = 0, index: String? = nil) {
    (self.rows, self.strays, self.index) = (rows, strays, index)
  }

  /// Whether nothing is.
  public var isEmpty: Bool { self == SideFaults() }
}

extension Transaction {
  /// Holds what is kept beside this handle's rows of a table, members of lists and the search index, against the
  /// rows. It changes nothing, but FTS5 takes the question only from who may write.
  public func checkSides(of table: TableDeclaration) throws -> SideFaults {
    let beside = try reach(table)
    var faults = SideFaults()
    try table.frozen.forEachRow(of: access.account, on: beside.connection) { _, key, values in
      try access.session.checkCancellation()
      if try !beside.isRight(key, { index throws(StoreError) in values[index] }) {
        faults.rows.append(key.keyText)
      }
    }
    faults.strays = try beside.strays(table.frozen)
    faults.index = try beside.indexFault()
    return faults
  }

  /// Makes what is kept beside this handle's rows of a table anew from the rows.
  public func repairSides(of table: TableDeclaration) throws {
    try access.session.checkWrite(table)
    let beside = try reach(table)
    // From FTS5's own copy of the texts first: a damaged index couldn't even be emptied.
    if let search = table.sides.search {
      let index = quoted(search.name)
      try beside.connection.run("INSERT INTO \(index) (\(index)) VALUES ('rebuild')")
    }
    try beside.deleteAll()
    try beside.deleteNobodys()
    try table.frozen.forEachRow(of: access.account, on: beside.connection) { _, key, values in
      try access.session.checkCancellation()
      try beside.write(key, isNew: true) { index throws(StoreError) in values[index] }
    }
  }

  private func reach(_ table: TableDeclaration) throws -> SideRows {
    guard table.hasAccount == Scope.hasAccount else { throw StoreError.unknownTable(table.name) }
    try access.session.check(table)
    return access.beside(table)
  }
}

extension SideRows {
  fileprivate func isRight(_ key: StoredValue, _ value: (Int) throws(StoreError) -> StoredValue) throws
    -> Bool
  {
    for table in sides.members {
      let expected = try table.shape.members(of: try value(table.index), in: table.column)
      guard try members(in: table, of: key) == expected else { return false }
    }
    guard let search = sides.search else { return true }
    guard let id = try document(of: key, in: search), let texts = try texts(of: id, in: search) else {
      return false
    }
    return try texts == self.texts(search, value).map { Array($0.utf8) }
  }

  /// How many side rows of this account, or of the device, have no row in the table.
  fileprivate func strays(_ table: FrozenTable) throws -> Int {
    var count: Int64 = 0
    for side in sides.members.map(\.name) + (sides.search.map { [$0.documents] } ?? []) {
      let same = (table.prefix.map { ($0, $0) } + [(table.key, "owner")]).map { column, ofSide in
        "\(quoted(table.name)).\(quoted(column)) = \(quoted(side)).\(quoted(ofSide))"
      }
      let mine = table.prefix.map { "\(quoted(side)).\(quoted($0)) = ?" }
      let absent =
        "NOT EXISTS (SELECT 1 FROM \(quoted(table.name)) WHERE \(same.joined(separator: " AND ")))"
      let condition = (mine + [absent]).joined(separator: " AND ")
      count +=
        try connection.integer("SELECT count(*) FROM \(quoted(side)) WHERE \(condition)") { binder in
          if let account { try binder.bind(account, 1) }
        } ?? 0
    }
    if let search = sides.search {
      count +=
        try connection.integer("SELECT count(*) \(search.nobodys)", acrossAccounts: "nobody's texts") ?? 0
    }
    return Int(count)
  }

  fileprivate func deleteNobodys() throws {
    if let search = sides.search {
      try connection.run("DELETE \(search.nobodys)", acrossAccounts: "nobody's texts")
    }
  }

  fileprivate func indexFault() throws -> String? {
    guard let search = sides.search else { return nil }
    let index = quoted(search.name)
    do {
      try connection.run("INSERT INTO \(index) (\(index)) VALUES ('integrity-check')")
      return nil
    } catch StoreError.sqlite(let code, let message, _) where code & 0xff == 11 {
      // SQLITE_CORRUPT: the index isn't that of the texts beside it.
      return message
    }
  }
}

extension SearchTables {
  /// The texts in the index that are no document.
  fileprivate var nobodys: String {
    "FROM \(quoted(name)) WHERE rowid NOT IN (SELECT \"id\" FROM \(quoted(documents)))"
  }
}
