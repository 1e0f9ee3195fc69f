/// What a list is to show now, and what changed in its rows since the last update.
public struct ListUpdate<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
  public let phase: ListPhase<Row>
  /// From the rows of the update before to those of `phase`; the first update's begin from none.
  public let changes: ListChanges
  /// The identity of the selected row, which is among those shown; nil where none is selected.
  public let selection: Row.ID?
  /// Whether something is being loaded: with content it is the small sign, never a skeleton.
  public let isLoading: Bool
  /// What went wrong last, if nothing went well since; rows that were there before it stay.
  public let problem: (any Error)?
}

/// What becomes of the selection when an update takes the selected row away.
public enum VanishedSelection: Sendable {
  /// The row that stood nearest below it and is still there; if there is none the nearest above; else none.
  case selectNeighbour
  /// Nothing is selected then.
  case selectNothing

  func successor<Row>(of id: Row.ID, in old: ListRows<Row>, among new: ListRows<Row>) -> Row.ID? {
    guard self == .selectNeighbour, let index = old.index(of: id) else { return nil }
    let isThere: (Row) -> Bool = { new.index(of: $0.id) != nil }
    return (old.rows[(index + 1)...].first(where: isThere) ?? old.rows[..<index].last(where: isThere))?.id
  }
}
