/// A SELECT of the keys whose rows have, beside them, what is asked for: a member of a list, or words.
struct BesideSelect: Sendable {
  let kind: Kind

  enum Kind: Sendable {
    case member(StoredValue, MemberTable)
    case words(SearchTerms, SearchTables)
  }

  enum Piece {
    case sql(String)
    case value(StoredValue)
    /// The condition on the account, of the table under this name.
    case account(String)
    case terms(SearchTerms)
  }

  func append(to renderer: inout Renderer, _ table: TableDeclaration) throws(StoreError) {
    switch kind {
    case .member(let value, let members):
      try renderer.appendBeside(
        table, .sql("SELECT \"owner\" FROM \(quoted(members.name)) WHERE \"value\" IS "), .value(value),
        .account(quoted(members.name)))
    case .words(let terms, let search):
      guard !terms.isEmpty else {
        return try renderer.appendBeside(table, .sql("SELECT NULL WHERE false"))
      }
      guard terms.count <= SearchTerms.limit else { throw .searchTooLong(limit: SearchTerms.limit) }
      let (index, documents) = (quoted(search.name), quoted(search.documents))
      // CROSS: the words first. Of an account's documents there are as many as it has rows.
      try renderer.appendBeside(
        table,
        .sql(
          "SELECT \"owner\" FROM \(index) CROSS JOIN \(documents) ON \(documents).\"id\" = \(index).rowid "
            + "WHERE \(index) MATCH "), .terms(terms), .account(documents))
    }
  }

  /// The same, of a row in memory.
  func holds(_ row: [StoredValue]) throws(StoreError) -> Bool {
    switch kind {
    case .member(let value, let table):
      return try table.shape.members(of: row[table.index], in: table.column).contains(value)
    case .words(let terms, let search):
      guard terms.count <= SearchTerms.limit else { throw .searchTooLong(limit: SearchTerms.limit) }
      let texts = try search.texts { index throws(StoreError) in row[index] }
      return terms.match(texts.flatMap(\.self))
    }
  }
}
