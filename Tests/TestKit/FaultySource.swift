import FerryKernel
import FerryStore

/// A source that does one thing wrong.
public struct FaultySource: LegacySource {
  public enum Fault: Sendable {
    /// Reading a class throws when it comes to a position.
    case stops(className: String, at: Int64)
    /// It says that a class has so many more rows.
    case miscounts(className: String, by: Int64)
    /// From the nth look on, its file is another one.
    case changes(atLook: Int)
    /// The same, and it looks from outside as it did.
    case changesUnseen(atLook: Int)
  }

  /// What `stops` throws.
  public struct Stopped: Error {}

  private let base: any LegacySource
  private let fault: Fault
  private let looks = Locked(0)
  /// How often a manifest was taken.
  public var lookCount: Int { looks.withLock { $0 } }

  public init(_ base: any LegacySource, _ fault: Fault) { (self.base, self.fault) = (base, fault) }

  public var accounts: [AccountID] { base.accounts }

  public func path(of account: AccountID) throws -> String { try base.path(of: account) }

  public func manifest(of account: AccountID) throws -> LegacyManifest {
    let manifest = try base.manifest(of: account)
    let look = looks.withLock { looks in
      looks += 1
      return looks
    }
    switch fault {
    case .changes(let first) where look >= first, .changesUnseen(let first) where look >= first: break
    default: return manifest
    }
    return LegacyManifest(path: manifest.path, size: manifest.size + 1, sha256: "changed", schemaVersion: nil)
  }

  public func stamp(of account: AccountID) throws -> String? {
    if case .changesUnseen = fault { "as before" } else { nil }
  }

  public func classes(of account: AccountID) throws -> [LegacyClass] {
    try base.classes(of: account).map { found in
      guard case .miscounts(found.name, let more) = fault else { return found }
      return LegacyClass(name: found.name, properties: found.properties, rowCount: found.rowCount + more)
    }
  }

  public func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    try base.forEachRow(of: className, account: account, properties: properties, after: position) { row in
      if case .stops(className, let position) = fault, row.position >= position { throw Stopped() }
      try body(row)
    }
  }

  public func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try base.row(of: className, account: account, at: position)
  }
}
