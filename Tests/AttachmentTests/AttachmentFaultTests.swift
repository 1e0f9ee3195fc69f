import AttachmentDomain
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

/// Every operation on a disk, of the store and of the files, is the last one that reaches it, or fails.
@Suite struct `A disk that fails at each operation` {
  enum Action: String, CaseIterable, Sendable {
    case add, open, remove, evict, resume
    /// Whether what it did is to survive a power failure. What came from a server can come again.
    var isDurable: Bool { ![.open, .resume].contains(self) }
  }

  /// A store and its files, with what an action needs.
  private struct Rig {
    let folder: GoldenFolder
    let id: AccountID
    let item: ItemID
    var storePath: URL { folder.url.appendingPathComponent("ferry.sqlite") }

    init() async throws {
      folder = try GoldenFolder()
      id = try AccountID(server: "home", user: "alice")
      item = try AttachmentDesk.item("i")
      let store = try open()
      let account = try store.addAccount(id)
      try await account.write(origin: .server) { [item] in try $0.insert(AttachmentDesk.record(item)) }
      let source = ScriptedSource()
      try AttachmentDesk.serve("held", "held", to: account, of: item, source)
      try AttachmentDesk.serve("remote", "remote content", to: account, of: item, source)
      for name in ["held"] {
        _ = try await AttachmentDAO.open(
          account, try #require(AttachmentID(name)), from: source, at: Timestamp(nanoseconds: 1))
      }
      source.break(after: 6)
      try AttachmentDesk.serve("begun", "begun content", to: account, of: item, source)
      await #expect(throws: ScriptedSource.Fault.self) {
        try await AttachmentDAO.open(
          account, try #require(AttachmentID("begun")), from: source, at: Timestamp(nanoseconds: 1))
      }
      await store.close()
    }

    func open(_ disk: FaultDisk? = nil) throws -> Store {
      let schemas = [Domain.folder, .item, .attachment].map(\.schema)
      return try disk.map { try Store.open(at: storePath, schemas: schemas, vfs: $0.vfs) }
        ?? Store.open(at: storePath, schemas: schemas)
    }

    func run(_ action: Action, _ account: AccountStore, _ files: FileOperations) async throws {
      let source = ScriptedSource(files: files)
      for text in ["held", "remote content", "begun content"] { _ = source.put(text) }
      let now = Timestamp(nanoseconds: 2)
      switch action {
      case .add:
        var random = SystemRandomNumberGenerator()
        let path = folder.path("original")
        try Data("added".utf8).write(to: URL(fileURLWithPath: path))
        try await AttachmentDAO.add(
          account, file: path, to: item, at: now, using: &random, files: files)
      case .open: _ = try await open("remote", account, source, files)
      case .resume: _ = try await open("begun", account, source, files)
      case .remove:
        try await AttachmentDAO.remove(account, [try #require(AttachmentID("held"))], files: files)
      case .evict: try await AttachmentDAO.evict(account, to: 0, files: files)
      }
    }

    private func open(
      _ name: String, _ account: AccountStore, _ source: ScriptedSource, _ files: FileOperations
    ) async throws -> String {
      try await AttachmentDAO.open(
        account, try #require(AttachmentID(name)), from: source, at: Timestamp(nanoseconds: 2), files: files)
    }

    /// Whether the action's effect is there.
    func isDone(_ action: Action, _ account: AccountStore) async throws -> Bool {
      let entries = try await AttachmentDAO.entries(account)
      func state(_ name: String) -> AttachmentState? {
        entries.first { $0.attachment.id.rawValue == name }?.state
      }
      return switch action {
      case .add: entries.contains { $0.attachment.fileName == "original" && $0.state == .local }
      case .open: state("remote") == .local
      case .resume: state("begun") == .local
      case .remove: state("held") == nil
      case .evict: state("held") == .remote
      }
    }
  }

  @Test(arguments: Action.allCases, Survivors.allCases)
  func `leaves each file whole or not there, and what is left over can be cleaned up`(
    action: Action, survivors: Survivors
  ) async throws {
    for operation in Operations.failing(survivors, of: Survivors.allCases) {
      let rig = try await Rig()
      let (isDone, disk) = try await attempt(action, rig) { $0.plan(.powerLoss, at: operation) }
      disk.lose(survivors, seed: UInt64(operation))
      let isKept = isDone && (action.isDurable || survivors == .all)
      try await check(rig, action, isKept, "\(action) at \(operation), \(survivors)")
      if disk.failures == 0 {
        #expect(isDone)
        #expect(operation > 5)
        return
      }
    }
  }

  private static let faults: [Fault] = [.ioError, .noSpace, .unreadable]

  @Test(arguments: Action.allCases, faults)
  func `says so where one operation fails, and goes on afterwards`(action: Action, fault: Fault) async throws
  {
    for operation in Operations.failing(fault, of: Self.faults) {
      let rig = try await Rig()
      let (isDone, disk) = try await attempt(action, rig) { $0.plan(fault, at: operation, times: 1) }
      try await check(rig, action, isDone, "\(action) at \(operation), \(fault)")
      if disk.failures == 0 { return #expect(isDone) }
    }
  }

  /// Does it once on a disk that fails as planned.
  ///
  /// - Returns: whether it said that it is done, and the disk.
  private func attempt(_ action: Action, _ rig: Rig, _ plan: (FaultDisk) -> Void) async throws -> (
    isDone: Bool, disk: FaultDisk
  ) {
    let disk = try FaultDisk(folder: rig.folder.path("lost"))
    let store = try rig.open(disk)
    plan(disk)
    var isDone = false
    do {
      try await rig.run(action, try store.account(rig.id), disk.files)
      isDone = true
    } catch is any FerryError {}
    await store.close()
    return (isDone, disk)
  }

  /// What must hold whatever happened.
  private func check(_ rig: Rig, _ action: Action, _ wasDone: Bool, _ comment: String) async throws {
    let store = try rig.open()
    let account = try store.account(rig.id)
    let faults = try await AttachmentDAO.verify(account).faults
    try #require(faults.isEmpty, "\(comment): \(faults)")
    if wasDone { try #require(try await rig.isDone(action, account), "\(comment): undone") }
    try await AttachmentDAO.removeOrphans(account)
    try #require(try await AttachmentDAO.orphans(account).isEmpty, "\(comment)")
    try await rig.run(action, account, FileOperations())
    try #require(try await rig.isDone(action, account), "\(comment): not done again")
    try #require(try await AttachmentDAO.verify(account).faults.isEmpty, "\(comment): again")
    try #require(try await AttachmentDAO.orphans(account).isEmpty, "\(comment): again")
    await store.close()
  }
}
