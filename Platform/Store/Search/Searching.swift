// Searching: a condition like others, and records with the places where the words were found.

extension RowColumns {
  /// Whether a search for `text` finds the row: every word of it is in one of the columns of its search index. See
  /// `SearchTerms` for what a word is and when it is there. A text without any word finds nothing.
  ///
  /// A query whose table has no search index throws `StoreError.notSearchable`; one for more than
  /// `SearchTerms.limit` words `StoreError.searchTooLong`.
  public func matches(_ text: String) -> QueryExpression<Root, Bool> { matches(SearchTerms(text)) }

  /// Whether a search for these finds the row.
  public func matches(_ terms: SearchTerms) -> QueryExpression<Root, Bool> {
    let table = Subject.table.declaration
    guard let search = table.sides.search else {
      return QueryExpression(node: .fault(.notSearchable(table: table.name)))
    }
    return QueryExpression(node: .beside(row.source, BesideSelect(kind: .words(terms, search))))
  }
}

extension Record {
  /// The records that a search for `text` finds, of a table that is declared with `search:`.
  ///
  ///     Item.matching("invoice 2024").where { !$0.isRead }.order { $0.updatedAt.descending }.limit(50)
  ///
  /// They come in the query's order. There is no ranking: what FTS5 has for it would weigh a word by how often
  /// it is in other accounts' rows.
  public static func matching(_ text: String) -> Query<Self> { Self.where { $0.matches(text) } }
}

extension Query {
  /// Narrows the query to what a search for `text` finds.
  public func matching(_ text: String) -> Query { self.where { $0.matches(text) } }
}

extension Reading where Self: ~Copyable {
  /// The records that a search finds, with the places where it found the words.
  ///
  ///     try snapshot.search(Item.self, "invoice") { $0.order { $0.updatedAt.descending }.limit(20) }
  ///
  /// - Parameter narrowing: what else is asked of the records, in which order, how many.
  /// - Throws: `StoreError.notSearchable`, `StoreError.searchTooLong`.
  public func search<R: Record>(
    _ type: R.Type, _ text: String, _ narrowing: (Query<R>) -> Query<R> = { $0 }
  ) throws -> [SearchHit<R>] where R.Scope == Scope {
    let terms = SearchTerms(text)
    return try fetch(narrowing(R.where { $0.matches(terms) })).map { try SearchHit($0, terms) }
  }
}
