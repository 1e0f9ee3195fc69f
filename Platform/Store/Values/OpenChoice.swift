/// An enumeration whose values come from elsewhere, a server or an older build, so that a value this build
/// doesn't know is ordinary: it lives on as `.unknown(raw)` and goes back unchanged (traps Q2).
///
///     enum FolderKind: OpenChoice {
///       case primary, archived, unknown(String)
///       static let known = ["primary": FolderKind.primary, "archived": .archived]
///       …
///     }
///
/// Two choices are equal when their raw values are, whichever way they were made.
public protocol OpenChoice: ColumnValue, Hashable {
  /// The type of what is stored and sent.
  associatedtype RawValue: ColumnValue & Hashable
  /// The choice with this raw value; `.unknown(rawValue)` where this build has no name for it.
  init(rawValue: RawValue)
  /// The value as it is stored and sent.
  var rawValue: RawValue { get }
}

extension OpenChoice {
  public static var shape: ColumnShape {
    var shape = RawValue.shape
    shape.meaning = .choice
    return shape
  }
  @inlinable
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Self {
    Self(rawValue: try RawValue.read(row, index))
  }
  @inlinable
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try rawValue.bind(binder, index)
  }
  public var stored: StoredValue { rawValue.stored }

  /// By their raw values.
  public static func == (left: Self, right: Self) -> Bool { left.stored == right.stored }
  public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

/// An enumeration with raw values that only this device writes: any other value in the store is damage, and
/// reading it throws.
extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var shape: ColumnShape {
    var shape = RawValue.shape
    shape.meaning = .choice
    return shape
  }
  @inlinable
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Self {
    guard let value = Self(rawValue: try RawValue.read(row, index)) else {
      throw row.badValue(index, Self.self)
    }
    return value
  }
  @inlinable
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try rawValue.bind(binder, index)
  }
  public var stored: StoredValue { rawValue.stored }
}
