import FerryKernel
import FerryStore

/// A folder of items, itself perhaps in another one.
public struct Folder: Record, Equatable {
  public typealias Key = FolderID
  public let id: FolderID
  public var name: String
  public var type: FolderType
  /// Smaller comes first among the folders of one parent.
  public var sortOrder: Int64
  /// nil: a folder of the top level.
  public var parent: FolderID?

  public init(id: FolderID, name: String, type: FolderType, sortOrder: Int64, parent: FolderID?) {
    (self.id, self.name, self.type, self.sortOrder, self.parent) = (id, name, type, sortOrder, parent)
  }

  public static let table = Table<Folder>(
    "folder", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("name", \.name), Column("type", \.type),
    Column("sort_order", \.sortOrder), Column("parent", \.parent, to: Folder.self),
    make: Folder.init(id:name:type:sortOrder:parent:))

  /// By what is stored. Swift's own `==` takes some texts as equal that aren't, and an observer would miss them.
  public static func == (left: Folder, right: Folder) -> Bool { table.areEqual(left, right) }
}

public typealias FolderID = Identifier<Folder>

/// What a folder is for. A type that a newer app or the server made up is kept as it is.
public enum FolderType: OpenChoice {
  case primary, secondary, archived, filtered
  case unknown(String)

  /// Those that this build knows.
  public static let known: [FolderType] = [.primary, .secondary, .archived, .filtered]

  public init(rawValue: String) {
    switch rawValue {
    case "primary": self = .primary
    case "secondary": self = .secondary
    case "archived": self = .archived
    case "filtered": self = .filtered
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .primary: "primary"
    case .secondary: "secondary"
    case .archived: "archived"
    case .filtered: "filtered"
    case .unknown(let raw): raw
    }
  }
}
