import FerryStore
import Foundation
import TestKit
import Testing

@testable import FerryKernel

/// The disk that the crash matrix runs on: it must lose what was not made to last, or the matrix shows nothing.
@Suite struct FaultDiskTests {
  private let folder: GoldenFolder

  init() throws { folder = try GoldenFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  /// A disk that keeps count of what isn't synced, and fails no operation before this one.
  private func disk(failingAt operation: Int = .max) throws -> FaultDisk {
    let disk = try FaultDisk(folder: path("lost \(UUID().uuidString)"))
    disk.plan(.powerLoss, at: operation)
    return disk
  }

  private func content(_ name: String) throws -> String? {
    guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
    return String(decoding: try FileOperations().read(path(name)), as: UTF8.self)
  }

  /// Writes without the care of `writeWhole`.
  private func writePlainly(_ text: String, to name: String, _ files: FileOperations, synced: Bool) throws {
    let descriptor = try files.opened(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
    defer { files.close(descriptor) }
    try files.write(Array(text.utf8), to: descriptor, path: path(name))
    if synced { try files.sync(descriptor, path: path(name)) }
  }

  @Test func `What nobody synced is lost, a file's bytes and a folder's entries each for themselves`() throws
  {
    try FileOperations().writeWhole(Array("old".utf8), to: path("a"))
    var lossy = try disk()
    try writePlainly("new", to: "a", lossy.files, synced: false)
    try writePlainly("new", to: "b", lossy.files, synced: true)
    #expect(try content("a") == "new")
    lossy.lose(.none, seed: 1)
    #expect(try content("a") == "old")
    #expect(try content("b") == nil)
    lossy = try disk()
    try writePlainly("new", to: "a", lossy.files, synced: true)
    try writePlainly("new", to: "b", lossy.files, synced: true)
    try lossy.files.syncFolder(of: path("b"))
    lossy.lose(.none, seed: 1)
    #expect(try content("a") == "new")
    #expect(try content("b") == "new")
  }

  @Test func `A rename may come to the disk before the bytes of what was renamed`() throws {
    var found: Set<String?> = []
    for seed in 0..<40 as Range<UInt64> {
      try FileOperations().writeWhole(Array("old".utf8), to: path("a"))
      let lossy = try disk()
      try writePlainly("new", to: "a.tmp", lossy.files, synced: false)
      try lossy.files.rename(path("a.tmp"), to: path("a"))
      lossy.lose(.some, seed: seed)
      found.insert(try content("a"))
      if try content("a.tmp") != nil { try FileManager.default.removeItem(atPath: path("a.tmp")) }
    }
    #expect(found == ["old", "new", ""])
  }

  @Test func `A file that is written whole is the old or the new one, whenever the power goes`() throws {
    let (old, new) = (String(repeating: "old", count: 700), String(repeating: "new", count: 999))
    for operation in 1...8 {
      for survivors in Survivors.allCases {
        for seed in 0..<4 as Range<UInt64> {
          try FileOperations().writeWhole(Array(old.utf8), to: path("a"))
          let lossy = try disk(failingAt: operation)
          var isDone = false
          do {
            try lossy.files.writeWhole(Array(new.utf8), to: path("a"))
            isDone = true
          } catch is KernelError {}
          lossy.lose(survivors, seed: seed)
          let found = try content("a")
          #expect(found == new || found == old && !isDone, "\(operation) \(survivors) \(seed)")
          #expect(isDone == (operation > 5))
        }
      }
    }
  }

  @Test func `A folder that was made stays, and those above it`() throws {
    let lossy = try disk()
    try lossy.files.makeFolder(path("x/y/z"))
    try writePlainly("new", to: "x/y/z/a", lossy.files, synced: true)
    try lossy.files.syncFolder(of: path("x/y/z/a"))
    try lossy.files.makeFolder(path("x/y/z"))
    lossy.lose(.none, seed: 1)
    #expect(try content("x/y/z/a") == "new")
  }

  @Test func `A commit that asks for it outlives the power, and one that doesn't may not`() async throws {
    for durability in [Durability.process, .powerLoss] {
      let name = "\(durability)/ferry.sqlite"
      try FileManager.default.createDirectory(
        atPath: path("\(durability)"), withIntermediateDirectories: true)
      let lossy = try disk()
      let url = URL(fileURLWithPath: path(name))
      let store = try Store.open(at: url, schemas: [Library.shelf.schema], vfs: lossy.vfs)
      try store.addAccount(LibraryRows.alice)
      // Brings what was before it to the disk, too.
      let account = try store.account(LibraryRows.alice)
      try await account.write(durability: .powerLoss) {
        try $0.insert(Shelf(id: try shelfID("1"), name: "a"))
      }
      try await account.write(durability: durability) {
        try $0.insert(Shelf(id: try shelfID("2"), name: "b"))
      }
      // From here on nothing reaches the disk, not even what closing would bring there.
      lossy.plan(.powerLoss)
      await store.close()
      lossy.lose(.none, seed: 1)
      let again = try Store.open(at: url, schemas: [Library.shelf.schema])
      let names = try again.account(LibraryRows.alice).blockingRead { try $0.fetch(Shelf.all) }.map(\.name)
      #expect(names == (durability == .powerLoss ? ["a", "b"] : ["a"]))
      await again.close()
    }
  }

  @Test func `A disk without room for a new file is told to be full`() throws {
    let url = URL(fileURLWithPath: path("ferry.sqlite"))
    for operation in 1...12 {
      let full = try FaultDisk(folder: path("lost"))
      full.plan(.noSpace, at: operation)
      do {
        _ = try Store.open(at: url, schemas: [Library.shelf.schema], vfs: full.vfs)
      } catch {
        #expect(error as? StoreError == .diskFull(path: url.path), "\(operation): \(full.change(operation))")
      }
    }
  }

  private func shelfID(_ text: String) throws -> ShelfID {
    guard let id = ShelfID(text) else { throw GoldenFault("\(text) is no id") }
    return id
  }
}
