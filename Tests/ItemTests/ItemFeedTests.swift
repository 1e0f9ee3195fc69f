import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain
import TestKit
import Testing

@Suite struct ItemFeedTests {
  private let feed: Feed
  private let accounts: GoldenAccounts

  init() throws {
    feed = try #require(Domain.item.feeds.first)
    accounts = try GoldenAccounts([.folder, .item])
  }

  @Test func `An item comes back from the server as it was sent`() throws {
    var random = SplitMix64(seed: 0x17e3)
    let scores = [0, -0.0, 0.1, 1e22, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -83.841]
    let items = (0..<200).map { _ in
      Item(
        id: .make(using: &random), remoteID: random.perhaps { $0.integer() },
        folder: random.perhaps { .make(using: &$0) }, title: random.text(),
        preview: random.perhaps { $0.text() },
        isRead: .random(using: &random), isStarred: random.perhaps { .random(using: &$0) },
        updatedAt: Timestamp(nanoseconds: random.integer()),
        score: random.perhaps { scores.randomElement(using: &$0) ?? 0 },
        tags: (0..<Int.random(in: 0...3, using: &random)).map { _ in random.text() })
    }
    #expect(differences(try accounts.roundTrip(items, through: feed), items) == [])
  }

  @Test func `A whole number is a score`() async throws {
    let json = #"{"title":"","isRead":false,"updatedAt":1,"tags":[],"score":2,"isStarred":null}"#
    #expect(try accounts.apply(json, id: "n", to: feed) == .written)
    let id = try #require(ItemID("n"))
    let item = try #require(try await ItemDAO.find(accounts.home, id))
    #expect(item.score == 2)
    #expect(item.isStarred == nil)
  }

  @Test(arguments: [
    "{}", #"{"title":"a","isRead":0,"updatedAt":1,"tags":[]}"#, #"{"title":"a","isRead":true,"updatedAt":1}"#,
    #"{"title":"a","isRead":true,"updatedAt":1e9,"tags":[]}"#,
    #"{"title":"a","isRead":true,"updatedAt":1,"tags":[1]}"#,
    #"{"title":"a","isRead":true,"updatedAt":1,"tags":"x"}"#,
    #"{"title":"a","isRead":true,"updatedAt":1,"tags":[],"folder":"-1"}"#,
    #"{"title":"a","isRead":true,"updatedAt":1,"tags":[],"remoteID":"7"}"#,
  ])
  func `A record that is no item is refused with a reason, and nothing is written`(json: String) throws {
    guard case .refused(let reason) = try accounts.apply(json, to: feed) else {
      Issue.record("\(json) was taken")
      return
    }
    #expect(!reason.isEmpty)
    #expect(try accounts.home.blockingRead { try $0.count(Item.all) } == 0)
  }

  @Test func `There is no feed of drafts`() {
    #expect(Domain.item.feeds.map(\.table.name) == ["item"])
  }
}
