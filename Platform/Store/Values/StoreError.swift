/// What a store refuses, or can't do.
public enum StoreError: FerryError, Equatable {
  /// SQLite reported a failure: the result code, its text, and what was being done.
  case sqlite(code: Int32, message: String, doing: String)
  /// A stored value isn't of the type that its column declares.
  case badValue(column: String, expected: String)
  /// A NaN was bound, which SQLite would store as NULL.
  case notANumber(parameter: Int)
  /// A value has no JSON form, which its column asks for.
  case notEncodable(type: String, why: String)
  /// An insert met a row with the same key.
  case duplicateKey(table: String, key: String)
  /// Two different rows have one derived key.
  case keyCollision(table: String, key: String, first: String, second: String)
  /// An update met no row with the record's key.
  case noSuchRow(table: String, key: String)
  /// An update of what a query finds changed the key of a record.
  case changedKey(table: String, key: String)
  /// A key path was used in a query that is no column of its table.
  case notAColumn(table: String, path: String)
  /// A search went to a table that has no search index.
  case notSearchable(table: String)
  /// A search asks for more words than it can have.
  case searchTooLong(limit: Int)
  /// A query has more values, terms or tables than SQLite takes.
  case queryTooLarge(why: String)
  /// A key path was used as a reference to a table that its column doesn't declare.
  case notAReference(table: String, column: String, to: String)
  /// A column of a related row stands outside the condition on that row.
  case outOfScope(table: String)
  /// A page is to begin after a record whose place in the order a record of another table decides, which wasn't
  /// fetched with it.
  case unknownPlace(table: String, by: String)
  /// A sum is more than its type holds, or no number.
  case sumOutOfRange(table: String)
  /// A table's declaration contradicts itself.
  case badDeclaration(table: String, why: String)
  /// A table was used that the store wasn't opened with.
  case unknownTable(String)
  /// A write began while a crossing has shut other writers out.
  case gateShut(reason: String)
  /// A write went to a table whose domain hasn't crossed yet.
  case tableShut(table: String, reason: String)
  /// A write was begun inside a write or a read of the same store, on the same thread.
  case nestedWrite
  /// The store was closed.
  case closed
  /// A listener to change sets fell further behind than it said it could.
  case lagged(limit: Int)
  /// There is no account of this name in the store.
  case unknownAccount(AccountID)
  /// The account is signed out.
  case signedOut(AccountID)
  /// The name of an account is empty, or holds a character that a path or a prompt can't carry.
  case badAccountName(String)
  /// There is no store at this path.
  case noStore(path: String)
  /// The file isn't a store of Ferry's.
  case notAStore(path: String, why: String)
  /// The store was written by a newer build.
  case newerStore(owner: String, stored: Int, known: Int)
  /// The store was written by an older build, and may not be written to.
  case olderStore(owner: String, stored: Int, known: Int)
  /// A schema change was edited after it had been applied.
  case editedSchema(owner: String, version: Int)
  /// A schema change would empty a table of which local changes wait for a push.
  case unsentChanges(table: String, count: Int)
  /// The tables in the file aren't those that the build declares.
  case differentSchema(table: String)
  /// The disk has no room for what is to be written.
  case diskFull(path: String)
  /// A file or its folder may not be written to.
  case readOnly(path: String)
  /// The file is a database that was cut off or overwritten.
  case damaged(path: String, why: String)
  /// A backup isn't what it should be.
  case badBackup(path: String, why: String)
  /// A file operation on the store's folder failed.
  case file(path: String, doing: String, message: String)

  public var code: String {
    switch self {
    case .sqlite: "store.sqlite"
    case .badValue: "store.badValue"
    case .notANumber: "store.notANumber"
    case .notEncodable: "store.notEncodable"
    case .duplicateKey: "store.duplicateKey"
    case .keyCollision: "store.keyCollision"
    case .noSuchRow: "store.noSuchRow"
    case .changedKey: "store.changedKey"
    case .notAColumn: "store.notAColumn"
    case .notSearchable: "store.notSearchable"
    case .searchTooLong: "store.searchTooLong"
    case .queryTooLarge: "store.queryTooLarge"
    case .notAReference: "store.notAReference"
    case .outOfScope: "store.outOfScope"
    case .unknownPlace: "store.unknownPlace"
    case .sumOutOfRange: "store.sumOutOfRange"
    case .badDeclaration: "store.badDeclaration"
    case .unknownTable: "store.unknownTable"
    case .gateShut: "store.gateShut"
    case .tableShut: "store.tableShut"
    case .nestedWrite: "store.nestedWrite"
    case .closed: "store.closed"
    case .lagged: "store.lagged"
    case .unknownAccount: "store.unknownAccount"
    case .signedOut: "store.signedOut"
    case .badAccountName: "store.badAccountName"
    case .noStore: "store.none"
    case .notAStore: "store.notAStore"
    case .newerStore: "store.newer"
    case .olderStore: "store.older"
    case .editedSchema: "store.editedSchema"
    case .unsentChanges: "store.unsentChanges"
    case .differentSchema: "store.differentSchema"
    case .diskFull: "store.diskFull"
    case .readOnly: "store.readOnly"
    case .damaged: "store.damaged"
    case .badBackup: "store.badBackup"
    case .file: "store.file"
    }
  }

