import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

/// A folder of NDJSON files as a server.
@Suite struct DirectoryRemoteTests {
  private let folder: GoldenFolder
  private let remote: DirectoryRemote
  private let alice = LibraryRows.alice

  init() throws {
    folder = try GoldenFolder()
    remote = DirectoryRemote(name: "home", folder: folder.path)
    try FileManager.default.createDirectory(atPath: folder.path("alice"), withIntermediateDirectories: true)
  }

  private var path: String { folder.path("alice/books.ndjson") }

  private func write(_ lines: String...) throws {
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
  }

  private func changes(after cursor: String? = nil, limit: Int = 100) async throws -> RemotePage {
    try await remote.changes(
      in: "books", of: alice, from: cursor.map(PullPosition.after) ?? .beginning, limit: limit)
  }

  @Test("Pages come in ascending revisions, from the cursor on")
  func pages() async throws {
    try write(
      #"{"id":"a","revision":2,"record":{"n":1}}"#, #"{"id":"b","revision":3,"record":{"n":2}}"#,
      #"{"id":"c","revision":9,"record":{}}"#, "")
    let first = try await changes(limit: 2)
    #expect(first.records.map(\.id) == ["a", "b"])
    #expect(first.records.map(\.revision) == [2, 3])
    #expect(first.records[1].content?["n"]?.integerValue == 2)
    #expect(first.cursor == "3")
    #expect(first.hasMore)
    let second = try await changes(after: first.cursor, limit: 2)
    #expect(second.records.map(\.id) == ["c"])
    #expect(!second.hasMore)
    #expect(
      try await changes(after: second.cursor)
        == RemotePage(records: [], cursor: "9", hasMore: false, revision: 9))
  }

  @Test("The last line of an id counts, a tombstone too")
  func lastLine() async throws {
    try write(
      #"{"id":"a","revision":1,"record":{"n":1}}"#, #"{"id":"b","revision":2,"record":{}}"#,
      #"{"id":"a","revision":3,"record":{"n":3}}"#, #"{"id":"b","revision":4,"deleted":true}"#)
    let page = try await changes()
    #expect(page.records.map(\.id) == ["a", "b"])
    #expect(page.records[0].content?["n"]?.integerValue == 3)
    #expect(page.records[1].content == nil)
  }

  @Test("Ids that differ only in how letters are composed are two records")
  func composition() async throws {
    try write(#"{"id":"\#u{e1}","revision":1,"record":{}}"#, #"{"id":"a\#u{301}","revision":2,"record":{}}"#)
    #expect(try await changes().records.count == 2)
  }

  @Test("A file that changes between two pages is read anew")
  func changedFile() async throws {
    try write(#"{"id":"a","revision":1,"record":{}}"#)
    #expect(try await changes().records.count == 1)
    try write(#"{"id":"a","revision":1,"record":{}}"#, #"{"id":"b","revision":2,"record":{}}"#)
    #expect(try await changes(after: "1").records.map(\.id) == ["b"])
  }

  static let badLines = [
    #"{"id":"b","revision":2"#, #"{"revision":2,"record":{}}"#, #"{"id":"b","record":{}}"#,
    #"{"id":"b","revision":"2","record":{}}"#, #"{"id":"b","revision":2}"#,
    #"{"id":"b","revision":2,"record":[]}"#,
    #"{"id":"b","revision":1,"record":{}}"#, #"{"id":"b","revision":-2,"record":{}}"#, "[]",
  ]

  @Test("A line that is no change is named with file and line", arguments: badLines)
  func badLine(_ line: String) async throws {
    try write(#"{"id":"a","revision":1,"record":{}}"#, line)
    let error = await #expect(throws: RemoteError.self) { try await changes() }
    guard case .badAnswer("\(path):2", let why)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!why.isEmpty)
  }

  @Test("A missing folder can't be reached; a missing user or feed is named")
  func missing() async throws {
    await #expect(throws: RemoteError.missingFeed(feed: "books", account: alice)) { try await changes() }
    await #expect(throws: RemoteError.unknownAccount(LibraryRows.bob)) {
      try await remote.changes(in: "books", of: LibraryRows.bob, from: .beginning, limit: 1)
    }
    let gone = DirectoryRemote(name: "home", folder: folder.path("gone"))
    await #expect(
      throws: RemoteError.unreachable(server: "home", why: "there is no folder \(folder.path("gone"))")
    ) {
      try await gone.changes(in: "books", of: alice, from: .beginning, limit: 1)
    }
  }

  @Test("A cursor that is no revision is refused")
  func badCursor() async throws {
    try write(#"{"id":"a","revision":1,"record":{}}"#)
    await #expect(throws: RemoteError.self) { try await changes(after: "x") }
  }

  @Test("An empty feed has an end at once")
  func empty() async throws {
    try write("")
    #expect(try await changes() == RemotePage(records: [], cursor: "0", hasMore: false, revision: 0))
  }
}
