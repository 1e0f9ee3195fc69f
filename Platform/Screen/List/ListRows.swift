/// A snapshot's rows, each identity once.
///
/// A list view can't show one identity twice. Of rows that share an `id` the first counts; ``repeated`` says
/// which those were, so that a join that doubles rows is found and not hidden.
public struct ListRows<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
  /// The rows in the snapshot's order.
  public let rows: [Row]
  /// The identities that the snapshot had more than once, in its order; one entry for each row left out.
  public let repeated: [Row.ID]
  private let positions: [Row.ID: Int]

  public init(_ snapshot: [Row] = []) {
    var positions: [Row.ID: Int] = [:]
    positions.reserveCapacity(snapshot.count)
    var repeated: [Row.ID] = []
    for row in snapshot {
      if positions[row.id] == nil {
        positions[row.id] = positions.count
      } else {
        repeated.append(row.id)
      }
    }
    if repeated.isEmpty {
      rows = snapshot
    } else {
      var kept: [Row] = []
      kept.reserveCapacity(positions.count)
      for row in snapshot where positions[row.id] == kept.count { kept.append(row) }
      rows = kept
    }
    self.repeated = repeated
    self.positions = positions
  }

  public var isEmpty: Bool { rows.isEmpty }
  public var count: Int { rows.count }
  public subscript(index: Int) -> Row { rows[index] }

  /// Where the row with this identity is; nil where there is none.
  public func index(of id: Row.ID) -> Int? { positions[id] }
}
