/// A cursor over the rows of a table in ascending key order.
public final class RealmRows {
  private let snapshot: Snapshot
  private let start: UInt64
  private var source: Source
  private var cluster: Cluster?
  private var index = 0
  private var lastKey: Int64?
  private var isAtStart = true
  /// Why rows were left out, while salvaging.
  private(set) var losses = LossTally()
  /// How many more rows are worth looking at, while salvaging.
  private var budget: Int

  private static let maxLosses = 1 << 16

  private enum Source {
    case clusters(ClusterRows)
    case columns(ColumnarRows)
  }

  init(layout: TableLayout, snapshot: Snapshot, from start: UInt64) {
    self.snapshot = snapshot
    self.start = start
    budget = Self.budget(snapshot, columns: layout.columns.count)
    switch layout.rows {
    case .clusters(let root):
      source = .clusters(ClusterRows(root: root, layout: layout, from: start, snapshot: snapshot))
    case .columns(let count, let spine):
      source = .columns(
        ColumnarRows(
          layout, count: count, spine: spine, from: Int(clamping: start), snapshot: snapshot))
    }
  }

  /// The next row, or nil after the last one.
  ///
  /// Throws `damaged` where the bytes contradict the format, and `changedWhileReading` where another process
  /// explains that. A cursor that has thrown has no further rows.
  public func next() throws(RealmFileError) -> RealmRow? {
    while true {
      if let cluster, index < cluster.count {
        let row = RealmRow(key: cluster.key(index), cluster: cluster, index: index)
        index += 1
        return row
      }
      guard try advance() else { return nil }
    }
  }

  /// The next cluster, in one piece for `RealmTable.row`.
  func nextCluster() throws(RealmFileError) -> Cluster? {
    try advance() ? cluster : nil
  }

  private func advance() throws(RealmFileError) -> Bool {
    cluster = nil
    while true {
      do throws(RealmFileError) {
        return try advanceOnce()
      } catch {
        let explained = snapshot.explain(error)
        guard snapshot.isSalvaging, case .damaged = explained else {
          stop()
          throw explained
        }
        losses.add(explained)
        guard losses.count < Self.maxLosses else {
          stop()
          return false
        }
      }
    }
  }

  /// A leaf of at least 8 bytes holds at most 256 cells (1,000 up to format 9), so that no whole file has more rows
  /// than these. What is lost takes no bytes: without a bound a small file could have salvage count for days.
  private static func budget(_ snapshot: Snapshot, columns: Int) -> Int {
    guard snapshot.isSalvaging else { return .max }
    return snapshot.end / 8 * (snapshot.isColumnar ? 1000 : ClusterNode.maxRows) / max(columns, 1)
  }

  private func advanceOnce() throws(RealmFileError) -> Bool {
    guard budget > 0, let next = try nextFromSource() else { return false }
    budget -= next.count
    try next.checkKeys(after: lastKey)
    if next.count > 0 { lastKey = next.key(next.count - 1) }
    index = isAtStart && start > 0 ? next.firstRow(from: start) : 0
    isAtStart = false
    cluster = next
    return true
  }

  private func nextFromSource() throws(RealmFileError) -> Cluster? {
    switch source {
    case .clusters(let rows): try rows.next()
    case .columns(let rows): try rows.next()
    }
  }

  private func stop() {
    switch source {
    case .clusters(let rows): rows.stop()
    case .columns(let rows): rows.stop()
    }
  }
}

/// The rows of a cluster tree, cluster by cluster.
private final class ClusterRows {
  private let layout: TableLayout
  private let snapshot: Snapshot
  private let claims: NodeClaims
  private var tree: ClusterTree

  init(root: Int64, layout: TableLayout, from start: UInt64, snapshot: Snapshot) {
    (self.layout, self.snapshot) = (layout, snapshot)
    claims = NodeClaims(fileSize: snapshot.end)
    tree = ClusterTree(root: root, from: start, snapshot: snapshot, claims: claims)
  }

  func next() throws(RealmFileError) -> Cluster? {
    guard let node = try tree.next() else { return nil }
    return Cluster(node, layout: layout, snapshot: snapshot, claims: claims)
  }

  func stop() {
    tree.stop()
  }
}
