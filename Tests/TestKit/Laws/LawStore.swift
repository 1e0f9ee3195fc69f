import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// A store with a domain's tables, and accounts that nothing but their server or user tells apart.
struct LawStore {
  let store: Store
  let home: AccountStore
  /// The same user on another server.
  let work: AccountStore
  private let folder: GoldenFolder

  init(_ domains: [Domain]) throws {
    folder = try GoldenFolder()
    let schemas = [
      Journal.schema, SyncTables.schema, Schema(owner: "law", tables: [LawMark.table.declaration]),
    ]
    store = try Store.open(
      at: folder.url.appendingPathComponent("ferry.sqlite"), schemas: schemas + domains.map(\.schema))
    home = try store.addAccount(AccountID(server: "home", user: "alice"))
    work = try store.addAccount(AccountID(server: "work", user: "alice"))
  }

  /// An account that has nothing yet.
  func account(_ user: String) throws -> AccountStore {
    try store.addAccount(AccountID(server: "home", user: user))
  }

  /// The column whose value a table's decoder refuses; nil where it takes the row. Nothing is written.
  func refusal(of row: [StoredValue], _ table: TableDeclaration) throws -> String? {
    struct RollBack: Error {}
    do {
      if table.hasAccount {
        try home.blockingWrite(origin: .server) { transaction in
          try transaction.insertRow(row, into: table)
          _ = try transaction.record(of: table, key: row[table.keyIndex])
          throw RollBack()
        }
      } else {
        try store.device.blockingWrite { transaction in
          try transaction.insertRow(row, into: table)
          _ = try transaction.record(of: table, key: row[table.keyIndex])
          throw RollBack()
        }
      }
    } catch is RollBack {
    } catch StoreError.badValue(let column, _) {
      return column
    }
    return nil
  }

  /// Every row of a table in an account, as it is stored, by key.
  static func rows(_ account: AccountStore, _ table: TableDeclaration) throws -> [[StoredValue]] {
    try account.blockingRead { try $0.rows(of: table, limit: Int(Int32.max)) }
  }
}

/// A row that only a law writes: what comes after it can't be what came before.
struct LawMark: Record {
  typealias Scope = DeviceScope
  typealias Key = Int64
  let id: Int64

  static let table = Table<LawMark>(
    "law_mark", key: \.id, columns: Column("id", \.id), make: LawMark.init(id:))
}

extension [[StoredValue]] {
  /// In the order in which a table gives them.
  func sorted(by table: TableDeclaration) -> [[StoredValue]] {
    sorted { left, right in
      switch (left[table.keyIndex], right[table.keyIndex]) {
      case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
      case (.integer(let left), .integer(let right)): left < right
      default: false
      }
    }
  }

  /// Which columns differ somewhere, in words; nil where none does.
  func difference(to other: [[StoredValue]], _ table: TableDeclaration) -> String? {
    guard count == other.count else { return "\(count) rows became \(other.count)" }
    for (left, right) in zip(self, other) {
      for (index, column) in table.columns.enumerated() where left[index] != right[index] {
        return
          "\(table.name).\(column.name) of \(left[table.keyIndex]): \(left[index]) became \(right[index])"
      }
    }
    return nil
  }
}