  public var sentence: String {
    switch self {
    case .sqlite(let code, let message, let doing): "SQLite failed \(doing): \(message) (code \(code))."
    case .badValue(let column, let expected): "Column \(column) holds a value that is no \(expected)."
    case .notANumber(let parameter): "Parameter \(parameter) is NaN, which a store can't hold."
    case .notEncodable(let type, let why): "A \(type) has no JSON form: \(why)."
    case .noSuchRow(let table, let key): "Table \(table) has no row with the key \(key)."
    case .changedKey(let table, let key): "An update gave the row \(key) of table \(table) another key."
    case .duplicateKey(let table, let key): "Table \(table) already has a row with the key \(key)."
    case .keyCollision(let table, let key, let first, let second):
      "Two different rows of \(table) have the key \(key): \(first) and \(second)."
    case .notAColumn(let table, let path): "\(path) is no column of table \(table)."
    case .notSearchable(let table): "Table \(table) has no search index."
    case .searchTooLong(let limit): "A search can't be for more than \(limit) words or characters."
    case .queryTooLarge(let why): "A query is larger than SQLite takes: \(why)."
    case .notAReference(let table, let column, let target):
      "Column \(column) of table \(table) is no reference to table \(target)."
    case .outOfScope(let table):
      "A column of a related row of table \(table) stands outside the condition on that row."
    case .unknownPlace(let table, let other):
      "A record of table \(table) doesn't say where a page begins that is ordered by table \(other)."
    case .sumOutOfRange(let table): "A sum over table \(table) is more than its type holds, or no number."
    case .badDeclaration(let table, let why): "Table \(table) is declared wrongly: \(why)."
    case .unknownTable(let table): "The store was opened without the table \(table)."
    case .gateShut(let reason): "The store takes no writes now: \(reason)."
    case .tableShut(let table, let reason): "Table \(table) takes no writes yet: \(reason)."
    case .nestedWrite: "A write was begun inside another write or a read of the same store."
    case .closed: "The store is closed."
    case .lagged(let limit): "More than \(limit) change sets were waiting to be taken."
    case .unknownAccount(let account): "The store has no account \(account)."
    case .signedOut(let account): "\(account) is signed out."
    case .badAccountName(let name): "\"\(name)\" can't be the name of a server or a user."
    case .noStore(let path): "There is no store at \(path)."
    case .notAStore(let path, let why): "\(path) is no Ferry store: \(why)."
    case .newerStore(let owner, let stored, let known):
      "The store has version \(stored) of \(owner); this build knows \(known == 0 ? "none" : "up to \(known)")."
    case .olderStore(let owner, let stored, let known):
      "The store has version \(stored) of \(owner), and can't be brought to version \(known) without writing."
    case .editedSchema(let owner, let version):
      "Change \(version) of \(owner) is not the one that was applied to this store."
    case .unsentChanges(let table, let count):
      "\(count) local changes of table \(table) would be lost: no server has seen them yet."
    case .differentSchema(let table): "Table \(table) in the file is not declared like that in this build."
    case .diskFull(let path): "The disk of \(path) is full."
    case .readOnly(let path): "\(path) may not be written to."
    case .damaged(let path, let why): "\(path) is damaged: \(why)."
    case .badBackup(let path, let why): "The copy at \(path) isn't whole: \(why)."
    case .file(let path, let doing, let message): "\(doing) \(path) failed: \(message)."
    }
  }

  public var remedy: String {
    switch self {
    case .sqlite(let code, _, _):
      switch code & 0xff {
      case 5: "Wait until the other process has finished its write, then try again."
      case 13: "Free some disk space, then try again."
      case 8: "Check that the store's folder may be written to."
      default: "Check the disk; if it is sound, keep a copy of the store's folder and report this."
      }
    case .badValue: "The store was written by another program or is damaged; keep a copy and report this."
    case .notANumber: "Store nil where there is no number."
    case .notEncodable: "Store only what JSON can hold; it has no infinite numbers."
    case .noSuchRow: "Use upsert where the row may be absent."
    case .changedKey: "Delete the row and insert it under its new key."
    case .duplicateKey: "Use upsert where the row may exist."
    case .keyCollision: "Make the key of more of what a row says, so that the two differ."
    case .notAColumn: "Name one of the columns that the table declares."
    case .notSearchable: "Declare the table with `search:`."
    case .searchTooLong: "Search for less of it."
    case .queryTooLarge: "Ask for it in several queries."
    case .notAReference: "Declare the column with `to:` that table, or name one that is."
    case .outOfScope: "Use what the closure of `has` is given inside that closure only."
    case .unknownPlace: "Fetch that record with it (`with`), and page by the pair."
    case .sumOutOfRange: "Narrow the query, or add the values up as another type."
    case .badDeclaration: "Correct the table's declaration in Swift."
    case .unknownTable: "Enable its domain in roadmap.yaml."
    case .gateShut, .tableShut: "Finish the crossing first."
    case .nestedWrite: "Pass the transaction on instead of the store, and end a read before the write."
    case .closed: "Open it again."
    case .lagged: "Read what you need anew, then listen again; allow for more, or take them faster."
    case .unknownAccount: "Name one of the accounts that the store has, or add it."
    case .signedOut: "Sign it in again."
    case .badAccountName: "Use a name without slashes, colons, line breaks or other control characters."
    case .noStore: "Run the crossing, which makes it."
    case .notAStore: "Check the `store` path in ferry.yaml."
    case .newerStore: "Use the newer build; this one leaves the store as it is."
    case .olderStore: "Open it for writing once."
    case .editedSchema: "Undo the edit and add a change with the next number instead."
    case .unsentChanges: "Push them with the build that made them, then open the store with this one."
    case .differentSchema: "Open the store with the build that made it, and report this."
    case .diskFull: "Free some space on it, then try again."
    case .readOnly: "Give its owner the permission to write, or name another place."
    case .damaged: "Keep a copy of its folder, and put a backup in its place."
    case .badBackup: "Check the disk that it was to be written to, then try again."
    case .file: "Check the permissions and the free space of the disk."
    }
  }
}
