/// Writes what the store keeps beside a row, in the transaction that writes the row, and only what differs: a
/// mail that is marked as read is searched for by the same words.
struct SideRows {
  let sides: SideTables
  let connection: Connection
  /// nil: the device's.
  let account: Int64?

  /// - Parameters:
  ///   - isNew: whether there was no such row.
  ///   - value: a column's value as it is stored in the row.
  func write(_ key: StoredValue, isNew: Bool, _ value: (Int) throws(StoreError) -> StoredValue) throws {
    for table in sides.members {
      let members = try table.shape.members(of: try value(table.index), in: table.column)
      try write(members, to: table, key, isNew: isNew)
    }
    if let search = sides.search {
      try write(try texts(search, value), to: search, key, isNew: isNew)
    }
  }

  func delete(_ key: StoredValue) throws {
    for table in sides.members { try run(table.delete, key) }
    if let search = sides.search, let id = try document(of: key, in: search) {
      try connection.run(search.delete) { try $0.bind(id, 1) }
      try run(search.deleteDocument, key)
    }
  }

  /// Of all rows that the account, or the device, has.
  func deleteAll() throws {
    let statements =
      sides.members.map(\.deleteAll) + (sides.search.map { [$0.deleteAll, $0.deleteAllDocuments] } ?? [])
    for sql in statements { try connection.run(sql) { if let account { try $0.bind(account, 1) } } }
  }

  private func write(_ members: [StoredValue], to table: MemberTable, _ key: StoredValue, isNew: Bool) throws
  {
    if !isNew {
      guard try self.members(in: table, of: key) != members else { return }
      try run(table.delete, key)
    }
    for (ordinal, member) in members.enumerated() {
      try run(table.insert, key, .integer(Int64(ordinal)), member)
    }
  }

  private func write(_ texts: [String], to search: SearchTables, _ key: StoredValue, isNew: Bool) throws {
    if !isNew, let id = try document(of: key, in: search) {
      guard try self.texts(of: id, in: search) != texts.map({ Array($0.utf8) }) else { return }
      return try connection.run(search.update) { binder in
        try binder.bind(all: [.integer(id)] + texts.map { .text($0) })
      }
    }
    try run(search.insertDocument, key)
    let id = connection.lastInsert
    try connection.run(search.insert) { binder in
      try binder.bind(all: [.integer(id)] + texts.map { .text($0) })
    }
  }

  private func run(_ sql: String, _ values: StoredValue...) throws {
    try connection.run(sql) { try $0.bind(all: scoped(values)) }
  }
}

// What there is, and what there should be.
extension SideRows {
  /// The account, where there is one, and what comes after it.
  private func scoped(_ values: [StoredValue]) -> [StoredValue] {
    (account.map { [.integer($0)] } ?? []) + values
  }

  func members(in table: MemberTable, of key: StoredValue) throws -> [StoredValue] {
    var members: [StoredValue] = []
    try connection.run(table.select) { binder in
      try binder.bind(all: scoped([key]))
    } row: { row in
      members.append(try row.stored(0))
      return true
    }
    return members
  }

  func document(of key: StoredValue, in search: SearchTables) throws -> Int64? {
    try connection.integer(search.find) { binder in
      try binder.bind(all: scoped([key]))
    }
  }

  /// As bytes: Swift takes some texts as equal that aren't.
  func texts(of document: Int64, in search: SearchTables) throws -> [[UInt8]]? {
    var texts: [[UInt8]]?
    try connection.run(search.select) { binder in
      try binder.bind(document, 1)
    } row: { row in
      texts = try search.columns.indices.map { Array(try row.text(Int32($0)).utf8) }
      return false
    }
    return texts
  }

  /// What the index is to have of a row.
  func texts(_ search: SearchTables, _ value: (Int) throws(StoreError) -> StoredValue) throws -> [String] {
    try search.texts(value).map { SearchText.indexed($0, account: account) }
  }
}

extension MemberShape {
  /// The members of a list as it is stored; of one that is nil, none.
  ///
  /// - Throws: `StoreError.badValue` where it isn't a list of such members.
  func members(of list: StoredValue, in column: String) throws(StoreError) -> [StoredValue] {
    let members: [StoredValue]? =
      switch list {
      case .null: []
      case .text(let json): self.members(in: json)
      default: nil
      }
    guard let members else { throw .badValue(column: column, expected: "list") }
    return members
  }
}

extension SearchTables {
  /// The texts of each column in which a search looks.
  ///
  /// - Parameter value: a column's value as it is stored in the row.
  func texts(_ value: (Int) throws(StoreError) -> StoredValue) throws(StoreError) -> [[String]] {
    var texts: [[String]] = []
    for column in columns {
      switch (try value(column.index), column.member) {
      case (.null, _): texts.append([])
      case (.text(let text), nil): texts.append([text])
      case (let list, let shape?):
        texts.append(
          try shape.members(of: list, in: column.name).compactMap {
            if case .text(let text) = $0 { text } else { nil }
          })
      default: throw .badValue(column: column.name, expected: "String")
      }
    }
    return texts
  }
}
