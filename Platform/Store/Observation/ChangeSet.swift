/// The rows that one committed transaction changed.
public struct ChangeSet: Sendable, Equatable {
  /// Who wrote.
  public let origin: Origin
  /// Each row once, in the order in which they were first touched. A row that is afterwards as it was before
  /// isn't there.
  public let changes: [RowChange]
}

/// A row that a committed transaction changed.
public struct RowChange: Sendable, Hashable {
  /// What became of it: deleting it and inserting it again is one update.
  public enum Kind: Sendable { case inserted, updated, deleted }

  /// The table's name in the schema.
  public let table: String
  /// Whose row it is; nil for the device's.
  public let account: AccountID?
  /// The record's key, as it is stored.
  public let key: StoredValue
  /// What became of it.
  public let kind: Kind
}

/// What a transaction did, for those who are told once it is committed.
struct Commit {
  let origin: Origin
  let regions: Set<Region>
  let rows: [ChangedRow]
}

/// A row change whose account is still a number.
struct ChangedRow: Sendable {
  let row: RowName
  let kind: RowChange.Kind
}

struct RowName: Hashable, Sendable {
  let table: String
  let account: Int64?
  let key: StoredValue
}
