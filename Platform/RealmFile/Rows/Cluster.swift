/// Up to 256 rows, with the leaf arrays of their columns opened on first use.
final class Cluster {
  let snapshot: Snapshot
  let layout: TableLayout
  let count: Int
  private let columnCount: Int
  private let node: ClusterNode
  private let claims: NodeClaims
  private let leaves: UnsafeMutablePointer<ColumnLeaf>
  /// One bit per cell whose own nodes were entered before, so that reading a cell twice is no damage.
  private let proven: UnsafeMutablePointer<UInt64>

  private static let wordsPerColumn = 4

  init(_ node: ClusterNode, layout: TableLayout, snapshot: Snapshot, claims: NodeClaims) {
    self.node = node
    self.layout = layout
    self.snapshot = snapshot
    self.claims = claims
    count = node.count
    columnCount = layout.columns.count
    leaves = .allocate(capacity: max(columnCount, 1))
    leaves.initialize(repeating: .unread, count: columnCount)
    proven = .allocate(capacity: max(columnCount, 1) * Self.wordsPerColumn)
    proven.initialize(repeating: 0, count: columnCount * Self.wordsPerColumn)
  }

  deinit {
    leaves.deallocate()
    proven.deallocate()
  }

  /// The key of row `index`, which the caller has checked.
  func key(_ index: Int) -> Int64 {
    node.key(index)
  }

  /// Throws `damaged` unless keys ascend and are above `previous`.
  func checkKeys(after previous: Int64?) throws(RealmFileError) {
    var last = previous ?? -1
    for index in 0..<count {
      let key = node.key(index)
      guard key > last else { throw node.slots.node.damage("the keys of rows do not ascend") }
      last = key
    }
  }

  /// The first row whose key is at least `key`; `count` where there is none.
  func firstRow(from key: UInt64) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if UInt64(bitPattern: node.key(middle)) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The value of a cell. The row has been checked; the column is the caller's.
  @inline(__always)
  func value(column: Int, row: Int) throws(RealmFileError) -> RealmValue {
    guard column >= 0, column < columnCount else {
      throw .noSuchColumn(index: column, table: layout.name)
    }
    if leaves[column].kind == .unread { try open(column) }
    if leaves[column].ownsNodes { return try ownedValue(column: column, row: row) }
    return try leaves[column].plainValue(
      row, target: layout.columns[column].column.target, enumerated: layout.columns[column].enumerated,
      snapshot: snapshot, claims: nil)
  }

  private func open(_ column: Int) throws(RealmFileError) {
    let layout = layout.columns[column]
    let ref = try node.slots.ref(1 + layout.leafIndex, "a leaf array")
    let node = try snapshot.node(at: ref, claims: claims)
    let leaf = try ColumnLeaf(node, of: layout, snapshot: snapshot, claims: claims)
    guard leaf.count == count else {
      throw node.damage("a leaf array has \(leaf.count) elements for \(count) rows")
    }
    leaves[column] = leaf
  }

  /// The value of a cell that can lie in nodes of its own.
  private func ownedValue(column: Int, row: Int) throws(RealmFileError) -> RealmValue {
    let leaf = leaves + column
    let word = column * Self.wordsPerColumn + row >> 6
    let bit: UInt64 = 1 << UInt64(row & 63)
    let isProven = proven[word] & bit != 0
    let value: RealmValue
    switch leaf.pointee.kind {
    case .collection:
      guard let ref = leaf.pointee.integers?[row] else { return .null }
      if ref == 0 { return CollectionReader.empty(layout.columns[column].column.collection) }
      var reader = CollectionReader(snapshot: snapshot, claims: isProven ? nil : claims)
      value = try reader.value(ref, of: layout.columns[column])
    case .mixed:
      guard let mixed = leaf.pointee.mixed else { return .null }
      var reader = CollectionReader(snapshot: snapshot, claims: isProven ? nil : claims)
      value = try reader.mixedValue(mixed, row)
    default:
      value = try leaf.pointee.plainValue(
        row, target: nil, enumerated: nil, snapshot: snapshot, claims: isProven ? nil : claims)
    }
    proven[word] |= bit
    return value
  }
}

extension Cluster {
  /// The row with this key; nil where there is none.
  func row(key: Int64) -> RealmRow? {
    let index = firstRow(from: UInt64(bitPattern: key))
    guard index < count, self.key(index) == key else { return nil }
    return RealmRow(key: key, cluster: self, index: index)
  }

  /// `value`, with an error that names another process where that explains it.
  @inline(__always)
  func diagnosedValue(column: Int, row: Int) throws(RealmFileError) -> RealmValue {
    do throws(RealmFileError) {
      return try value(column: column, row: row)
    } catch {
      throw snapshot.explain(error)
    }
  }
}
