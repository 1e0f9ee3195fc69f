/// A value that a table keeps: a plain `Sendable` struct with an immutable identity.
///
/// Its `Scope` says through which handle it can be reached at all: an `AccountScope` record only through an
/// account's, so that no query can be without its account condition (traps Q3).
public protocol Record: Sendable, IdentifierKind {
  associatedtype Scope: StoreScope = AccountScope
  associatedtype Key: ColumnValue & Hashable
  /// The one declaration that schema, binding, decoding and queries come from.
  static var table: Table<Self> { get }
}

/// How far a table reaches.
public protocol StoreScope: Sendable {
  /// Whether each row belongs to an account.
  static var hasAccount: Bool { get }
}

/// One account's rows.
public enum AccountScope: StoreScope { public static let hasAccount = true }

/// The device's own rows: accounts, journal, log.
public enum DeviceScope: StoreScope { public static let hasAccount = false }

/// Which rows' local changes enter the outbox.
public enum Tracking<R: Record>: Sendable {
  /// None: the table never leaves the device.
  case none
  /// Every row.
  case all
  /// The rows that a condition takes.
  case rows(@Sendable (R) -> Bool)

  func covers(_ record: R) -> Bool {
    switch self {
    case .none: false
    case .all: true
    case .rows(let condition): condition(record)
    }
  }
}
