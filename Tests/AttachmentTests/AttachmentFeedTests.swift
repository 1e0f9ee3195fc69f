import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite struct AttachmentFeedTests {
  private let feed: Feed
  private let accounts: GoldenAccounts

  init() throws {
    feed = try #require(Domain.attachment.feeds.first)
    accounts = try GoldenAccounts([.folder, .item, .attachment])
  }

  @Test func `An attachment comes back from the server as it was sent`() throws {
    var random = SplitMix64(seed: 0xa77ac4)
    let attachments = (0..<200).map { _ in
      Attachment(
        id: .make(using: &random), item: random.perhaps { .make(using: &$0) }, fileName: random.text(),
        byteSize: random.integer(), mimeType: random.text(),
        checksum: random.perhaps { random in
          Data(
            (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            })
        })
    }
    #expect(differences(try accounts.roundTrip(attachments, through: feed), attachments) == [])
  }

  @Test(arguments: [
    "{}", #"{"fileName":"a","byteSize":1,"mimeType":"t","checksum":"no base64!"}"#,
    #"{"fileName":"a","byteSize":1,"mimeType":"t","checksum":7}"#,
    #"{"fileName":"a","byteSize":"1","mimeType":"t"}"#,
    #"{"fileName":"a","byteSize":9223372036854775808,"mimeType":"t"}"#,
    #"{"fileName":"a","byteSize":1,"mimeType":"t","item":""}"#,
  ])
  func `A record that is no attachment is refused with a reason, and nothing is written`(json: String) throws
  {
    guard case .refused(let reason) = try accounts.apply(json, to: feed) else {
      Issue.record("\(json) was taken")
      return
    }
    #expect(!reason.isEmpty)
    #expect(try accounts.home.blockingRead { try $0.count(Attachment.all) } == 0)
  }
}
