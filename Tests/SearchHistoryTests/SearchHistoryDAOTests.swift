import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@testable import SearchHistoryDomain

@Suite struct `The search history` {
  private let accounts: GoldenAccounts
  private let home: AccountStore
  private let work: AccountStore

  init() throws {
    accounts = try GoldenAccounts([.searchHistory])
    (home, work) = (accounts.home, accounts.work)
  }

  private func time(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }

  /// Records each text a second after the one before.
  private func record(_ texts: String..., by account: AccountStore? = nil, bound: Int = 100) async throws {
    for (index, text) in texts.enumerated() {
      try await SearchHistoryDAO.record(account ?? home, text, at: time(Int64(index)), bound: bound)
    }
  }

  private func texts(_ account: AccountStore? = nil) async throws -> [String] {
    try await SearchHistoryDAO.recent(account ?? home).map(\.text)
  }

  // MARK: - Recording

  @Test func `has the newest first, no more than asked for`() async throws {
    for index in 0..<30 { try await SearchHistoryDAO.record(home, "search \(index)", at: time(Int64(index))) }
    #expect(try await texts().count == 20)
    #expect(try await SearchHistoryDAO.recent(home, limit: 2).map(\.text) == ["search 29", "search 28"])
    #expect(try await SearchHistoryDAO.recent(home, limit: 0).isEmpty)
  }

  @Test(arguments: [
    ("Café", "cafe\u{301}"), ("todo", "  TODO\n"), ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
    ("éclair", "E\u{301}CLAIR"), ("\u{2003}a b", "A B\t"), ("Straße", "STRASSE"), ("οδός", "ΟΔΌΣ"),
    ("ﬁn", "FIN"), ("K", "k"),
  ])
  func `takes texts for the same but for spaces around them, canonical form and case`(
    first: String, second: String
  ) async throws {
    try await record(first, "between", second)
    let entries = try await SearchHistoryDAO.recent(home)
    #expect(entries.count == 2)
    // As it was typed last, byte for byte.
    #expect(entries[0].text.utf8.elementsEqual(second.utf8))
    #expect(entries[0].searchedAt == time(2))
  }

  @Test(arguments: [("a b", "a  b"), ("cafe", "café"), ("a", "ａ"), ("ısı", "isi")])
  func `takes other texts for two`(first: String, second: String) async throws {
    try await record(first, second)
    #expect(try await texts() == [second, first])
  }

