// Records for the expressions beside this file, as a domain would declare them.
import FerryStore
import Foundation

enum Kind: OpenChoice {
  case primary, archived, unknown(String)

  init(rawValue: String) {
    switch rawValue {
    case "primary": self = .primary
    case "archived": self = .archived
    default: self = .unknown(rawValue)
    }
  }

  var rawValue: String {
    switch self {
    case .primary: "primary"
    case .archived: "archived"
    case .unknown(let raw): raw
    }
  }
}

struct Folder: Record {
  typealias Key = Identifier<Folder>
  let id: Key
  var name: String
  var kind: Kind
  var parent: Identifier<Folder>?

  static let table = Table<Folder>(
    "folder", key: \.id,
    columns: Column("id", \.id), Column("name", \.name), Column("kind", \.kind),
    Column("parent", \.parent, to: Folder.self),
    make: { Folder(id: $0, name: $1, kind: $2, parent: $3) })
}

struct Place: Codable, Hashable {
  var street: String
}

struct Item: Record {
  typealias Key = Identifier<Item>
  let id: Key
  var folder: Identifier<Folder>?
  var title: String
  var preview: String?
  var isRead: Bool
  var isStarred: Bool?
  var updatedAt: Timestamp
  var due: Timestamp?
  var size: Int
  var score: Double?
  var kind: Kind
  var mood: Kind?
  var picture: Data
  var tags: [String]
  var place: Place?
  var origin: Place

  static let table = Table<Item>(
    "item", key: \.id,
    columns: Column("id", \.id), Column("folder", \.folder, to: Folder.self), Column("title", \.title),
    Column("preview", \.preview), Column("is_read", \.isRead), Column("is_starred", \.isStarred),
    Column("updated_at", \.updatedAt), Column("due", \.due), Column("size", \.size), Column("score", \.score),
    Column("kind", \.kind), Column("mood", \.mood), Column("picture", \.picture),
    Column("tags", members: \.tags), Column("place", json: \.place), Column("origin", json: \.origin),
    indexes: [Index(\.folder, \.updatedAt)],
    make: {
      Item(
        id: $0, folder: $1, title: $2, preview: $3, isRead: $4, isStarred: $5, updatedAt: $6, due: $7,
        size: $8, score: $9, kind: $10, mood: $11, picture: $12, tags: $13, place: $14, origin: $15)
    })
}

/// A record of the device, which no account's query may reach.
struct Setting: Record {
  typealias Scope = DeviceScope
  typealias Key = Int
  let id: Int
  var folder: Identifier<Folder>?

  static let table = Table<Setting>(
    "setting", key: \.id, columns: Column("id", \.id), Column("folder", \.folder, to: Folder.self),
    make: { Setting(id: $0, folder: $1) })
}
