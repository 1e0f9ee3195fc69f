import FerryStore

/// What the search history refuses.
public enum SearchHistoryError: FerryError, Equatable {
  /// There is nothing but spaces in the text of a search.
  case empty
  /// The history was to keep fewer than one search.
  case noRoom(Int)

  public var code: String {
    switch self {
    case .empty: "searchHistory.empty"
    case .noRoom: "searchHistory.noRoom"
    }
  }

  public var sentence: String {
    switch self {
    case .empty: "There is nothing but spaces in the search."
    case .noRoom(let count): "A search history can't keep \(count) searches."
    }
  }

  public var remedy: String {
    switch self {
    case .empty: "Say what was searched for."
    case .noRoom: "Let it keep at least 1."
    }
  }
}
