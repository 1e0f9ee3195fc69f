import FerryKernel
import FerryStore
import FerrySync
import Testing

@testable import KintoRemote

/// Pages of a feed, as Kinto and what may stand before it give them.
@Suite struct `A pull from Kinto` {
  /// 2026-11-30 08:00:00 UTC, the server's time in these tests.
  private static let noon: Int64 = 1_796_025_600_000
  private static let date = "Mon, 30 Nov 2026 08:00:00 GMT"

  private static func list(
    _ records: String..., etag: Int64? = nil, more: Bool = false, weak: Bool = false
  ) -> ScriptedClient.Reply {
    var headers = ["Date": date]
    if let etag { headers["Etag"] = "\(weak ? "W/" : "")\"\(etag)\"" }
    if more { headers["Next-Page"] = "https://evil.example.org/v1/steal?_token=abc" }
    return .json(200, "{\"data\":[\(records.joined(separator: ","))]}", headers)
  }

  private static func note(_ id: String, _ revision: Int64, _ more: String = "") -> String {
    #"{"id":"notes__\#(id)","last_modified":\#(revision)\#(more)}"#
  }

  @Test func `asks oldest first, for tombstones too, also at the beginning`() async throws {
    let rig = try Rig(
      Self.list(Self.note("a", 5, #","n":1"#), Self.note("b", 7, #","deleted":true"#), etag: 7))
    let page = try await rig.page()
    #expect(
      rig.client.lines == [
        "GET /buckets/default/collections/notes/records?_since=0&_sort=last_modified&_limit=100"
      ])
    #expect(
      page.records == [
        RemoteRecord(id: "a", revision: 5, content: ["n": 1]),
        RemoteRecord(id: "b", revision: 7, content: nil),
      ])
    #expect(!page.hasMore)
    #expect(rig.client.requests[0].header("Authorization") == "Basic YWxpY2U6aHVudGVyMg==")
    #expect(rig.client.requests[0].header("Accept") == "application/json")
  }

  @Test func `goes on behind the page's last record, and never where Next-Page leads`() async throws {
    let rig = try Rig(
      Self.list(Self.note("a", 5), etag: 9, more: true), Self.list(Self.note("b", 9), etag: 9))
    let first = try await rig.page(limit: 1)
    #expect(first.hasMore)
    let last = try await rig.page(.after(first.cursor), limit: 1)
    #expect(!last.hasMore)
    #expect(rig.client.lines[1].hasSuffix("?_since=5&_sort=last_modified&_limit=1"))
    #expect(rig.client.requests.allSatisfy { $0.url.hasPrefix(Rig.base) })
  }

  @Test func `is over where no next page is named, however full or empty the page`() async throws {
    let rig = try Rig(
      Self.list(Self.note("a", 5), Self.note("b", 6), etag: 9, more: true),
      Self.list(Self.note("c", 7), etag: 9, more: true), Self.list(Self.note("d", 9), etag: 9))
    // The server cuts pages shorter than they were asked for.
    #expect(try await rig.page(limit: 100).hasMore)
    #expect(try await rig.page(.after("6"), limit: 100).hasMore)
    #expect(try await !rig.page(.after("7"), limit: 1).hasMore)
  }

  @Test func `begins a minute before its cursor, where a slow writer's records may have appeared`()
    async throws
  {
    let known = Self.noon - 10_000
    let rig = try Rig(
      Self.list(Self.note("late", known - 30_000), Self.note("a", known), etag: known))
    let page = try await rig.page(.resuming("\(known)"))
    #expect(rig.client.lines[0].contains("_since=\(known - 60_000)&"))
    #expect(page.records.map(\.id) == ["late", "a"])
    #expect(page.cursor == "\(known)")
  }

  @Test func `keeps what it had reached while it goes through the minute again`() async throws {
    let known = Self.noon - 10_000
    let rig = try Rig(
      Self.list(Self.note("a", known - 50_000), etag: known, more: true), Self.list(etag: known))
    let first = try await rig.page(.resuming("\(known)"), limit: 1)
    #expect(first.cursor == "\(known - 50_000)~\(known)")
    #expect(try await rig.page(.after(first.cursor), limit: 1).cursor == "\(known)")
  }

  @Test func `takes a record seen twice, and one made anew between two pages, as it comes`() async throws {
    let rig = try Rig(
      Self.list(Self.note("a", 5, #","n":1"#), etag: 6, more: true),
      Self.list(Self.note("b", 6), Self.note("a", 8, #","n":2"#), etag: 6))
    let first = try await rig.page(limit: 1)
    let second = try await rig.page(.after(first.cursor))
    #expect(second.records.last == RemoteRecord(id: "a", revision: 8, content: ["n": 2]))
    // The list's own revision was read before its rows.
    #expect(second.cursor == "8!")
  }

  @Test func `asks whether anything changed only once no open transaction can hide a change`() async throws {
    let old = Self.noon - 121_000
    let fresh = Self.noon - 119_000
    let settled = try Rig(Self.list(Self.note("a", old), etag: old), .json(304, "", ["Etag": "\"\(old)\""]))
    let page = try await settled.page()
    #expect(page.cursor == "\(old)!")
    #expect(
      try await settled.page(.resuming(page.cursor))
        == RemotePage(records: [], cursor: "\(old)!", hasMore: false, revision: old))
    #expect(settled.client.requests[1].header("If-None-Match") == "\"\(old)\"")
    let unsettled = try Rig(Self.list(Self.note("a", fresh), etag: fresh), Self.list(etag: fresh))
    let other = try await unsettled.page()
    #expect(other.cursor == "\(fresh)")
    _ = try await unsettled.page(.resuming(other.cursor))
    #expect(unsettled.client.requests[1].header("If-None-Match") == nil)
  }

  @Test func `reads an ETag that a compressing proxy made weak, and sends it back strong`() async throws {
    let old = Self.noon - 200_000
    let rig = try Rig(Self.list(Self.note("a", old), etag: old, weak: true), .json(304))
    let page = try await rig.page()
    #expect(page.cursor == "\(old)!")
    _ = try await rig.page(.resuming(page.cursor))
    #expect(rig.client.requests[1].header("If-None-Match") == "\"\(old)\"")
  }

  @Test func `stops where the server's feed is behind what was pulled: a backup was restored`() async throws {
    for position in [PullPosition.resuming("9"), .after("9")] {
      let rig = try Rig(Self.list(etag: 7))
      await #expect(throws: RemoteError.wentBack(feed: "notes", from: 9, to: 7)) {
        try await rig.page(position)
      }
    }
  }

  @Test func `stops where the feed moved on without a record: it was made anew`() async throws {
    let rig = try Rig(Self.list(etag: 12), Self.list(Self.note("a", 8), etag: 12))
    await #expect(throws: RemoteError.flushed(feed: "notes", from: 9, to: 12)) {
      try await rig.page(.resuming("9"))
    }
    // Also where the minute before still holds something.
    await #expect(throws: RemoteError.flushed(feed: "notes", from: 9, to: 12)) {
      try await rig.page(.resuming("9"))
    }
  }

  @Test func `remembers the revision of an empty feed, to know it again`() async throws {
    let rig = try Rig(Self.list(etag: 50), Self.list(etag: 50), Self.list(etag: 60))
    let page = try await rig.page()
    #expect(page == RemotePage(records: [], cursor: "50!", hasMore: false, revision: 50))
    #expect(try await rig.page(.resuming("50")).cursor == "50!")
    await #expect(throws: RemoteError.flushed(feed: "notes", from: 50, to: 60)) {
      try await rig.page(.resuming("50"))
    }
  }

  @Test func `never lets its cursor get where Kinto refuses to be asked, a day ahead`() async throws {
    let rig = try Rig(
      Self.list(Self.note("a", Self.noon), Self.note("x", 9_999_999_999_999), etag: 9_999_999_999_999),
      Self.list(Self.note("x", 9_999_999_999_999), etag: 9_999_999_999_999),
      Self.list(Self.note("x", 9_999_999_999_999), etag: 9_999_999_999_999, more: true))
    let page = try await rig.page()
    #expect(page.records.count == 2)
    #expect(page.cursor == "\(Self.noon)~9999999999999")
    // It comes again with each pull, and is known by its revision.
    #expect(try await rig.page(.resuming(page.cursor)).cursor == page.cursor)
    // A page full of such records can't be got past, and isn't asked for for ever.
    await #expect(throws: RemoteError.self) { try await rig.page(.after("\(Self.noon)")) }
  }

  @Test func `begins anew where Kinto refuses to be asked from its cursor on`() async throws {
    let ahead = Self.noon + 3 * 86_400_000
    let rig = try Rig(
      .error(400, 107, "Invalid value for _since"),
      Self.list(Self.note("a", 5), Self.note("b", ahead), etag: ahead))
    let page = try await rig.page(.resuming("\(ahead)"))
    #expect(rig.client.lines.last?.contains("_since=0&") == true)
    #expect(page.records.map(\.id) == ["a", "b"])
    #expect(page.cursor.hasPrefix("5~"))
  }

  @Test func `takes any number for a revision, and counts on none`() async throws {
    let rig = try Rig(Self.list(Self.note("a", .max), etag: .max), Self.list(etag: .max))
    #expect(try await rig.page().records.count == 1)
    #expect(try await rig.page().records.isEmpty)
  }

  @Test func `isn't alarmed where the newest change was a deletion that was purged`() async throws {
    let rig = try Rig(Self.list(Self.note("a", 5), etag: 9), Self.list(Self.note("a", 5), etag: 9))
    let page = try await rig.page()
    #expect(page.cursor == "9!")
    #expect(try await rig.page(.resuming("9")).cursor == "9!")
  }

  @Test func `doesn't look at the device's clock`() async throws {
    // The rig's device is in 1970.
    let rig = try Rig(Self.list(Self.note("a", Self.noon - 500_000), etag: Self.noon - 500_000))
    #expect(try await rig.page().cursor == "\(Self.noon - 500_000)!")
  }

  @Test func `keeps a live record that says deleted, without that word`() async throws {
    let rig = try Rig(Self.list(Self.note("a", 5, #","deleted":true,"title":"t""#), etag: 5))
    #expect(try await rig.page().records == [RemoteRecord(id: "a", revision: 5, content: ["title": "t"])])
  }

  @Test func `leaves out what is the server's, and keeps every other member as it came`() async throws {
    let rig = try Rig(
      Self.list(
        Self.note(
          "a", 5,
          #","schema":3,"big":9223372036854775807,"f":1000.0,"x":{"y":[null,"\u00e9","e\u0301"]},"attachment":{"hash":"h"}"#
        ),
        etag: 5))
    #expect(
      try await rig.page().records[0].content == [
        "big": 9_223_372_036_854_775_807, "f": 1000.0, "x": ["y": [.null, "\u{e9}", "e\u{301}"]],
        "attachment": ["hash": "h"],
      ])
  }

  @Test func `takes a record that somebody else made under its own name`() async throws {
    let rig = try Rig(
      Self.list(#"{"id":"3f2a-uuid","last_modified":5}"#, etag: 5), .error(404, 110))
    let id = try await rig.page().records[0].id
    #expect(id == ":3f2a-uuid")
    #expect(try await rig.remote.record(id, in: "notes", of: rig.alice) == nil)
    #expect(rig.client.lines[1].hasSuffix("/records/3f2a-uuid"))
  }

  static let badPages: [ScriptedClient.Reply] = [
    .json(200, "{"), .json(200, "[]"), .json(200, #"{"data":{}}"#), .json(200, #"{"data":[1]}"#),
    .json(200, #"{"data":[{"id":"a"}]}"#), .json(200, #"{"data":[{"last_modified":5}]}"#),
    .json(200, #"{"data":[{"id":"a","last_modified":"5"}]}"#),
    .json(200, #"{"data":[{"id":"a b","last_modified":5}]}"#),
    .json(200, #"{"data":[{"id":"a","last_modified":-5}]}"#),
    .json(200, #"{"data":[{"id":"a","last_modified":5},{"id":"b","last_modified":4}]}"#),
    .json(200, #"{"data":[]}"#, ["Next-Page": "x"]), .answer(200, ["Content-Type": "text/html"], "<html>"),
    .json(302, "", ["Location": "https://evil.example.org"]),
  ]

  @Test(arguments: badPages)
  func `takes nothing of a page that is none`(reply: ScriptedClient.Reply) async throws {
    let rig = try Rig(reply)
    let error = await #expect(throws: RemoteError.self) { try await rig.page() }
    #expect(error?.code == "sync.badAnswer")
    #expect(rig.client.requests.count == 1)
  }

  @Test func `refuses a cursor that is none of its own`() async throws {
    let rig = try Rig()
    await #expect(throws: RemoteError.self) { try await rig.page(.resuming("page 2")) }
  }

  @Test func `never says the secret, whatever a server makes of it`() async throws {
    let rig = try Rig(.error(400, 107, "bad header Authorization: Basic YWxpY2U6aHVudGVyMg== there"))
    let error = await #expect(throws: RemoteError.self) { try await rig.page() }
    #expect(error?.description.contains("YWxp") == false)
    #expect(error?.description.contains("bad header Authorization: Basic … there") == true)
  }

  @Test func `says what a refusal means`() async throws {
    let alice = try Rig().alice
    let cases: [(ScriptedClient.Reply, RemoteError)] = [
      (.error(401, 104, "Please authenticate"), .unauthorized(alice, why: "Please authenticate")),
      (.error(403, 121), .forbidden(alice, what: "reach notes in the bucket default")),
      (.error(404, 111), .missingFeed(feed: "notes", account: alice)),
      (.error(405, 115), .readOnly(server: "home")),
      (.error(410, 202, "It is over."), .retired(server: "home", message: "It is over")),
      (
        .error(400, 107, "Invalid value for _since"),
        .refused(what: "a request about notes", why: "Invalid value for _since (400)")
      ),
    ]
    for (reply, expected) in cases {
      let rig = try Rig(reply)
      let error = await #expect(throws: RemoteError.self) { try await rig.page() }
      #expect(error == expected)
      #expect(rig.client.requests.count == 1)
    }
  }

  @Test func `counts by a HEAD, and lists without taking a tombstone for a record`() async throws {
    let rig = try Rig(
      .json(200, "", ["Total-Objects": "3", "Content-Length": "11"]),
      Self.list(Self.note("a", 5), Self.note("b", 6, #","deleted":true"#), etag: 9, more: true),
      Self.list(Self.note("c", 9), etag: 9))
    #expect(try await rig.remote.count(in: "notes", of: rig.alice) == 3)
    let first = try await rig.remote.listing(of: "notes", of: rig.alice, after: nil, limit: 2)
    #expect(first == RemoteListing(entries: [.init(id: "a", revision: 5)], cursor: "6"))
    let last = try await rig.remote.listing(of: "notes", of: rig.alice, after: first.cursor, limit: 2)
    #expect(last == RemoteListing(entries: [.init(id: "c", revision: 9)], cursor: nil))
    #expect(rig.client.lines[0] == "HEAD /buckets/default/collections/notes/records")
    #expect(rig.client.lines[1].contains("_fields=id,deleted"))
  }
}
