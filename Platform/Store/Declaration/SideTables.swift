/// What the store keeps beside a table's rows, in tables of its own, and what follows from the rows: a row for
/// each member of a list, and the index that a search asks.
///
/// They are part of the schema, and of its numbered changes. No name of theirs can be that of a declared table
/// or index, which have no colon.
struct SideTables: Sendable {
  let table: String
  let hasAccount: Bool
  let key: FrozenColumn
  private(set) var members: [MemberTable] = []
  private(set) var search: SearchTables?

  init(_ table: FrozenTable) {
    self.table = table.name
    hasAccount = table.hasAccount
    key = table.column(table.key) ?? FrozenColumn(table.key, Int64.self)
    for (index, column) in table.columns.enumerated() {
      if let shape = column.shape.member {
        members.append(MemberTable(of: column.name, at: index, shape, in: table, key))
      }
    }
    if !table.search.isEmpty { search = SearchTables(table, key) }
  }

  var isEmpty: Bool { members.isEmpty && search == nil }
  var schema: [SchemaObject] { members.flatMap(\.schema) + (search?.schema ?? []) }
  /// What takes them away with all they hold.
  var drops: [SchemaStep] { members.map(\.drop) + (search?.drops ?? []) }

  func only(membersOf column: String) -> SideTables {
    var copy = self
    copy.members = members.filter { $0.column == column }
    copy.search = nil
    return copy
  }

  var onlySearch: SideTables {
    var copy = self
    copy.members = []
    return copy
  }
}

/// The side table of a list: whose member, the how manieth, which value.
struct MemberTable: Sendable {
  /// The list's column, and its place among the table's.
  let column: String
  let index: Int
  let shape: MemberShape
  let name: String
  let schema: [SchemaObject]
  let drop: SchemaStep
  let insert: String
  let select: String
  let delete: String
  let deleteAll: String

  init(of column: String, at index: Int, _ shape: MemberShape, in table: FrozenTable, _ key: FrozenColumn) {
    (self.column, self.index, self.shape) = (column, index, shape)
    name = "\(table.name):members:\(column)"
    let quotedName = quoted(name)
    let account = table.prefix.map(quoted)
    let names = (account + ["owner", "ordinal", "value"].map(quoted)).joined(separator: ", ")
    let keys = (account + ["owner", "ordinal"].map(quoted)).joined(separator: ", ")
    let columns =
      account.map { "\($0) INTEGER NOT NULL" } + [
        "\"owner\" \(key.shape.storage.rawValue) NOT NULL", "\"ordinal\" INTEGER NOT NULL",
        "\"value\" \(shape.storage.rawValue)" + (shape.isOptional ? "" : " NOT NULL"),
      ]
    let indexName = "\(name):value"
    let indexed = (account + ["\"value\""]).joined(separator: ", ")
    schema = [
      SchemaObject(
        name: name,
        sql: "CREATE TABLE \(quotedName) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(keys))) "
          + "STRICT, WITHOUT ROWID"),
      // A table without rowids has the whole key in each index: this one answers by itself.
      SchemaObject(
        name: indexName, sql: "CREATE INDEX \(quoted(indexName)) ON \(quotedName) (\(indexed))"),
    ]
    drop = .run("DROP TABLE \(quotedName)")
    let ofOwner = (account + ["\"owner\""]).map { "\($0) = ?" }.joined(separator: " AND ")
    insert =
      "INSERT INTO \(quotedName) (\(names)) VALUES (\((account + ["", "", ""]).map { _ in "?" }.joined(separator: ", ")))"
    select = "SELECT \"value\" FROM \(quotedName) WHERE \(ofOwner) ORDER BY \"ordinal\""
    delete = "DELETE FROM \(quotedName) WHERE \(ofOwner)"
    deleteAll = "DELETE FROM \(quotedName)" + (account.first.map { " WHERE \($0) = ?" } ?? "")
  }
}

