/// A table of the file. It stays readable for as long as it is kept, also after its file is let go.
public final class RealmTable {
  /// How the objects of a table exist.
  public enum Kind: String, Sendable, Hashable {
    /// Objects stand on their own.
    case topLevel
    /// Objects belong to others and are reached through links only.
    case embedded
    /// Objects were for upload only; such a table is empty in practice.
    case asymmetric
  }

  /// A column of which the values can't be read, as the Realm library itself drops them when it upgrades the file.
  public struct UnreadColumn: Sendable, Hashable {
    /// What the column holds.
    public enum Reason: String, Sendable, Hashable {
      /// Values of the mixed type that existed until 2016. The column is among `columns`, with nothing but nulls.
      case oldMixed
      /// Tables of several columns within a cell. The column is not among `columns`.
      case subtable
      /// The declaration of the column is damaged, in a file that is being salvaged. The column is not among
      /// `columns`.
      case damaged
    }

    /// The name of the column.
    public let name: String
    /// What it holds.
    public let why: Reason
  }

  /// The stored name; classes of an app have the prefix `class_`. Names may repeat in damaged files.
  public var name: String { layout.name }
  /// Whether the objects stand on their own.
  public var kind: Kind { layout.kind }
  /// The public columns in the order in which they were added.
  public var columns: [RealmColumn] { layout.publicColumns }
  /// The position in `columns` of the primary key; nil where the table has none.
  public var primaryKey: Int? { layout.primaryKey }
  /// Columns whose values can't be read: rare in files of formats up to 9, and damaged ones while salvaging.
  public var unreadColumns: [UnreadColumn] { layout.unreadColumns }
  /// The number of rows that the file states. It is compared with what is there when all rows are read.
  public let rowCount: Int

  let layout: TableLayout
  /// The number of rows that the file states; nil where that can't be true, while salvaging.
  let statedRowCount: Int?
  private let snapshot: Snapshot
  private var recent: Cluster?

  private static let classPrefix = "class_"

  init(_ layout: TableLayout, snapshot: Snapshot) throws(RealmFileError) {
    self.layout = layout
    self.snapshot = snapshot
    statedRowCount = try snapshot.tolerate { () throws(RealmFileError) in
      switch layout.rows {
      case .clusters(let root): try ClusterTree.rowCount(root: root, snapshot: snapshot)
      case .columns(let count, _): count
      }
    }
    rowCount = statedRowCount ?? 0
  }

  /// Whether the table comes from the snapshot before the active one, while salvaging.
  var isFromOlderSnapshot: Bool { snapshot.isOlder }

  /// The name of the class that the table stores; nil for tables of the library's own.
  public var className: String? {
    name.hasPrefix(Self.classPrefix) ? String(name.dropFirst(Self.classPrefix.count)) : nil
  }

  /// The position in `columns` of the column with this name, compared by UTF-8 bytes.
  public func columnIndex(named name: String) -> Int? {
    columns.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// A cursor over all rows, or over those whose key is greater than `key`, in ascending key order.
  ///
  /// Clusters before that key are not touched.
  public func rows(after key: Int64? = nil) -> RealmRows {
    RealmRows(layout: layout, snapshot: snapshot, from: key.map { $0 < 0 ? 0 : UInt64($0) + 1 } ?? 0)
  }

  /// The row with this key; nil where there is none.
  ///
  /// The cluster of the last row found is kept, so that neighbours are cheap.
  public func row(key: Int64) throws(RealmFileError) -> RealmRow? {
    guard key >= 0 else { return nil }
    if let recent, recent.count > 0, recent.key(0) <= key, key <= recent.key(recent.count - 1) {
      return recent.row(key: key)
    }
    guard let cluster = try RealmRows(layout: layout, snapshot: snapshot, from: UInt64(key)).nextCluster()
    else {
      return nil
    }
    recent = cluster
    return cluster.row(key: key)
  }
}
