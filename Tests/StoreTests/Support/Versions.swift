@testable import FerryStore

/// A domain in each of the states that its published builds had.
enum Versions {
  /// 1: a note has a text and a number that may be absent.
  struct First: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var text: String
    var rank: Int?
    static let table = Table<First>(
      "note", key: \.id, tracking: .all, columns: Column("id", \.id), Column("text", \.text),
      Column("rank", \.rank), indexes: [Index(\.rank)], make: First.init)
  }

  /// 2: and a colour. 3: indexed.
  struct Second: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var colour: String
    var text: String
    var rank: Int?
    static let table = Table<Second>(
      "note", key: \.id, tracking: .all, columns: Column("id", \.id), Column("colour", \.colour),
      Column("text", \.text), Column("rank", \.rank), indexes: [Index(\.rank)], make: Second.init)
    static let indexed = Table<Second>(
      "note", key: \.id, tracking: .all, columns: Column("id", \.id), Column("colour", \.colour),
      Column("text", \.text), Column("rank", \.rank), indexes: [Index(\.rank), Index(\.colour, \.rank)],
      make: Second.init)
  }

  /// 5: the text is a body, the rank is always there, the colour is gone with its index.
  struct Fifth: Record, Equatable {
    typealias Key = Int64
    let id: Int64
    var body: String
    var rank: Int
    var isPinned: Bool
    static let table = Table<Fifth>(
      "note", key: \.id, tracking: .all, columns: Column("id", \.id), Column("body", \.body),
      Column("rank", \.rank), Column("is_pinned", \.isPinned), indexes: [Index(\.rank)], make: Fifth.init)
  }

  /// 7: its key is a text.
  struct Seventh: Record, Equatable {
    typealias Key = Identifier<Seventh>
    let id: Identifier<Seventh>
    var body: String
    static let table = Table<Seventh>(
      "note", key: \.id, tracking: .all, columns: Column("id", \.id), Column("body", \.body),
      make: Seventh.init)
  }

  static let changes: [SchemaChange] = [
    .addColumn("colour", to: "note", filledWith: .text("none")),
    .createIndex(on: "note", ["colour", "rank"]),
    .createTable("stamp"),
    .rebuild(
      FrozenTable(
        "note", key: "id",
        columns: [
          FrozenColumn("id", Int64.self), FrozenColumn("colour", String.self),
          FrozenColumn("text", String.self), FrozenColumn("rank", Int?.self),
        ], indexes: [["rank"], ["colour", "rank"]]),
      columns: [
        "body": .column("text"), "rank": .columnOr("rank", .integer(-1)), "is_pinned": .value(.integer(0)),
      ]),
    .dropTable(
      FrozenTable(
        "stamp", hasAccount: false, key: "id",
        columns: [FrozenColumn("id", Int64.self), FrozenColumn("at", Timestamp.self)])),
    .empty(
      FrozenTable(
        "note", key: "id",
        columns: [
          FrozenColumn("id", Int64.self), FrozenColumn("body", String.self), FrozenColumn("rank", Int.self),
          FrozenColumn("is_pinned", Bool.self),
        ], indexes: [["rank"]])),
  ]

  /// The schema as the build of this number declares it.
  static func schema(_ number: Int) -> Schema {
    let stamp = Stamp.table.declaration
    let tables: [TableDeclaration] =
      switch number {
      case 1: [First.table.declaration]
      case 2: [Second.table.declaration]
      case 3: [Second.indexed.declaration]
      case 4: [Second.indexed.declaration, stamp]
      case 5: [stamp, Fifth.table.declaration]
      case 6: [Fifth.table.declaration]
      default: [Seventh.table.declaration]
      }
    return Schema(owner: "notes", tables: tables, changes: Array(changes.prefix(number - 1)))
  }
}

/// The device's.
struct Stamp: Record, Equatable {
  typealias Scope = DeviceScope
  typealias Key = Int64
  let id: Int64
  var at: Timestamp
  static let table = Table<Stamp>(
    "stamp", key: \.id, columns: Column("id", \.id), Column("at", \.at), make: Stamp.init)
}
