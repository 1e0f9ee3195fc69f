/// The type of a column's values, or of its elements where the column holds collections.
///
/// The raw values are the names that the canonical JSON uses.
public enum RealmType: String, Sendable, Hashable, CaseIterable {
  case int, bool, string, binary, mixed, timestamp, float, double, decimal128, link, objectId, typedLink, uuid
}

/// Whether a column holds one value per row or a collection of them.
public enum RealmCollection: String, Sendable, Hashable, CaseIterable {
  case none, list, set, dictionary
}

/// A public column of a table, as declared in the file.
public struct RealmColumn: Sendable, Hashable {
  /// The persisted property name. Bytes that are not UTF-8 appear as U+FFFD.
  public let name: String
  /// The type of the values, or of the elements of a collection.
  public let type: RealmType
  /// Whether the values, or the elements of a collection, may be null.
  public let isNullable: Bool
  /// One value per row, or which kind of collection.
  public let collection: RealmCollection
  /// For links, the name of the table they lead to; nil where that table is missing, and for other types.
  public let target: String?
}
