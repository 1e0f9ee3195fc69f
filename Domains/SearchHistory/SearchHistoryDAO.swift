import FerryStore

/// The way in to an account's search history. It never leaves the device.
public enum SearchHistoryDAO {
  /// How many searches an account keeps where nobody says otherwise.
  public static let bound = 100

  // MARK: - Looking

  /// The latest searches, newest first.
  public static func recent(_ account: AccountStore, limit: Int = 20) async throws -> [SearchEntry] {
    try await account.read { try recent($0, limit: limit) }
  }

  public static func recent<Reader: Reading & ~Copyable>(_ reader: borrowing Reader, limit: Int = 20) throws
    -> [SearchEntry]
  where Reader.Scope == AccountScope { try reader.fetch(recent(limit)) }

  /// The same, now and whenever they are others.
  public static func observeRecent(_ account: AccountStore, limit: Int = 20) -> Observation<[SearchEntry]> {
    account.observe(recent(limit))
  }

  /// The searches that begin as a person has begun to type, newest first, with case and canonical form left
  /// out of account; none before anything but spaces was typed.
  public static func suggestions(_ account: AccountStore, for beginning: String, limit: Int = 10) async throws
    -> [SearchEntry]
  { try await account.read { try suggestions($0, for: beginning, limit: limit) } }

  public static func suggestions<Reader: Reading & ~Copyable>(
    _ reader: borrowing Reader, for beginning: String, limit: Int = 10
  ) throws -> [SearchEntry] where Reader.Scope == AccountScope {
    try reader.fetch(suggestions(beginning, limit))
  }

  /// The same, now and whenever they are others.
  public static func observeSuggestions(_ account: AccountStore, for beginning: String, limit: Int = 10)
    -> Observation<[SearchEntry]>
  { account.observe(suggestions(beginning, limit)) }

  /// How many searches the account keeps.
  public static func count(_ account: AccountStore) async throws -> Int {
    try await account.read { try count($0) }
  }

  public static func count<Reader: Reading & ~Copyable>(_ reader: borrowing Reader) throws -> Int
  where Reader.Scope == AccountScope { try reader.count(SearchEntry.all) }

  /// How many there are, now and whenever it is another number.
  public static func observeCount(_ account: AccountStore) -> Observation<Int> {
    account.observe { try count($0) }
  }

  // MARK: - Writing

  /// Writes down a search: on top, also where the same one was made before, and as it was typed last. What is
  /// then beyond `bound` goes, the oldest first.
  ///
  /// - Parameter time: when it was made. Where a clock was set back it is the moment after the search that is on
  ///   top.
  /// - Throws: `SearchHistoryError`; nothing is written then.
  public static func record(
    _ account: AccountStore, _ text: String, at time: Timestamp, bound: Int = bound
  ) async throws {
    // Before a transaction is asked for.
    let entry = try entry(text, time, bound)
    try await account.write { try record($0, entry, bound) }
  }

  public static func record(
    _ transaction: borrowing Transaction<AccountScope>, _ text: String, at time: Timestamp, bound: Int = bound
  ) throws {
    try record(transaction, entry(text, time, bound), bound)
  }

  /// Forgets a search, however it was typed.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public static func remove(_ account: AccountStore, _ text: String) async throws -> Bool {
    guard SearchTerm(typed: text) != nil else { throw SearchHistoryError.empty }
    return try await account.write { try remove($0, text) }
  }

  @discardableResult
  public static func remove(_ transaction: borrowing Transaction<AccountScope>, _ text: String) throws -> Bool
  {
    guard let term = SearchTerm(typed: text) else { throw SearchHistoryError.empty }
    return try transaction.delete(SearchEntry.self, [term] + former(text)).deleted > 0
  }

  /// Forgets every search of the account.
  ///
  /// - Returns: how many there were.
  @discardableResult
  public static func clear(_ account: AccountStore) async throws -> Int {
    try await account.write { try clear($0) }
  }

  @discardableResult
  public static func clear(_ transaction: borrowing Transaction<AccountScope>) throws -> Int {
    try transaction.delete(SearchEntry.all).deleted
  }
}

extension SearchHistoryDAO {
  static func recent(_ limit: Int) -> Query<SearchEntry> {
    SearchEntry.all.order { $0.searchedAt.descending }.limit(limit)
  }

  static func suggestions(_ beginning: String, _ limit: Int) -> Query<SearchEntry> {
    guard let (first, end) = SearchTerm.range(beginning: beginning) else { return recent(0) }
    let begun = recent(limit).where { $0.term >= first }
    return end.map { end in begun.where { $0.term < end } } ?? begun
  }

  /// The same search under the term of an earlier build, where that is another one.
  private static func former(_ text: String) -> [SearchTerm] {
    guard let former = SearchTerm.former(typed: text), former != SearchTerm(typed: text) else { return [] }
    return [former]
  }

  private static func entry(_ text: String, _ time: Timestamp, _ bound: Int) throws -> SearchEntry {
    guard bound > 0 else { throw SearchHistoryError.noRoom(bound) }
    guard let entry = SearchEntry(text: text, searchedAt: time) else { throw SearchHistoryError.empty }
    return entry
  }

  private static func record(
    _ transaction: borrowing Transaction<AccountScope>, _ entry: SearchEntry, _ bound: Int
  ) throws {
    var entry = entry
    if let top = try transaction.fetch(recent(1)).first {
      entry.searchedAt = max(entry.searchedAt, top.term == entry.term ? top.searchedAt : top.searchedAt.next)
    }
    try transaction.delete(SearchEntry.self, former(entry.text))
    try transaction.upsert(entry)
    let excess = try transaction.count(SearchEntry.all) - bound
    guard excess > 0 else { return }
    try transaction.delete(SearchEntry.all.order { $0.searchedAt.ascending }.limit(excess))
  }
}

extension Timestamp {
  /// The moment after it; itself at the end of time.
  fileprivate var next: Timestamp { self == .max ? self : Timestamp(nanoseconds: nanoseconds + 1) }
}
