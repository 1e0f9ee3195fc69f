import Foundation

@testable import FerryStore

/// What one account has, in memory: the store is held against it.
struct AccountModel {
  var rows: [Int64: Everything] = [:]
  var folders: [String: Folder] = [:]
  var memos: [String: Memo] = [:]
  /// What the server said of folders.
  var remote: [String: RemoteState] = [:]

  var allRows: [Everything] { rows.values.sorted { $0.id < $1.id } }
  var allFolders: [Folder] { folders.sorted { $0.key < $1.key }.map(\.value) }
  var allMemos: [Memo] { memos.sorted { $0.key < $1.key }.map(\.value) }

  func inMemory() throws -> RecordsInMemory {
    var records = RecordsInMemory()
    try records.add(allRows)
    try records.add(allFolders)
    try records.add(allMemos)
    return records
  }

  /// Every row as it is stored.
  func stored() throws -> [RowName: [StoredValue]] {
    var all: [RowName: [StoredValue]] = [:]
    func add<R: Record>(_ records: [R]) throws {
      for record in records {
        let key = R.table.key(of: record).stored
        all[RowName(table: R.table.name, account: nil, key: key)] = try R.table.storedValues(record)
      }
    }
    try add(allRows)
    try add(allFolders)
    try add(allMemos)
    return all
  }

  /// What leads from an earlier state to this one, as a listener is to hear it.
  func changes(since before: AccountModel, of account: AccountID) throws -> Set<RowChange> {
    let (old, new) = (try before.stored(), try stored())
    var changes: Set<RowChange> = []
    for row in Set(old.keys).union(new.keys) where old[row] != new[row] {
      let kind: RowChange.Kind = old[row] == nil ? .inserted : new[row] == nil ? .deleted : .updated
      changes.insert(RowChange(table: row.table, account: account, key: row.key, kind: kind))
    }
    return changes
  }

  /// What the observers of these tests look at, by its bytes.
  func view() throws -> [[StoredValue]] {
    let related = try allFolders.filter {
      try AccountModel.isUsed.evaluate($0, among: inMemory())
    }
    let found = try allMemos.filter { try Columns<Memo>().matches("common").evaluate($0) }
    return try allFolders.map { try Folder.table.storedValues($0) }
      + [related.map(\.id.stored), found.map(\.id.stored)]
  }

  static func view(_ snapshot: borrowing Snapshot<AccountScope>) throws -> [[StoredValue]] {
    let related = try snapshot.fetch(Folder.where { _ in isUsed })
    let found = try snapshot.fetch(Memo.matching("common"))
    return try snapshot.fetch(Folder.all).map { try Folder.table.storedValues($0) }
      + [related.map(\.id.stored), found.map(\.id.stored)]
  }

  /// Whether a folder has a row in it that is flagged.
  static var isUsed: FerryStore.QueryExpression<Folder, Bool> {
    Columns<Folder>().has(Everything.self, by: \.folder) { $0.flag }
  }
}

/// Writes by chance, each made to an account's rows in the store and to those in memory.
struct AccountWrites {
  var expressions: Expressions
  private var generator: Seeded {
    get { expressions.generator }
    set { expressions.generator = newValue }
  }

  static let folders = Array(Sample.folders.dropLast())
  static let words = ["common", "mail", "東京", "Café", "rare", "a"]

  mutating func below(_ limit: Int) -> Int { expressions.below(limit) }
  mutating func words(_ limit: Int) -> String {
    (0..<below(limit)).map { _ in AccountWrites.words.pick(&generator) }.joined(separator: " ")
  }

  mutating func row() -> Everything {
    var row = Sample.row(Int64(1 + below(8)), &generator)
    row.whole = below(4) - 1
    row.tags = (0..<below(3)).map { _ in AccountWrites.words.pick(&generator) }
    return row
  }

  mutating func folder() -> Folder { Sample.folder(AccountWrites.folders.pick(&generator), &generator) }

  mutating func memo() -> Memo {
    Memo(
      "m\(1 + below(5))", title: words(4), preview: below(2) == 0 ? nil : words(3),
      tags: (0..<below(3)).map { _ in AccountWrites.words.pick(&generator) })
  }

  /// Everything gone.
  static func empty(_ transaction: borrowing Transaction<AccountScope>, _ model: inout AccountModel) throws {
    try transaction.deleteAll(Everything.self)
    try transaction.deleteAll(of: Folder.table.declaration)
    try transaction.deleteAll(Memo.self)
    try transaction.forgetRemoteState(of: Folder.table.declaration)
    try transaction.forgetRemoteState(of: Memo.table.declaration)
    model = AccountModel()
  }

