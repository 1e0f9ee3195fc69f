/// The properties of a record in which a search looks: texts, and lists of texts.
///
///     static let table = Table<Item>("item", …, search: SearchIndex(\.title, \.preview, \.tags), make: …)
///
/// The store keeps the index in step with the rows. See `Query.matching(_:)` for what a search finds.
public struct SearchIndex<R: Record>: Sendable {
  let paths: [ColumnPath<R>]

  /// - Parameter paths: the properties, in the order in which a hit lists where it was found.
  public init(_ paths: (any PartialKeyPath<R> & Sendable)...) { self.paths = paths.map(ColumnPath.init) }
}
