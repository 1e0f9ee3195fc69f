import Foundation
import Testing

@testable import FerryStore

@Suite(.notForEver) struct `A backup` {
  let mailbox: Mailbox
  let copies = Sandbox()
  var copy: URL { copies.folder.appendingPathComponent("copy.sqlite") }

  init() throws {
    mailbox = try Mailbox(clock: ManualClock())
    try copies.makeFolder()
    try mailbox.account.blockingWrite { try $0.insert([Folder("a"), Folder("b")]) }
  }

  private func folders(in url: URL) throws -> [Folder] {
    let store = try Store.open(at: url, schemas: [mail, device])
    return try store.account(alice).blockingRead { try $0.fetch(Folder.all) }
  }

  @Test func `is a store like the one it was made from, for its owner alone, in one file`() async throws {
    let report = try await mailbox.store.backUp(to: copy)
    #expect(report.rows["folder"] == 2 && report.rows["store_outbox"] == 2 && report.rows["draft"] == 0)
    let contents = try copies.contents()
    #expect(contents.keys.sorted() == ["copy.sqlite"] && contents["copy.sqlite"]?.count == report.size)
    #expect(try copies.permissions(of: copy.path) == 0o600)
    #expect(try folders(in: copy) == [Folder("a"), Folder("b")])
    try mailbox.account.blockingWrite { try $0.insert(Folder("c")) }
    #expect(try folders(in: copy).count == 2)
  }

  @Test func `never takes the place of a file`() async throws {
    try Data("theirs".utf8).write(to: copy)
    let store = mailbox.store
    await #expect(throws: StoreError.self) { try await store.backUp(to: copy) }
    #expect(try copies.contents() == ["copy.sqlite": Data("theirs".utf8)])
  }

  @Test func `into a folder that isn't there is an error, and makes nothing`() async throws {
    let store = mailbox.store
    let nowhere = copies.folder.appendingPathComponent("absent/copy.sqlite")
    await #expect(throws: StoreError.self) { try await store.backUp(to: nowhere) }
    #expect(try copies.contents() == [:])
  }

  @Test func `stops when its task is cancelled, and leaves nothing`() throws {
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert((0..<3000).map { Draft(id: $0, text: "\($0)", isLocal: true) })
    }
    // Cancelled from when there is something of it: no row is handed out any more, one statement does it all.
    let folder = copies.folder
    let isUnderWay: @Sendable () -> Bool = {
      do { return try !FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty } catch {
        return true
      }
    }
    #expect(throws: CancellationError.self) { try mailbox.store.blockingBackUp(to: copy, isUnderWay) }
    #expect(try copies.contents() == [:])
    _ = try mailbox.store.blockingBackUp(to: copy) { false }
    #expect(try folders(in: copy).count == 2)
  }

  @Test func `of a closed store is an error`() async throws {
    let store = mailbox.store
    await store.close()
    await #expect(throws: StoreError.closed) { try await store.backUp(to: copy) }
    #expect(try copies.contents() == [:])
  }

  @Test func `holds one state, also while somebody never stops writing`() async throws {
    let (isOver, account) = (Locked(false), mailbox.account)
    try account.blockingWrite { try $0.insert((0..<300).map { Draft.page($0) }) }
    // Each commit moves one from a table to the other.
    async let writes: Void = withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            var number: Int64 = 0
            while !isOver.withLock({ $0 }) {
              try account.blockingWrite { transaction in
                try transaction.delete(Draft.self, number)
                try transaction.insert(Folder("\(number) moved"))
                if number == 299 { isOver.withLock { $0 = true } }
              }
              number += 1
            }
          })
      }
    }
    let report = try await mailbox.store.backUp(to: copy)
    isOver.withLock { $0 = true }
    try await writes
    #expect((report.rows["draft"] ?? 0) + (report.rows["folder"] ?? 0) == 302)
  }
}
