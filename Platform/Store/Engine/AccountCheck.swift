#if DEBUG
  import CSQLite

  /// Holds every statement of a debug build against the rule that none speaks of an account's rows without the
  /// account. It is the last guard and no proof: a statement is trusted that says, where it is run, why it must
  /// speak of every account.
  ///
  /// A table is an account's if it has the account column, be it a record's, one beside it or the store's own, and
  /// SQLite says of which tables a statement is. Each mention of one, after FROM, JOIN, UPDATE or INTO, must have
  /// a condition of its own that ties the account to a parameter or to another row's account, or write the
  /// column. That is read from the SQL, since SQLite doesn't tell of conditions that it has folded away.
  struct AccountCheck {
    let connection: OpaquePointer
    let use: TableUse

    /// - Returns: what is wrong with the statement; nil where nothing is.
    func fault(in sql: String) -> String? {
      let scoped = use.reads.union(use.writes).filter(isScoped)
      let words = Words(sql)
      if let search = use.reads.first(where: { isSearchedAlone($0, words) }) {
        return "searches \(search) without asking whose the documents are"
      }
      let mentions = words.mentions(of: scoped)
      if let hidden = scoped.subtracting(mentions.map(\.table)).min() { return "speaks of \(hidden) unsaid" }
      let conditions = words.conditions
      var bare = conditions[nil] ?? 0
      for (name, same) in Dictionary(grouping: mentions.filter { !$0.hasAccount }, by: \.name) {
        bare -= max(0, same.count - (conditions[name] ?? 0))
        if bare < 0 { return "speaks of \(same[0].table) without an account" }
      }
      return nil
    }

    private func isScoped(_ table: String) -> Bool {
      sqlite3_table_column_metadata(
        connection, "main", table, TableDeclaration.accountColumn, nil, nil, nil, nil, nil) == SQLITE_OK
    }

    /// The index itself has no account; what says whose a document is, has.
    private func isSearchedAlone(_ table: String, _ words: Words) -> Bool {
      guard table.hasSuffix(":search"), words.isSearch, !use.reads.contains(table + "ed") else {
        return false
      }
      return isScoped(table + "ed")
    }
  }

  /// As much of a statement's grammar as the check needs.
  private struct Words {
    enum Word: Equatable {
      /// A keyword, or a name without quotes, in lower case.
      case bare(String)
      case quoted(String)
      case parameter
      case symbol(Character)

      var name: String? {
        switch self {
        case .bare(let name), .quoted(let name): name
        default: nil
        }
      }
    }

    /// What a table's name comes after.
    private static let openings: Set = ["from", "join", "update", "into"]

    private var words: [Word] = []

    init(_ sql: String) {
      var rest = Substring(sql)
      while let first = rest.popFirst() {
        switch first {
        case "\"", "'":
          let text = String(rest.prefix { $0 != first })
          rest = rest.dropFirst(text.count + 1)
          words.append(first == "'" ? .symbol("'") : .quoted(text))
        case "?":
          rest = rest.drop(while: \.isNumber)
          words.append(.parameter)
        case _ where first.isLetter || first == "_":
          let tail = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          rest = rest.dropFirst(tail.count)
          words.append(.bare((String(first) + tail).lowercased()))
        case _ where first.isWhitespace: break
        default: words.append(.symbol(first))
        }
      }
    }

    private func word(_ index: Int) -> Word? { words.indices.contains(index) ? words[index] : nil }

    var isSearch: Bool { words.contains(.bare("match")) }

    /// A table where rows are looked for or written, and by which name its columns go there.
    struct Mention {
      let table: String
      let name: String
      /// Whether rows are inserted with their account.
      let hasAccount: Bool
    }

    func mentions(of tables: Set<String>) -> [Mention] {
      words.indices.compactMap { index in
        guard case .bare(let keyword) = words[index], Words.openings.contains(keyword),
          let table = word(index + 1)?.name, tables.contains(table)
        else { return nil }
        var name = table
        if case .quoted(let alias) = word(index + 2) { name = alias }
        if word(index + 2) == .bare("as"), let alias = word(index + 3)?.name { name = alias }
        let isWritten = keyword == "into" && columns(from: index + 2).contains(TableDeclaration.accountColumn)
        return Mention(table: table, name: name, hasAccount: isWritten)
      }
    }

    /// The names in the parentheses that begin at a place.
    private func columns(from index: Int) -> [String] {
      guard word(index) == .symbol("(") else { return [] }
      return words[index...].prefix { $0 != .symbol(")") }.compactMap(\.name)
    }

    /// `x.account_key = ?`, or `= y.account_key`: how many there are for each x; nil where it is left out.
    var conditions: [String?: Int] {
      var conditions: [String?: Int] = [:]
      for index in words.indices
      where words[index].name == TableDeclaration.accountColumn && word(index + 1) == .symbol("=") {
        guard
          word(index + 2) == .parameter
            || (word(index + 3) == .symbol(".") && word(index + 4)?.name == TableDeclaration.accountColumn)
        else { continue }
        conditions[word(index - 1) == .symbol(".") ? word(index - 2)?.name : nil, default: 0] += 1
      }
      return conditions
    }
  }
#endif
