import FerryStore

/// The way in to an account's search history.
public enum SearchHistoryDAO {
  /// The latest searches, newest first.
  public static func recent(_ account: AccountStore, limit: Int = 20) async throws -> [SearchEntry] {
    try await account.read { try $0.fetch(SearchEntry.all.order { $0.searchedAt.descending }.limit(limit)) }
  }

  /// Writes down a search; one that was made before moves to the top.
  ///
  /// - Returns: whether there was anything in it but spaces.
  @discardableResult
  public static func record(_ account: AccountStore, _ text: String, at time: Timestamp) async throws -> Bool
  {
    guard let entry = SearchEntry(text: text, searchedAt: time) else { return false }
    try await account.write { try $0.upsert(entry) }
    return true
  }

  /// Forgets every search of the account.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func clear(_ account: AccountStore) async throws -> Int {
    try await account.write { try $0.deleteAll(SearchEntry.self).deleted }
  }
}
