import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit
import Testing

/// A device of a user's that speaks to a real server.
struct Device {
  let fixture: KintoFixture
  let user: KintoUser
  let account: AccountID
  let remote: KintoRemote
  /// The bucket that its feed is in.
  let bucket: String

  init(
    _ fixture: KintoFixture, _ user: KintoUser? = nil, bucket: String = "default",
    change: (inout KintoServer) -> Void = { _ in }
  ) async throws {
    (self.fixture, self.bucket) = (fixture, bucket)
    if let user { self.user = user } else { self.user = try await fixture.user() }
    var server = try KintoServer(name: "home", url: fixture.url, bucket: bucket)
    server.patience.firstPause = .milliseconds(20)
    change(&server)
    let secret = try #require(Secret(self.user.password))
    account = try AccountID(server: "home", user: self.user.name)
    remote = KintoRemote(
      server: server, client: CurlClient(), secret: { _ in secret },
      now: { Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)) })
  }

  func push(_ changes: RemoteChange...) async throws -> [PushOutcome] {
    try await remote.push(changes, to: "notes", of: account)
  }

  /// All pages from a position, and the cursor after them.
  func pull(_ position: PullPosition = .beginning, limit: Int = 1000) async throws
    -> (records: [RemoteRecord], cursor: String)
  {
    var (records, position) = ([RemoteRecord](), position)
    while true {
      let page = try await remote.changes(in: "notes", of: account, from: position, limit: limit)
      records += page.records
      if !page.hasMore { return (records, page.cursor) }
      position = .after(page.cursor)
    }
  }

  /// Asks the server past all code that is under test.
  @discardableResult
  func witness(_ method: String, _ path: String = "", headers: JSONObject = [:], _ body: JSONValue? = nil)
    async throws
    -> KintoFixture.Answer
  {
    try await fixture.request(
      method, "/buckets/\(bucket)/collections/notes\(path)", as: user, headers: headers, body)
  }
}

extension PushOutcome {
  var revision: Int64? { if case .done(let revision) = self { revision } else { nil } }
}
