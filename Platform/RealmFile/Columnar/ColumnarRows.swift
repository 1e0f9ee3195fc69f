/// The rows of a table of formats up to 9, in pieces of at most 256 rows of which each column's lie in one leaf.
final class ColumnarRows {
  private let layout: TableLayout
  private let snapshot: Snapshot
  private let claims: NodeClaims
  private let count: Int
  private var row = 0
  private var walks: [ColumnWalk]
  /// Why columns can't be read on, while salvaging.
  private var failures: [Int: RealmFileError] = [:]

  init(_ layout: TableLayout, count: Int, spine: ColumnarTree?, from start: Int, snapshot: Snapshot) {
    (self.layout, self.snapshot, self.count) = (layout, snapshot, count)
    let claims = NodeClaims(fileSize: snapshot.end)
    self.claims = claims
    row = start
    var trees = layout.columns.compactMap(\.tree)
    // A table without columns of its own still has rows, such as those that only links lead to.
    if trees.isEmpty, let spine { trees = [spine] }
    walks = trees.map { ColumnWalk($0, from: start, snapshot: snapshot, claims: claims) }
  }

  func next() throws(RealmFileError) -> Cluster? {
    guard row < count else { return nil }
    var end = min(count, row + ClusterNode.maxRows)
    for index in walks.indices {
      if failures[index] != nil { continue }
      do throws(RealmFileError) {
        guard try walks[index].advance(to: row) else {
          throw .damaged(what: "a column has fewer than \(count) values", offset: 0)
        }
        end = min(end, walks[index].end)
      } catch {
        guard snapshot.isSalvaging else { throw error }
        failures[index] = error
      }
    }
    if let failure = failures.first?.value, failures.count == walks.count {
      stop()
      throw failure
    }
    if end == count, !snapshot.isSalvaging { try checkEnds() }
    let start = row
    row = end
    let leaves = walks.enumerated().map { index, walk in
      guard failures[index] == nil else { return ColumnLeaf(.lost, count: 0) }
      var leaf = walk.leaf
      leaf.first = start - walk.first
      return leaf
    }
    return Cluster(
      ClusterNode(rows: start..<end), layout: layout, snapshot: snapshot, claims: claims, opened: leaves,
      failures: failures)
  }

  func stop() {
    row = count
  }

  /// Throws `damaged` where a column has more values than there are rows.
  private func checkEnds() throws(RealmFileError) {
    for index in walks.indices {
      guard walks[index].end == count, try !walks[index].advance(to: count) else {
        throw .damaged(what: "a column has more than \(count) values", offset: 0)
      }
    }
  }
}
