import FerryKernel
import FerryStore

/// Legacy rows in memory, for tests that need rows no fixture has.
public struct MemoryLegacySource: LegacySource {
  public struct Class: Sendable {
    public let name: String
    public let properties: [String]
    public var rows: [LegacyRow]

    /// Rows get ascending positions from 0.
    public init(_ name: String, _ properties: [String], _ rows: [[LegacyValue]]) {
      self.name = name
      self.properties = properties
      self.rows = rows.enumerated().map { LegacyRow(position: Int64($0), values: $1) }
    }
  }

  public let accounts: [AccountID]
  public var classes: [AccountID: [Class]]
  /// Grows when a test changes the rows, as a file's hash would change.
  public var version: Int64 = 0

  public init(_ classes: [(AccountID, [Class])]) {
    accounts = classes.map(\.0)
    self.classes = Dictionary(uniqueKeysWithValues: classes)
  }

  public func path(of account: AccountID) -> String { "memory/\(account)" }

  public func manifest(of account: AccountID) throws -> LegacyManifest {
    LegacyManifest(path: path(of: account), size: version, sha256: "\(version)", schemaVersion: nil)
  }

  public func classes(of account: AccountID) throws -> [LegacyClass] {
    (classes[account] ?? []).map {
      LegacyClass(name: $0.name, properties: $0.properties, rowCount: Int64($0.rows.count))
    }
  }

  public func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    let found = try find(className, account)
    let slots = try (properties ?? found.properties).map { name in
      guard let slot = found.properties.firstIndex(of: name) else {
        throw KernelError.malformed(path: className, why: "it has no property \(name)")
      }
      return slot
    }
    for row in found.rows where position.map({ row.position > $0 }) ?? true {
      try body(LegacyRow(position: row.position, values: slots.map { row.values[$0] }))
    }
  }

  public func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    try find(className, account).rows.first { $0.position == position }
  }

  private func find(_ name: String, _ account: AccountID) throws -> Class {
    guard let found = classes[account]?.first(where: { $0.name == name }) else {
      throw KernelError.malformed(path: name, why: "there is no such class")
    }
    return found
  }
}
