import FerryStore
import Foundation
import Testing

/// A choice with numbers behind it.
enum Level: OpenChoice {
  case low, high, unknown(Int64)

  init(rawValue: Int64) {
    switch rawValue {
    case 1: self = .low
    case 2: self = .high
    default: self = .unknown(rawValue)
    }
  }

  var rawValue: Int64 {
    switch self {
    case .low: 1
    case .high: 2
    case .unknown(let raw): raw
    }
  }
}

/// A column of every type.
struct Everything: Record {
  typealias Key = Int64
  let id: Int64
  var text = ""
  var note: String?
  var whole = 0
  var flag = false
  var maybe: Bool?
  var real = 0.0
  var score: Double?
  var blob = Data()
  var picture: Data?
  var time = Timestamp(nanoseconds: 0)
  var due: Timestamp?
  var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  var folder: Identifier<Folder>?
  var level = Level.low
  var kind: FolderKind?
  var tags: [String] = []

  init(_ id: Int64) { self.id = id }

  static let table = Table<Everything>(
    "everything", key: \.id,
    columns: Column("id", \.id), Column("text", \.text), Column("note", \.note), Column("whole", \.whole),
    Column("flag", \.flag), Column("maybe", \.maybe), Column("real", \.real), Column("score", \.score),
    Column("blob", \.blob), Column("picture", \.picture), Column("time", \.time), Column("due", \.due),
    Column("uuid", \.uuid), Column("folder", \.folder, to: Folder.self), Column("level", \.level),
    Column("kind", \.kind), Column("tags", members: \.tags),
    make: {
      id, text, note, whole, flag, maybe, real, score, blob, picture, time, due, uuid, folder, level, kind,
      tags in
      var row = Everything(id)
      (row.text, row.note, row.whole, row.flag, row.maybe) = (text, note, whole, flag, maybe)
      (row.real, row.score, row.blob, row.picture) = (real, score, blob, picture)
      (row.time, row.due, row.uuid, row.folder) = (time, due, uuid, folder)
      (row.level, row.kind, row.tags) = (level, kind, tags)
      return row
    })
}

/// A store with the table `everything` and an account.
struct Shelf {
  let sandbox = Sandbox()
  let account: AccountStore

  init() throws {
    let tables = [Everything.table.declaration, Folder.table.declaration]
    account = try sandbox.open([Schema(owner: "shelf", tables: tables)]).addAccount(alice)
  }

  /// What a record is after it was in the store.
  func roundTrip(_ change: (inout Everything) -> Void) throws -> Everything {
    var row = Everything(1)
    change(&row)
    try account.blockingWrite { try $0.upsert(row) }
    return try #require(try account.blockingRead { try $0.find(Everything.self, 1) })
  }
}
