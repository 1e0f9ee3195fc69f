import FerryStore

/// A search that a person made.
public struct SearchEntry: Record, Equatable {
  public typealias Key = SearchTerm
  /// What makes two searches the same.
  public let term: SearchTerm
  /// As it was typed.
  public var text: String
  /// When it was made last.
  public var searchedAt: Timestamp

  /// - Parameter text: as it was typed.
  /// - Returns: nil where there is nothing but spaces in it.
  public init?(text: String, searchedAt: Timestamp) {
    guard let term = SearchTerm(typed: text) else { return nil }
    self.init(term: term, text: text, searchedAt: searchedAt)
  }

  init(term: SearchTerm, text: String, searchedAt: Timestamp) {
    (self.term, self.text, self.searchedAt) = (term, text, searchedAt)
  }

  /// A person may well search for "-1".
  public static var placeholders: [String] { [""] }

  public static let table = Table<SearchEntry>(
    "search_history", key: \.term,
    columns: Column("term", \.term), Column("text", \.text), Column("searched_at", \.searchedAt),
    indexes: [Index(\.searchedAt)],
    make: SearchEntry.init(term:text:searchedAt:))
}