  @Test(arguments: ["", "  ", "\n\t\u{2003}"])
  func `refuses what has nothing but spaces in it, and tells nobody`(text: String) async throws {
    var changes = try await home.changes().makeAsyncIterator()
    await #expect(throws: SearchHistoryError.empty) {
      try await SearchHistoryDAO.record(home, text, at: time(1))
    }
    await #expect(throws: SearchHistoryError.empty) { try await SearchHistoryDAO.remove(home, text) }
    await #expect(throws: SearchHistoryError.noRoom(0)) {
      try await SearchHistoryDAO.record(home, "a", at: time(1), bound: 0)
    }
    #expect(throws: SearchHistoryError.empty) {
      try home.blockingWrite { try SearchHistoryDAO.record($0, text, at: time(1)) }
    }
    #expect(try await texts().isEmpty)
    // The first change is that of the first search that was taken.
    try await record("taken")
    #expect(try await changes.next()?.changes.isEmpty == false)
    #expect(try await SearchHistoryDAO.count(home) == 1)
  }

  @Test func `can have what elsewhere is a placeholder`() async throws {
    try await record("-1")
    #expect(try await texts() == ["-1"])
  }

  @Test func `moves up what is searched for again, also after the clock was set back`() async throws {
    try await record("a", "b", "c")
    try await SearchHistoryDAO.record(home, "A", at: time(-500))
    #expect(try await texts() == ["A", "c", "b"])
    try await SearchHistoryDAO.record(home, "d", at: time(-400))
    #expect(try await texts() == ["d", "A", "c", "b"])
    try await SearchHistoryDAO.record(home, "d", at: time(-400))
    #expect(try await texts() == ["d", "A", "c", "b"])
  }

  @Test func `keeps so many, and the oldest go`() async throws {
    try await record("a", "b", "c", "d", bound: 3)
    #expect(try await texts() == ["d", "c", "b"])
    try await SearchHistoryDAO.record(home, "b", at: time(9), bound: 3)
    #expect(try await texts() == ["b", "d", "c"])
    // A smaller bound holds from the next search on.
    try await SearchHistoryDAO.record(home, "e", at: time(10), bound: 1)
    #expect(try await texts() == ["e"])
  }

  @Test func `keeps 100 where nobody says otherwise, of a crossed one too`() async throws {
    let legacy = (0..<250).compactMap { SearchEntry(text: "legacy \($0)", searchedAt: time($0)) }
    try await home.write(origin: .crossing) { try $0.insert(legacy) }
    try await SearchHistoryDAO.record(home, "new", at: time(1000))
    #expect(try await SearchHistoryDAO.count(home) == SearchHistoryDAO.bound)
    let all = try await SearchHistoryDAO.recent(home, limit: 200).map(\.text)
    #expect(all.first == "new" && all.last == "legacy 151")
  }

  @Test func `knows what an earlier build wrote, whose terms were in lower case, for the same`() async throws
  {
    // As that build stored it: no term that is made today is so.
    func writeFormer() throws {
      let former = try #require(SearchTerm.value(from: .text("straße")))
      try home.blockingWrite { transaction in
        try transaction.insert(SearchEntry(term: former, text: "Straße", searchedAt: time(1)))
      }
    }
    try writeFormer()
    #expect(try await texts() == ["Straße"])
    try await SearchHistoryDAO.record(home, "STRASSE", at: time(2))
    #expect(try await texts().first == "STRASSE")
    try await SearchHistoryDAO.record(home, "Straße", at: time(3))
    #expect(try await texts() == ["Straße"])
    try await SearchHistoryDAO.clear(home)
    try writeFormer()
    #expect(try await SearchHistoryDAO.remove(home, "straße"))
    #expect(try await SearchHistoryDAO.count(home) == 0)
  }

  // MARK: - Suggestions

  @Test func `suggests what begins as was typed, newest first`() async throws {
    try await record("Notes", "note pad", "other", "NOTEBOOK", "no", "résumé", "한글 메모")
    func suggestions(_ text: String, _ limit: Int = 10) async throws -> [String] {
      try await SearchHistoryDAO.suggestions(home, for: text, limit: limit).map(\.text)
    }
    #expect(try await suggestions("note") == ["NOTEBOOK", "note pad", "Notes"])
    #expect(try await suggestions(" NOTE") == ["NOTEBOOK", "note pad", "Notes"])
    // Whoever typed a space is at the next word.
    #expect(try await suggestions("note ") == ["note pad"])
    #expect(try await suggestions("n", 1) == ["no"])
    #expect(try await suggestions("re\u{301}s") == ["résumé"])
    #expect(try await suggestions("한글") == ["한글 메모"])
    #expect(try await suggestions("글").isEmpty)
    #expect(try await suggestions("").isEmpty)
    #expect(try await suggestions("  ").isEmpty)
    #expect(try await suggestions("no%").isEmpty)
  }

  @Test(arguments: ["\u{10ffff}", "a\u{10ffff}", "\u{d7ff}", "z\u{d7ff}", "\u{e000}", "a\u{7f}"])
  func `suggests what begins with the last letters there are`(beginning: String) async throws {
    try await record(beginning, beginning + "\u{10ffff}x", beginning + "!", "b", "\u{20}a")
    let found = try await SearchHistoryDAO.suggestions(home, for: beginning)
    let expected = [beginning + "!", beginning + "\u{10ffff}x", beginning]
    #expect(found.map { Array($0.text.utf8) } == expected.map { Array($0.utf8) })
  }

  @Test func `suggests what a look at each search finds, whatever was typed`() async throws {
    let seed = seed()
    var random = SplitMix64(seed: seed)
    for index in 0..<120 {
      let text = random.text()
      guard SearchTerm(typed: text) != nil else { continue }
      try await SearchHistoryDAO.record(home, text, at: time(Int64(index)))
    }
    let all = try await SearchHistoryDAO.recent(home, limit: 1000)
    for _ in 0..<200 {
      let typed = String(
        (all.randomElement(using: &random)?.text ?? "").prefix(Int.random(in: 0...3, using: &random)))
      guard let term = SearchTerm(typed: typed), typed.last?.isWhitespace == false else { continue }
      let expected = all.filter { $0.term.rawValue.utf8.starts(with: term.rawValue.utf8) }
      let found = try await SearchHistoryDAO.suggestions(home, for: typed, limit: 1000)
      #expect(differences(found, expected) == [], "\(typed), FERRY_SEED=\(seed)")
    }
  }

  private func seed() -> UInt64 {
    ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap { UInt64($0) }
      ?? .random(in: 0...UInt64(UInt32.max))
  }

  // MARK: - Forgetting

  @Test func `forgets one search, however it is typed, and says whether there was one`() async throws {
    try await record("Café", "tea")
    #expect(try await SearchHistoryDAO.remove(home, " CAFE\u{301} "))
    #expect(try await !SearchHistoryDAO.remove(home, "café"))
    #expect(try await texts() == ["tea"])
  }

  @Test func `forgets all of an account, and says how many`() async throws {
    try await record("a", "b")
    try await record("a", by: work)
    #expect(try await SearchHistoryDAO.clear(home) == 2)
    #expect(try await SearchHistoryDAO.clear(home) == 0)
    #expect(try await texts(work) == ["a"])
  }

  // MARK: - Accounts and events

  @Test func `of one account is nothing to the other's, in any question`() async throws {
    try await record("a", "ab")
    try await record("A", by: work)
    #expect(try await texts(work) == ["A"])
    #expect(try await SearchHistoryDAO.suggestions(work, for: "a").map(\.text) == ["A"])
    #expect(try await SearchHistoryDAO.count(home) == 2)
    #expect(try await SearchHistoryDAO.count(work) == 1)
    #expect(try await SearchHistoryDAO.remove(work, "a"))
    #expect(try await texts() == ["ab", "a"])
    // A bound is an account's.
    try await SearchHistoryDAO.record(work, "w", at: time(5), bound: 1)
    #expect(try await SearchHistoryDAO.count(home) == 2)
  }

  @Test func `tells observers of each change once, and of the other account's never`() async throws {
    var recent = SearchHistoryDAO.observeRecent(home).makeAsyncIterator()
    var suggestions = SearchHistoryDAO.observeSuggestions(home, for: "a").makeAsyncIterator()
    var count = SearchHistoryDAO.observeCount(home).makeAsyncIterator()
    #expect(try await recent.next()?.isEmpty == true)
    #expect(try await suggestions.next()?.isEmpty == true)
    #expect(try await count.next() == 0)
    try await record("a", by: work)
    try await record("a")
    #expect(try await recent.next()?.map(\.text) == ["a"])
    #expect(try await suggestions.next()?.map(\.text) == ["a"])
    #expect(try await count.next() == 1)
    try await SearchHistoryDAO.record(home, "b", at: time(9))
    #expect(try await recent.next()?.map(\.text) == ["b", "a"])
    #expect(try await count.next() == 2)
    try await SearchHistoryDAO.record(home, "A", at: time(10))
    #expect(try await suggestions.next()?.map(\.text) == ["A"])
  }

  @Test func `makes one event of each write, and none of one that changes nothing`() async throws {
    var changes = try await home.changes().makeAsyncIterator()
    try await record("a", "b", "c", bound: 2)
    for _ in 0..<3 { #expect(try await changes.next() != nil) }
    // Nothing is removed, then something is: the next event is that of the second.
    #expect(try await !SearchHistoryDAO.remove(home, "zzz"))
    #expect(try await SearchHistoryDAO.clear(work) == 0)
    #expect(try await SearchHistoryDAO.clear(home) == 2)
    #expect(try await changes.next()?.changes.count == 2)
    try await record("after")
    #expect(try await changes.next() != nil)
    #expect(try await SearchHistoryDAO.count(home) == 1)
  }

  @Test func `can be written within a transaction of more`() async throws {
    try await home.write { transaction in
      try SearchHistoryDAO.record(transaction, "a", at: Timestamp(nanoseconds: 1))
      try SearchHistoryDAO.record(transaction, "b", at: Timestamp(nanoseconds: 2))
      #expect(try SearchHistoryDAO.remove(transaction, "A"))
    }
    #expect(try await texts() == ["b"])
    #expect(try await home.write { try SearchHistoryDAO.clear($0) } == 1)
  }

  @Test func `never leaves the device`() async throws {
    try await record("secret")
    try await SearchHistoryDAO.remove(home, "secret")
    #expect(Domain.searchHistory.feeds.isEmpty)
    #expect(try await home.read { try $0.outboxCount() } == 0)
  }
}