/// The tables of a search index: FTS5's own, and one that says which row each of its documents is.
///
/// The index has its own copy of the texts, as the store takes them apart. FTS5 can do without one, but then who
/// deletes a row must say, word by word, what was indexed, and one mistake damages the index for good (deleting
/// without that came with SQLite 3.43). A document has a number of its own since rowids of a table whose key
/// isn't one change in a VACUUM, and so in each backup.
struct SearchTables: Sendable {
  /// The columns in which a search looks: the name, the place among the table's, the shape of a list's members.
  let columns: [(name: String, index: Int, member: MemberShape?)]
  /// FTS5's.
  let name: String
  /// The one that says whose document it is.
  let documents: String
  let hasAccount: Bool
  let schema: [SchemaObject]
  let drops: [SchemaStep]
  let find: String
  let insertDocument: String
  let insert: String
  let select: String
  let update: String
  let deleteDocument: String
  let delete: String
  let deleteAll: String
  let deleteAllDocuments: String

  /// Without its last two letters it is what ends the index's name.
  static let documentsSuffix = ":searched"

  /// Spaces part the words, and nothing else is for the tokenizer to do: `SearchText` has done it.
  static let tokenizer = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"

  init(_ table: FrozenTable, _ key: FrozenColumn) {
    columns = table.search.compactMap { name in
      table.columns.firstIndex { $0.name == name }.map { (name, $0, table.columns[$0].shape.member) }
    }
    name = "\(table.name):search"
    documents = table.name + SearchTables.documentsSuffix
    hasAccount = table.hasAccount
    let (index, documents) = (quoted(name), quoted(documents))
    let account = table.prefix.map(quoted)
    let owner = account + ["\"owner\""]
    let declared =
      ["\"id\" INTEGER PRIMARY KEY"] + account.map { "\($0) INTEGER NOT NULL" }
      + ["\"owner\" \(key.shape.storage.rawValue) NOT NULL", "UNIQUE (\(owner.joined(separator: ", ")))"]
    // FTS5 keeps `rank` and `rowid` for itself, which a column of a record may be called.
    let texts = columns.map { quoted("\($0.name)_text") }
    schema = [
      SchemaObject(
        name: self.documents, sql: "CREATE TABLE \(documents) (\(declared.joined(separator: ", "))) STRICT"),
      SchemaObject(
        name: name,
        // The sizes of columns are for ranking, which nobody does here.
        sql: "CREATE VIRTUAL TABLE \(index) USING fts5(\(texts.joined(separator: ", ")), columnsize=0, "
          + "tokenize=\"\(SearchTables.tokenizer)\")"),
    ]
    drops = [.run("DROP TABLE \(index)"), .run("DROP TABLE \(documents)")]
    let ofOwner = owner.map { "\($0) = ?" }.joined(separator: " AND ")
    let ofAccount = account.first.map { " WHERE \($0) = ?" } ?? ""
    find = "SELECT \"id\" FROM \(documents) WHERE \(ofOwner)"
    insertDocument =
      "INSERT INTO \(documents) (\(owner.joined(separator: ", "))) VALUES (\(owner.map { _ in "?" }.joined(separator: ", ")))"
    insert =
      "INSERT INTO \(index) (\((["rowid"] + texts).joined(separator: ", "))) VALUES (?\(texts.map { _ in ", ?" }.joined()))"
    select = "SELECT \(texts.joined(separator: ", ")) FROM \(index) WHERE rowid = ?"
    update =
      "UPDATE \(index) SET \(texts.indices.map { "\(texts[$0]) = ?\($0 + 2)" }.joined(separator: ", ")) WHERE rowid = ?1"
    deleteDocument = "DELETE FROM \(documents) WHERE \(ofOwner)"
    delete = "DELETE FROM \(index) WHERE rowid = ?"
    deleteAllDocuments = "DELETE FROM \(documents)\(ofAccount)"
    deleteAll = "DELETE FROM \(index) WHERE rowid IN (SELECT \"id\" FROM \(documents)\(ofAccount))"
  }
}
