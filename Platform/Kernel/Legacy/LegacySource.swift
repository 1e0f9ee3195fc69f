import FerryStore

/// Where legacy rows come from: `.realm` files, or a list in memory for tests.
///
/// A source hands out rows of a class in ascending order of position, and the same rows each time as long as
/// its manifest is the same. It never changes what it reads.
public protocol LegacySource: Sendable {
  /// The accounts it has rows for, in the order in which they cross.
  var accounts: [AccountID] { get }

  /// Where an account's file is, for an error that names it.
  func path(of account: AccountID) throws -> String

  /// What an account's file is: enough to tell whether it has changed.
  func manifest(of account: AccountID) throws -> LegacyManifest

  /// What an account's file looks like without being read: while this is the same it need not be hashed again only
  /// to find early that it has changed. nil: there is no telling.
  ///
  /// It may miss a change, so what was read counts only where a manifest taken afterwards is that of before.
  func stamp(of account: AccountID) throws -> String?

  /// The classes of an account's file.
  func classes(of account: AccountID) throws -> [LegacyClass]

  /// How many rows of a class are the account's; none where its file doesn't have the class.
  func rowCount(of className: String, account: AccountID) throws -> Int64

  /// Hands each row of a class to `body`, from the first after `position` on.
  ///
  /// - Parameters:
  ///   - properties: which properties, in which order; nil for all in the order of the class.
  ///   - position: nil for the first row.
  func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void) throws

  /// The row at a position, with all its properties; nil where there is none.
  func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow?

  /// Why a row with these properties is none of the account's; nil where nothing speaks against it.
  func refusal(of className: String, account: AccountID, value: (String) -> LegacyValue?) -> String?
}

extension LegacySource {
  public func refusal(of className: String, account: AccountID, value: (String) -> LegacyValue?) -> String? {
    nil
  }

  public func stamp(of account: AccountID) throws -> String? { nil }

  /// All that the class has: right wherever a file is one account's.
  public func rowCount(of className: String, account: AccountID) throws -> Int64 {
    try classes(of: account).first { $0.name.hasSameBytes(as: className) }?.rowCount ?? 0
  }
}

/// A row of a legacy class.
public struct LegacyRow: Sendable, Equatable {
  /// Its place in the class; ascending, and the same each time the file is read.
  public let position: Int64
  /// The values of the properties that were asked for, in that order.
  public let values: [LegacyValue]
  /// Why it can't cross whatever its values are; nil where nothing speaks against it.
  public let refusal: String?

  public init(position: Int64, values: [LegacyValue], refusal: String? = nil) {
    self.position = position
    self.values = values
    self.refusal = refusal
  }
}

/// A class of a legacy file.
public struct LegacyClass: Sendable, Equatable {
  public let name: String
  public let properties: [String]
  /// What each property holds; nil where that varies from row to row, or the source doesn't know.
  public let kinds: [LegacyKind?]
  /// For each property that is a link, the class that it leads to; nil for others, or where the source doesn't know.
  public let targets: [String?]
  /// Rows of the file, whose ever they are.
  public let rowCount: Int64

  public init(
    name: String, properties: [String], kinds: [LegacyKind?]? = nil, targets: [String?]? = nil,
    rowCount: Int64
  ) {
    self.name = name
    self.properties = properties
    self.kinds = kinds ?? properties.map { _ in nil }
    self.targets = targets ?? properties.map { _ in nil }
    self.rowCount = rowCount
  }
}

/// What a property holds, so that a mapping that can never fit is found before anything starts.
public enum LegacyKind: String, Sendable {
  case integer = "whole numbers"
  case flag = "true or false"
  case number = "numbers"
  case text = "texts"
  case bytes = "bytes"
  case time = "times"
  case uuid = "UUIDs"
  case objectID = "ObjectIds"
  case link = "links"
  case list = "lists"
  case dictionary = "dictionaries"
  case decimal = "decimal numbers"
}

/// What a legacy file was when it was backed up.
public struct LegacyManifest: Sendable, Equatable {
  public let path: String
  /// In bytes.
  public let size: Int64
  public let sha256: String
  /// The app's own schema version; nil where the file has none.
  public let schemaVersion: Int64?

  public init(path: String, size: Int64, sha256: String, schemaVersion: Int64?) {
    self.path = path
    self.size = size
    self.sha256 = sha256
    self.schemaVersion = schemaVersion
  }
}
