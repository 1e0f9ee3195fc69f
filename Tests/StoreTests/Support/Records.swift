import FerryStore
import Foundation

enum FolderKind: OpenChoice {
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

/// Tracked: every local change enters the outbox.
struct Folder: Record, Equatable {
  typealias Key = Identifier<Folder>
  let id: Key
  var name: String
  var kind: FolderKind = .primary
  var parent: Identifier<Folder>?

  static let table = Table<Folder>(
    "folder", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("name", \.name), Column("kind", \.kind),
    Column("parent", \.parent, to: Folder.self),
    indexes: [Index(\.kind, \.name)], make: Folder.init(id:name:kind:parent:))

  init(id: Identifier<Folder>, name: String, kind: FolderKind = .primary, parent: Identifier<Folder>? = nil) {
    (self.id, self.name, self.kind, self.parent) = (id, name, kind, parent)
  }

  init(_ id: String, name: String = "", kind: FolderKind = .primary, parent: String? = nil) {
    self.init(id: Identifier(known: id), name: name, kind: kind, parent: parent.flatMap { Identifier($0) })
  }
}

/// Tracked where the row says so.
struct Draft: Record, Equatable {
  typealias Key = Int64
  let id: Int64
  var text: String
  var isLocal: Bool

  static let table = Table<Draft>(
    "draft", key: \.id, tracking: .rows { !$0.isLocal },
    columns: Column("id", \.id), Column("text", \.text), Column("is_local", \.isLocal),
    make: { Draft(id: $0, text: $1, isLocal: $2) })

  /// One that is new each time and fills a page of the file.
  static func page(_ id: Int64) -> Draft {
    Draft(id: id, text: UUID().uuidString + String(repeating: "x", count: 3900), isLocal: true)
  }
}

/// The device's own.
struct Counter: Record, Equatable {
  typealias Scope = DeviceScope
  typealias Key = Int64
  let id: Int64
  var value: Int

  static let table = Table<Counter>(
    "counter", key: \.id, columns: Column("id", \.id), Column("value", \.value),
    make: { Counter(id: $0, value: $1) })
}

let mail = Schema(owner: "mail", tables: [Folder.table.declaration, Draft.table.declaration])
let device = Schema(owner: "device", tables: [Counter.table.declaration])

extension Identifier {
  /// The identifier with a text that a test knows to be one.
  init(known text: String) {
    guard let made = Identifier(text) else { preconditionFailure("\(text) is a placeholder") }
    self = made
  }
}
