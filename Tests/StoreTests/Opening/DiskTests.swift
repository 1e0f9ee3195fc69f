import Foundation
import Testing

@testable import FerryStore

@Suite(.enabled(if: geteuid() != 0, "root may write anywhere"))
struct `In a folder that may not be written to` {
  @Test func `a store isn't opened or made, and the error says so`() throws {
    let sandbox = Sandbox()
    do { try sandbox.open().addAccount(alice) }
    let before = try sandbox.contents()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: sandbox.folder.path)
    defer {
      // why: only tidying up depends on it.
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: sandbox.folder.path)
    }
    #expect(throws: StoreError.readOnly(path: sandbox.folder.path)) { try sandbox.open() }
    #expect(throws: StoreError.readOnly(path: sandbox.folder.path)) {
      try Store.open(at: sandbox.folder.appendingPathComponent("other.sqlite"), schemas: [mail])
    }
    #expect(try sandbox.contents() == before)
  }
}

@Suite(.enabled(if: Disk.isPossible, "needs root on Linux, for a small disk of its own"))
struct `On a disk that` {
  private func store(on disk: Disk, _ schemas: [Schema] = [mail, device], readOnly: Bool = false) throws
    -> Store
  {
    try Store.open(at: disk.file, schemas: schemas, readOnly: readOnly)
  }

  @Test func `has no room, a store isn't made, and the error says so`() throws {
    let disk = try #require(try Disk(kilobytes: 64))
    try disk.fill()
    #expect(throws: StoreError.diskFull(path: disk.file.path)) { try store(on: disk) }
  }

  @Test(arguments: [40, 64, 80, 96])
  func `runs full while a store is made, the error says so, and later it is made`(
    kilobytes: Int
  ) throws {
    let disk = try #require(try Disk(kilobytes: kilobytes))
    #expect(throws: StoreError.diskFull(path: disk.file.path)) {
      for number in 0... {
        try store(on: disk).device.blockingWrite { try $0.insert(Counter(id: Int64(number), value: 1)) }
      }
    }
  }

  @Test func `has no room, a schema change isn't made, and the store is as it was`() throws {
    let disk = try #require(try Disk(kilobytes: 512))
    do { try store(on: disk, [mail]).addAccount(alice) }
    let before = try Data(contentsOf: disk.file)
    try disk.fill()
    #expect(throws: StoreError.diskFull(path: disk.file.path)) { try store(on: disk) }
    #expect(try Data(contentsOf: disk.file) == before)
    try FileManager.default.removeItem(at: disk.folder.appendingPathComponent("filling"))
    #expect(try store(on: disk).account(alice).blockingRead { try $0.count(Folder.all) } == 0)
  }

  @Test func `may not be written to, a store isn't opened, and the error says so`() throws {
    let disk = try #require(try Disk(kilobytes: 1024))
    do { try store(on: disk).addAccount(alice) }
    let before = try FileManager.default.contentsOfDirectory(atPath: disk.folder.path)
    let data = try Data(contentsOf: disk.file)
    try disk.makeReadOnly()
    for readOnly in [false, true] {
      #expect(throws: StoreError.readOnly(path: disk.folder.path)) { try store(on: disk, readOnly: readOnly) }
    }
    let absent = disk.folder.appendingPathComponent("other.sqlite")
    #expect(throws: StoreError.readOnly(path: disk.folder.path)) {
      try Store.open(at: absent, schemas: [mail])
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path) == before)
    #expect(try Data(contentsOf: disk.file) == data)
  }

  @Test func `has no room, a backup isn't made, and nothing of it stays`() async throws {
    let disk = try #require(try Disk(kilobytes: 64))
    let mailbox = try Mailbox()
    try mailbox.account.blockingWrite { try $0.insert((0..<100).map { Draft.page($0) }) }
    await #expect(throws: StoreError.diskFull(path: disk.file.path)) {
      try await mailbox.store.backUp(to: disk.file)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path) == [])
  }
}
