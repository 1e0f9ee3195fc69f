import FerryKernel
import FerryStore
import Foundation

/// Which lines of the log. What isn't said lets every line through.
public struct LogFilter: Sendable, Equatable {
  /// Lines of this level and graver ones.
  public var level: LogLevel?
  public var category: String?
  /// Lines about this account alone.
  public var account: AccountID?
  public var since: Timestamp?
  /// Lines before this time.
  public var until: Timestamp?
  /// Lines with this text in their message or their fields, whatever its case and canonical form.
  public var text: String? {
    didSet { needle = text.map(LogFilter.fold) }
  }
  private var needle: String?

  /// - Throws: `LogError.emptyPeriod`.
  public init(
    level: LogLevel? = nil, category: String? = nil, account: AccountID? = nil, since: Timestamp? = nil,
    until: Timestamp? = nil, text: String? = nil
  ) throws(LogError) {
    if let since, let until, since >= until { throw .emptyPeriod(since: since, until: until) }
    (self.level, self.category, self.account) = (level, category, account)
    (self.since, self.until, self.text) = (since, until, text)
    needle = text.map(LogFilter.fold)
  }

  /// Every line.
  public static var all: LogFilter { LogFilter(of: nil) }

  /// Lines about an account alone; nil: every line.
  init(of account: AccountID?) { self.account = account }

  /// Whether a line is one of them.
  public func matches(_ entry: LogEntry) -> Bool {
    if let level, entry.level < level { return false }
    if let category, !category.utf8.elementsEqual(entry.category.utf8) { return false }
    if let account, entry.account != account { return false }
    if let since, entry.at < since { return false }
    if let until, entry.at >= until { return false }
    return matchesText(entry)
  }

  func matchesText(_ entry: LogEntry) -> Bool {
    guard let needle, !needle.isEmpty else { return true }
    if LogFilter.fold(entry.message).contains(needle) { return true }
    guard !entry.fields.json.isEmpty else { return false }
    return (try? entry.fields.text()).map { LogFilter.fold($0).contains(needle) }
      ?? false  // why: fields without a text are in no store and no spill
  }

  /// All of it but the text, of the table's lines.
  var query: Query<LogEntry> {
    var query = LogEntry.all
    if let level { query = query.where { $0.level >= level } }
    if let category { query = query.where { $0.category == category } }
    if let account { query = query.where { $0.account == account } }
    if let since { query = query.where { $0.at >= since } }
    if let until { query = query.where { $0.at < until } }
    return query
  }

  private static func fold(_ text: String) -> String {
    text.lowercased().precomposedStringWithCanonicalMapping
  }
}
