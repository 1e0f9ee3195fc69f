import FerryStore

/// Rows that a property of theirs gives to an account: one file that several accounts have written to, or one
/// account's file that holds rows of somebody else.
///
/// A row that names none of its file's accounts is given to the first of them with a refusal, so that it is
/// kept aside and accounted for, and no account ever sees it as its own.
public struct OwnedRows: LegacySource {
  /// An account of a file, and how the file names it.
  public struct Owner: Sendable {
    public let account: AccountID
    /// What the property of a row of this account says, as text.
    public let name: String

    public init(_ account: AccountID, named name: String) { (self.account, self.name) = (account, name) }
  }

  private let base: any LegacySource
  private let files: [[Owner]]
  private let properties: [String: String]

  /// - Parameters:
  ///   - base: knows each file by its first account.
  ///   - files: the accounts of each file.
  ///   - properties: for each class, the property that says whose a row is. Rows of another class are the first
  ///     account's.
  public init(_ base: any LegacySource, files: [[Owner]], properties: [String: String]) {
    (self.base, self.files, self.properties) = (base, files, properties)
  }

  public var accounts: [AccountID] { files.flatMap { $0.map(\.account) } }

  public func path(of account: AccountID) throws -> String { try base.path(of: first(account)) }

  public func manifest(of account: AccountID) throws -> LegacyManifest {
    try base.manifest(of: first(account))
  }

  public func stamp(of account: AccountID) throws -> String? { try base.stamp(of: first(account)) }

  public func classes(of account: AccountID) throws -> [LegacyClass] {
    try base.classes(of: first(account))
  }

  public func rowCount(of className: String, account: AccountID) throws -> Int64 {
    guard properties[className] != nil else {
      return try first(account) == account ? base.rowCount(of: className, account: account) : 0
    }
    guard try base.rowCount(of: className, account: first(account)) > 0 else { return 0 }
    var count: Int64 = 0
    try forEachRow(of: className, account: account, properties: [], after: nil) { _ in count += 1 }
    return count
  }

  public func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    let owners = try owners(account)
    let first = owners[0].account
    guard let property = self.properties[className] else {
      guard first == account else { return }
      return try base.forEachRow(
        of: className, account: first, properties: properties, after: position, body)
    }
    let wanted =
      try properties ?? base.classes(of: first).first { $0.name.hasSameBytes(as: className) }?.properties
      ?? []
    try base.forEachRow(of: className, account: first, properties: wanted + [property], after: position) {
      row in
      let owner = owner(named: row.values.last, owners)
      guard (owner?.account ?? first) == account else { return }
      let refusal = owner == nil ? OwnedRows.refusal(property, row.values.last) : row.refusal
      try body(LegacyRow(position: row.position, values: row.values.dropLast(), refusal: refusal))
    }
  }

  public func refusal(of className: String, account: AccountID, value: (String) -> LegacyValue?) -> String? {
    guard let property = properties[className], let owners = try? owners(account) else {
      return nil  // why: an account without a file has no other one to be taken for
    }
    let named = value(property)
    return owner(named: named, owners)?.account == account ? nil : OwnedRows.refusal(property, named)
  }

  private func owner(named value: LegacyValue?, _ owners: [Owner]) -> Owner? {
    guard let name = value.flatMap(LegacyKey.init)?.plainText else { return nil }
    return owners.first { $0.name.hasSameBytes(as: name) }
  }

  private static func refusal(_ property: String, _ value: LegacyValue?) -> String {
    guard let name = value.flatMap(LegacyKey.init)?.plainText else { return "\(property) names no account" }
    return "\(property) names \(QuotedText(name)), which is no account of this file"
  }

  public func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: first(account), at: position)
  }

  private func first(_ account: AccountID) throws -> AccountID { try owners(account)[0].account }

  private func owners(_ account: AccountID) throws -> [Owner] {
    guard let owners = files.first(where: { $0.contains { $0.account == account } }) else {
      throw KernelError.noLegacyFile(account)
    }
    return owners
  }
}
