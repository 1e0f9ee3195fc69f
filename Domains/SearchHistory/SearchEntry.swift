import FerryKernel
import FerryStore
import Foundation

/// A search that a person made.
public struct SearchEntry: Record, Equatable {
  public typealias Key = SearchTerm
  /// What makes two searches the same: see `init(text:searchedAt:)`.
  public let term: SearchTerm
  /// As it was typed.
  public var text: String
  public var searchedAt: Timestamp

  /// - Parameter text: as it was typed. Searches are the same where their texts are, but for spaces around
  ///   them, canonical form (NFC) and case; nil where nothing is left then.
  public init?(text: String, searchedAt: Timestamp) {
    let folded = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping.lowercased().precomposedStringWithCanonicalMapping
    guard let term = SearchTerm(folded) else { return nil }
    self.init(term: term, text: text, searchedAt: searchedAt)
  }

  private init(term: SearchTerm, text: String, searchedAt: Timestamp) {
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

public typealias SearchTerm = Identifier<SearchEntry>
