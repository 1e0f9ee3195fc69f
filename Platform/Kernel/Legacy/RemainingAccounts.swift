import FerryStore

/// A source that leaves some accounts out.
public struct RemainingAccounts: LegacySource {
  private let base: any LegacySource
  private let removed: [AccountID]

  public init(of base: any LegacySource, without removed: [AccountID]) {
    (self.base, self.removed) = (base, removed)
  }

  public var accounts: [AccountID] { base.accounts.filter { !removed.contains($0) } }
  public func path(of account: AccountID) throws -> String { try base.path(of: account) }
  public func manifest(of account: AccountID) throws -> LegacyManifest { try base.manifest(of: account) }
  public func stamp(of account: AccountID) throws -> String? { try base.stamp(of: account) }
  public func classes(of account: AccountID) throws -> [LegacyClass] { try base.classes(of: account) }
  public func rowCount(of className: String, account: AccountID) throws -> Int64 {
    try base.rowCount(of: className, account: account)
  }
  public func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    try base.forEachRow(of: className, account: account, properties: properties, after: position, body)
  }
  public func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: account, at: position)
  }
  public func refusal(of className: String, account: AccountID, value: (String) -> LegacyValue?) -> String? {
    base.refusal(of: className, account: account, value: value)
  }
}
