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

  /// Why columns can't be read.
  private var failures: [Int: RealmFileError] = [:]

  private static let wordsPerColumn = 4

  /// With `opened`, the leaves are there already, one per column.
  init(
    _ node: ClusterNode, layout: TableLayout, snapshot: Snapshot, claims: NodeClaims,
    opened: [ColumnLeaf]? = nil
  ) {
    self.node = node
    self.layout = layout
    self.snapshot = snapshot
    self.claims = claims
    count = node.count
    columnCount = layout.columns.count
    leaves = .allocate(capacity: max(columnCount, 1))
    for column in 0..<columnCount { (leaves + column).initialize(to: opened?[column] ?? .unread) }
    proven = .allocate(capacity: max(columnCount, 1) * Self.wordsPerColumn)
    proven.initialize(repeating: 0, count: columnCount * Self.wordsPerColumn)
  }

  deinit {
    leaves.deallocate()
    proven.deallocate()
  }

  /// The columns in `failures` have leaves that are `lost`.
  convenience init(
    _ node: ClusterNode, layout: TableLayout, snapshot: Snapshot, claims: NodeClaims,
    opened: [ColumnLeaf], failures: [Int: RealmFileError]
  ) {
    self.init(node, layout: layout, snapshot: snapshot, claims: claims, opened: opened)
    self.failures = failures
  }

  /// The key of row `index`, which the caller has checked.
  func key(_ index: Int) -> Int64 {
    node.key(index)
  }

  /// Throws `damaged` unless keys ascend and are above `previous` and below where the next cluster begins.
  func checkKeys(after previous: Int64?) throws(RealmFileError) {
    var last = previous ?? -1
    for index in 0..<count {
      let key = node.key(index)
      guard key > last else {
        throw .damaged(what: "the keys of rows do not ascend", offset: node.slots?.node.ref ?? 0)
      }
      last = key
    }
    guard !snapshot.isSalvaging || count == 0 || UInt64(bitPattern: last) < node.limit else {
      throw .damaged(what: "the keys of rows reach into the next rows", offset: node.slots?.node.ref ?? 0)
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
  func value(column: Int, row: Int) throws(RealmFileError) -> RealmValue {
    let cell = try cell(column: column, row: row)
    if case .composite = cell { return try composite(column: column, row: row) }
    return RealmValue(cell, target: layout.columns[column].column.target, snapshot: snapshot)
  }

  /// A cell where it lies. The row has been checked; the column is the caller's.
  @inline(__always)
  func cell(column: Int, row: Int) throws(RealmFileError) -> RawCell {
    guard column >= 0, column < columnCount else {
      throw .noSuchColumn(index: column, table: layout.name)
    }
    let leaf = leaves + column
    if leaf.pointee.kind == .unread { try open(column) }
    if leaf.pointee.ownsNodes || leaf.pointee.kind == .lost {
      return try guardedCell(column: column, row: row)
    }
    return try leaf.pointee.cell(
      row + leaf.pointee.first, enumerated: layout.columns[column].enumerated, snapshot: snapshot, claims: nil
    )
  }

  /// A cell that lies in nodes of its own, which are claimed when it is read for the first time.
  private func guardedCell(column: Int, row: Int) throws(RealmFileError) -> RawCell {
    let leaf = leaves + column
    switch leaf.pointee.kind {
    case .lost: throw failures[column] ?? .damaged(what: "a column is lost", offset: 0)
    case .collection, .mixed: return .composite
    default:
      let (word, bit) = place(column: column, row: row)
      let isProven = proven[word] & bit != 0
      let cell = try leaf.pointee.cell(
        row + leaf.pointee.first, enumerated: nil, snapshot: snapshot, claims: isProven ? nil : claims)
      proven[word] |= bit
      return cell
    }
  }

  @inline(__always)
  private func place(column: Int, row: Int) -> (word: Int, bit: UInt64) {
    (column * Self.wordsPerColumn + row >> 6, 1 << UInt64(row & 63))
  }

  private func open(_ column: Int) throws(RealmFileError) {
    do throws(RealmFileError) {
      try openLeaf(column)
    } catch {
      failures[column] = error
      leaves[column] = ColumnLeaf(.lost, count: 0)
    }
  }

  private func openLeaf(_ column: Int) throws(RealmFileError) {
    let layout = layout.columns[column]
    guard let slots = node.slots else { return }
    let ref = try slots.ref(1 + layout.leafIndex, "a leaf array")
    let node = try snapshot.node(at: ref, claims: claims)
    let leaf = try ColumnLeaf(node, of: layout, snapshot: snapshot, claims: claims)
    guard leaf.count == count else {
      throw node.damage("a leaf array has \(leaf.count) elements for \(count) rows")
    }
    leaves[column] = leaf
  }

  /// The value of a cell that is a collection or mixed.
  func composite(column: Int, row: Int) throws(RealmFileError) -> RealmValue {
    let leaf = leaves + column
    let (word, bit) = place(column: column, row: row)
    let isProven = proven[word] & bit != 0
    let value: RealmValue
    switch leaf.pointee.kind {
    case .collection:
      guard let ref = leaf.pointee.integers?[row + leaf.pointee.first] else { return .null }
      if ref == 0 { return CollectionReader.empty(layout.columns[column].column.collection) }
      var reader = CollectionReader(snapshot: snapshot, claims: isProven ? nil : claims)
      value = try reader.value(ref, of: layout.columns[column])
    case .mixed:
      guard let mixed = leaf.pointee.mixed else { return .null }
      var reader = CollectionReader(snapshot: snapshot, claims: isProven ? nil : claims)
      value = try reader.mixedValue(mixed, row + leaf.pointee.first)
    default: return .null
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

  /// Returns, for null to take the place of a cell, where the error is damage that salvaging overlooks; throws it, or
  /// what explains it, where not.
  func overlook(_ error: RealmFileError) throws(RealmFileError) {
    let explained = snapshot.explain(error)
    guard snapshot.isSalvaging, case .damaged = explained else { throw explained }
  }

  /// The damage because of which the value of a cell can't be read; nil where it can.
  func loss(column: Int, row: Int) throws(RealmFileError) -> RealmFileError? {
    do throws(RealmFileError) {
      _ = try value(column: column, row: row)
      return nil
    } catch {
      guard case .damaged = error else { throw snapshot.explain(error) }
      return error
    }
  }
}
