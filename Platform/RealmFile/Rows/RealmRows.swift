/// A cursor over the rows of a table in ascending key order.
public final class RealmRows {
  private let layout: TableLayout
  private let snapshot: Snapshot
  private let claims: NodeClaims
  private let start: UInt64
  private var tree: ClusterTree
  private var cluster: Cluster?
  private var index = 0
  private var lastKey: Int64?
  private var isAtStart = true

  init(layout: TableLayout, snapshot: Snapshot, from start: UInt64) {
    self.layout = layout
    self.snapshot = snapshot
    self.start = start
    claims = NodeClaims(fileSize: snapshot.end)
    tree = ClusterTree(
      root: layout.clusterRoot, from: start, snapshot: snapshot, claims: claims)
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
    do throws(RealmFileError) {
      guard let node = try tree.next() else { return false }
      let next = Cluster(node, layout: layout, snapshot: snapshot, claims: claims)
      try next.checkKeys(after: lastKey)
      if next.count > 0 { lastKey = next.key(next.count - 1) }
      index = isAtStart && start > 0 ? next.firstRow(from: start) : 0
      isAtStart = false
      cluster = next
      return true
    } catch {
      tree.stop()
      throw snapshot.explain(error)
    }
  }
}