  mutating func fill(_ transaction: borrowing Transaction<AccountScope>, _ model: inout AccountModel) throws {
    for _ in 0..<6 {
      let (row, folder, memo) = (row(), folder(), memo())
      (model.rows[row.id], model.folders[folder.id.rawValue], model.memos[memo.id.rawValue]) = (
        row, folder, memo
      )
      try transaction.upsert(row)
      try transaction.upsert([folder])
      try transaction.upsert(memo)
    }
  }

  mutating func write(_ transaction: borrowing Transaction<AccountScope>, _ model: inout AccountModel) throws
  {
    switch below(3) {
    case 0: try writeRow(transaction, &model)
    case 1: try writeFolder(transaction, &model)
    default: try writeMemo(transaction, &model)
    }
  }

  private mutating func writeRow(
    _ transaction: borrowing Transaction<AccountScope>, _ model: inout AccountModel
  ) throws {
    let (row, other) = (row(), row())
    switch below(7) {
    case 0, 1:
      try transaction.upsert([row, other])
      model.rows[row.id] = row
      model.rows[other.id] = other
    case 2:
      // Another account may well have the key.
      guard model.rows[row.id] == nil else { return }
      try transaction.insert(row)
      model.rows[row.id] = row
    case 3:
      try transaction.delete(Everything.self, [row.id, other.id])
      model.rows[row.id] = nil
      model.rows[other.id] = nil
    case 4, 5:
      let condition = expressions.onEverything(1)
      let known = try model.inMemory()
      let found = try model.allRows.filter { try condition.evaluate($0, among: known) }
      if below(2) == 0 {
        let limit = 1 + below(3)
        try transaction.delete(Everything.where { _ in condition }.limit(limit))
        for row in found.prefix(limit) { model.rows[row.id] = nil }
      } else {
        try transaction.update(Everything.where { _ in condition }) { $0.note = row.note }
        for found in found { model.rows[found.id]?.note = row.note }
      }
    default:
      guard below(3) == 0 else { return }
      try transaction.deleteAll(Everything.self)
      model.rows = [:]
    }
  }

  private mutating func writeFolder(
    _ transaction: borrowing Transaction<AccountScope>, _ model: inout AccountModel
  ) throws {
    let folder = folder()
    let key = folder.id.rawValue
    switch below(8) {
    case 0:
      try transaction.upsert(folder)
      model.folders[key] = folder
    case 1:
      if model.folders[key] != nil {
        try transaction.update(folder)
        model.folders[key] = folder
      } else {
        do {
          try transaction.update(folder)
          throw Unexpected()
        } catch StoreError.noSuchRow {}
      }
    case 2:
      try transaction.delete(Folder.self, folder.id)
      model.folders[key] = nil
    case 3:
      try transaction.delete(Folder.self, folder.id)
      try transaction.insert(folder)
      model.folders[key] = folder
    case 4:
      let condition = expressions.onFolder(1)
      let known = try model.inMemory()
      let found = try model.allFolders.filter { try condition.evaluate($0, among: known) }
      try transaction.update(Folder.where { _ in condition }) { $0.name = folder.name }
      for found in found { model.folders[found.id.rawValue]?.name = folder.name }
    case 5:
      let state = RemoteState(revision: Int64(1 + below(9)), json: nil)
      try transaction.setRemoteState(state, of: Folder.self, folder.id)
      model.remote[key] = state
    case 6: try transaction.confirm(Folder.self, folder.id)
    default:
      guard below(3) == 0 else { return }
      try transaction.forgetRemoteState(of: Folder.table.declaration)
      model.remote = [:]
    }
  }

  private mutating func writeMemo(
    _ transaction: borrowing Transaction<AccountScope>, _ model: inout AccountModel
  ) throws {
    let (memo, other) = (memo(), memo())
    let word = AccountWrites.words.pick(&generator)
    switch below(6) {
    case 0, 1:
      try transaction.upsert([memo, other])
      model.memos[memo.id.rawValue] = memo
      model.memos[other.id.rawValue] = other
    case 2:
      try transaction.delete(Memo.self, memo.id)
      model.memos[memo.id.rawValue] = nil
    case 3:
      try transaction.delete(Memo.matching(word).limit(1))
      let found = try model.allMemos.filter { try Columns<Memo>().matches(word).evaluate($0) }
      if let first = found.first { model.memos[first.id.rawValue] = nil }
    case 4:
      try transaction.update(Memo.where { $0.tags.contains(word) }) { $0.title = memo.title }
      for found in model.allMemos where found.tags.contains(word) {
        model.memos[found.id.rawValue]?.title = memo.title
      }
    default:
      guard below(3) == 0 else { return }
      try transaction.deleteAll(Memo.self)
      model.memos = [:]
    }
  }

  struct Unexpected: Error {}
}
