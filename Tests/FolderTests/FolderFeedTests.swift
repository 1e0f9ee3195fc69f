import FerryKernel
import FerryStore
import FolderDomain
import TestKit
import Testing

@Suite struct FolderFeedTests {
  private let feed: Feed
  private let accounts: GoldenAccounts

  init() throws {
    feed = try #require(Domain.folder.feeds.first)
    accounts = try GoldenAccounts([.folder])
  }

  @Test func `A folder comes back from the server as it was sent`() throws {
    var random = SplitMix64(seed: 0xf01de5)
    let folders = (0..<200).map { _ in
      Folder(
        id: .make(using: &random), name: random.text(), type: FolderType(rawValue: random.text()),
        sortOrder: random.integer(), parent: random.perhaps { .make(using: &$0) })
    }
    #expect(differences(try accounts.roundTrip(folders, through: feed), folders) == [])
  }

  @Test func `A type that this build has no name for goes back to the server unchanged`() async throws {
    let id = try #require(FolderID("f"))
    #expect(
      try accounts.apply(#"{"name":"A","type":"smart_v2","sortOrder":1}"#, id: "f", to: feed) == .written)
    try await FolderDAO.rename(accounts.home, id, to: "B")
    let sent = try accounts.home.blockingRead { try feed.encode("f", $0) }
    #expect(sent?["type"]?.stringValue == "smart_v2")
    #expect(sent?["name"]?.stringValue == "B")
    #expect(try accounts.home.blockingRead { try $0.isInOutbox(Folder.self, id) })
  }

  @Test(arguments: [
    #"{"type":"primary","sortOrder":1}"#, #"{"name":1,"type":"primary","sortOrder":1}"#,
    #"{"name":"A","type":null,"sortOrder":1}"#, #"{"name":"A","type":"primary","sortOrder":1.5}"#,
    #"{"name":"A","type":"primary","sortOrder":1,"parent":"-1"}"#,
    #"{"name":"A","type":"primary","sortOrder":1,"parent":""}"#,
  ])
  func `A record that is no folder is refused with a reason, and nothing is written`(json: String) throws {
    guard case .refused(let reason) = try accounts.apply(json, to: feed) else {
      Issue.record("\(json) was taken")
      return
    }
    #expect(!reason.isEmpty)
    #expect(try accounts.home.blockingRead { try $0.count(Folder.all) } == 0)
  }

  @Test(arguments: ["-1", ""])
  func `A placeholder is no folder's id`(id: String) throws {
    guard
      case .refused = try accounts.apply(#"{"name":"A","type":"primary","sortOrder":1}"#, id: id, to: feed)
    else {
      Issue.record("\"\(id)\" was taken")
      return
    }
  }

  @Test func `A folder of the top level has no parent in the server's form`() throws {
    #expect(
      try accounts.apply(#"{"name":"A","type":"primary","sortOrder":1}"#, id: "f", to: feed) == .written)
    let sent = try #require(try accounts.home.blockingRead { try feed.encode("f", $0) })
    #expect(sent.members.map(\.name) == ["name", "type", "sortOrder"])
  }

  @Test func `A folder that isn't there has no server's form`() throws {
    #expect(try accounts.home.blockingRead { try feed.encode("f", $0) } == nil)
  }
}

extension FolderFeedTests {
  @Test func `Known types have names, and any other is itself`() {
    #expect(FolderType(rawValue: "filtered") == .filtered)
    #expect(FolderType(rawValue: "Primary") == .unknown("Primary"))
    // However it was made, a type is its raw value.
    #expect(FolderType.unknown("primary") == .primary)
  }
}
