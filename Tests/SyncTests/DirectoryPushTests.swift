import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit
import Testing

/// What a folder does with changes, marks and files that are sent to it.
@Suite struct `A folder as a server, written to` {
  private let folder: GoldenFolder
  private let remote: DirectoryRemote
  private let alice = LibraryRows.alice

  init() throws {
    folder = try GoldenFolder()
    remote = DirectoryRemote(name: "home", folder: folder.path)
    try FileManager.default.createDirectory(atPath: folder.path("alice"), withIntermediateDirectories: true)
  }

  private func push(_ changes: RemoteChange...) async throws -> [PushOutcome] {
    try await remote.push(changes, to: "books", of: alice)
  }

  private func page() async throws -> [RemoteRecord] {
    try await remote.changes(in: "books", of: alice, from: .beginning, limit: 100).records
  }

  @Test func `appends each change with the next revision, and makes the feed that isn't there`() async throws
  {
    #expect(
      try await push(.create("a", ["n": 1]), .create("b", ["n": 2])) == [
        .done(revision: 1), .done(revision: 2),
      ])
    #expect(
      try await push(.update("a", ["n": 3], of: 1), .delete("b", of: 2)) == [
        .done(revision: 3), .done(revision: 4),
      ])
    let text = try String(contentsOfFile: folder.path("alice/books.ndjson"), encoding: .utf8)
    #expect(
      text == """
        {"id":"a","revision":1,"record":{"n":1}}
        {"id":"b","revision":2,"record":{"n":2}}
        {"id":"a","revision":3,"record":{"n":3}}
        {"id":"b","revision":4,"deleted":true}

        """)
    let other = DirectoryRemote(name: "home", folder: folder.path)
    #expect(try await other.changes(in: "books", of: alice, from: .beginning, limit: 9).records == page())
    #expect(try await other.count(in: "books", of: alice) == 1)
  }

  @Test func `changes nothing where a precondition doesn't hold, and says what is there`() async throws {
    _ = try await push(.create("a", ["n": 1]), .create("b", ["n": 2]), .delete("b", of: 2))
    let there = RemoteRecord(id: "a", revision: 1, content: ["n": 1])
    #expect(
      try await push(
        .create("a", ["n": 9]), .update("a", ["n": 9], of: 7), .delete("a", of: 7),
        .update("b", ["n": 9], of: 2),
        .delete("b", of: 2), .update("c", ["n": 9], of: 1), .delete("c", of: 1)) == [
          .conflict(existing: there), .conflict(existing: there), .conflict(existing: there), .gone, .gone,
          .gone, .gone,
        ])
    #expect(try await page() == [there, RemoteRecord(id: "b", revision: 3, content: nil)])
  }

  @Test func `takes a change that it has already for done, and creates over a tombstone`() async throws {
    _ = try await push(.create("a", ["n": 1, "m": 2]))
    #expect(
      try await push(.create("a", ["m": 2, "n": 1]), .update("a", ["n": 1, "m": 2], of: 0)) == [
        .done(revision: 1), .done(revision: 1),
      ])
    #expect(
      try await push(.delete("a", of: 1), .create("a", [:])) == [.done(revision: 2), .done(revision: 3)])
  }

  @Test func `refuses alone what JSON can't hold`() async throws {
    let outcomes = try await push(.create("a", ["n": .number(.infinity)]), .create("b", [:]))
    guard case .poisoned(let reason) = outcomes[0] else {
      Issue.record("\(outcomes)")
      return
    }
    #expect(reason.contains("isn't finite"))
    #expect(outcomes[1] == .done(revision: 1))
    #expect(try await page().map(\.id) == ["b"])
  }

  @Test func `loses nothing of ten writers at once, and gives no revision twice`() async throws {
    let all = try await withThrowingTaskGroup(of: [PushOutcome].self) { group in
      for writer in 0..<10 {
        group.addTask { [remote, alice] in
          var outcomes: [PushOutcome] = []
          for number in 0..<5 {
            outcomes += try await remote.push(
              [.create("\(writer)-\(number)", [:])], to: "books", of: alice)
          }
          return outcomes
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let revisions = all.compactMap { if case .done(let revision) = $0 { revision } else { nil } }
    #expect(revisions.sorted() == Array(1...50))
    #expect(try await page().map(\.revision) == Array(1...50))
  }

  @Test func `is what it was where a push dies at any file operation`() async throws {
    _ = try await push(.create("a", ["n": 1]))
    var isDone = false
    var operation = 0
    while !isDone {
      let count = Locked(0)
      let files = FileOperations { [operation] name, path in
        let isDue = count.withLock { count in
          count += 1
          return count > operation
        }
        if isDue { throw KernelError.fileSystem(path: path, doing: name, message: "the disk is gone") }
      }
      let remote = DirectoryRemote(name: "home", folder: folder.path, files: files)
      do {
        _ = try await remote.push([.create("b\(operation)", [:])], to: "books", of: alice)
        isDone = true
      } catch let error as KernelError {
        guard case .fileSystem = error else { throw error }
      }
      let ids = try await page().map(\.id)
      #expect(ids.first == "a")
      #expect(ids.contains("b\(operation)") || !isDone)
      operation += 1
    }
  }

  @Test func `keeps the first mark, also of two that are set at once`() async throws {
    #expect(try await remote.mark(of: "books", of: alice) == nil)
    async let one = remote.setMark("one", of: "books", of: alice)
    async let two = remote.setMark("two", of: "books", of: alice)
    let marks = try await [one, two]
    #expect(marks[0] == marks[1])
    #expect(try await remote.mark(of: "books", of: alice) == marks[0])
    #expect(try await page().isEmpty)
  }

  @Test func `says that it went back where a cursor is ahead of it`() async throws {
    _ = try await push(.create("a", [:]))
    await #expect(throws: RemoteError.wentBack(feed: "books", from: 5, to: 1)) {
      try await remote.changes(in: "books", of: alice, from: .resuming("5"), limit: 10)
    }
  }

  @Test func `lists what it holds, page by page, without tombstones`() async throws {
    _ = try await push(.create("a", [:]), .create("b", [:]), .create("c", [:]), .delete("a", of: 1))
    let first = try await remote.listing(of: "books", of: alice, after: nil, limit: 2)
    #expect(first.entries == [.init(id: "b", revision: 2), .init(id: "c", revision: 3)])
    let last = try await remote.listing(of: "books", of: alice, after: first.cursor, limit: 2)
    #expect(last == RemoteListing(entries: [], cursor: nil))
    #expect(
      try await remote.record("b", in: "books", of: alice)
        == RemoteRecord(id: "b", revision: 2, content: [:]))
    #expect(try await remote.record("a", in: "books", of: alice) == nil)
  }

  @Test func `takes no change where its folder may only be read`() async throws {
    guard getuid() != 0 else { return }
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path("alice"))
    #expect(try await remote.session(of: alice).isReadOnly)
    await #expect(throws: RemoteError.readOnly(server: "home")) { try await push(.create("a", [:])) }
  }

  @Test func `closes a half file that can't be read once`() throws {
    let ledger = DescriptorLedger(canRead: false)
    #expect(throws: KernelError.self) {
      try PartialFile(for: folder.path("copy"), files: FileOperations(calls: ledger))
    }
    #expect(ledger.open == 0 && ledger.strays == 0)
  }

  @Test func `keeps files, and gives them back whole and right or not at all`() async throws {
    _ = try await push(.create("a", ["n": 1]))
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let source = folder.path("photo")
    try FileOperations().writeWhole(bytes, to: source)
    let file = BlobFile(path: source, name: "../photo", mediaType: "image/jpeg")
    let (blob, revision) = try await remote.upload(file, to: "a", in: "books", of: alice)
    #expect(revision == 2)
    let record = try #require(try await remote.record("a", in: "books", of: alice))
    #expect(try record.blob() == blob)
    #expect(record.content?["n"]?.integerValue == 1)

    let target = folder.path("copy")
    try await remote.download(blob, of: alice, to: target)
    #expect(try FileOperations().read(target) == bytes)
    #expect(!FileManager.default.fileExists(atPath: PartialFile.name(target)))

    try FileOperations().writeWhole(bytes.reversed(), to: folder.path("alice/\(blob.location)"))
    let error = await #expect(throws: RemoteError.self) {
      try await remote.download(blob, of: alice, to: folder.path("other"))
    }
    #expect(error?.code == "sync.blobDiffers")
    #expect(!FileManager.default.fileExists(atPath: folder.path("other")))

    let away = RemoteBlob(location: "../../photo", sha256: blob.sha256, size: blob.size)
    await #expect(throws: RemoteError.blobGone(location: "../../photo")) {
      try await remote.download(away, of: alice, to: folder.path("other"))
    }
  }
}
