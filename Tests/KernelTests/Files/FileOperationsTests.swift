import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// The kernel's file operations, and what they leave behind when one fails.
@Suite struct FileOperationsTests {
  private struct Broken: Error {}

  private let folder: GoldenFolder

  init() throws { folder = try GoldenFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  @Test("A file that is written whole is there whole or not at all, whichever operation fails")
  func wholeOrNot() throws {
    let names = Locked<[String]>([])
    let old = Array("old".utf8)
    let new = Array(String(repeating: "new", count: 1000).utf8)
    try FileOperations().writeWhole(old, to: path("a"))
    try FileOperations { name, _ in names.withLock { $0.append(name) } }.writeWhole(new, to: path("a"))
    let operations = names.withLock { $0 }
    #expect(operations == ["open", "write", "fsync", "rename", "open", "fsync"])
    for broken in operations.indices {
      try FileOperations().writeWhole(old, to: path("a"))
      let count = Locked(0)
      let files = FileOperations { _, _ in
        let number = count.withLock { count in
          count += 1
          return count - 1
        }
        if number == broken { throw Broken() }
      }
      #expect(throws: Broken.self) { try files.writeWhole(new, to: path("a")) }
      #expect(try FileOperations().read(path("a")) == (broken > 3 ? new : old))
    }
    try FileOperations().writeWhole([], to: path("a"))
    #expect(try FileOperations().read(path("a")).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
  }

  @Test("A digest is that of the whole file, also beyond a chunk")
  func digest() throws {
    let bytes = (0..<(3 << 20) + 7).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try FileOperations().writeWhole(bytes, to: path("b"))
    let digest = try FileOperations().digest(of: path("b"))
    #expect(digest.size == Int64(bytes.count))
    #expect(try FileOperations().read(path("b")) == bytes)
    try FileOperations().writeWhole(Array("abc".utf8), to: path("c"))
    // FIPS 180-2, appendix B.1
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(try FileOperations().digest(of: path("c")).sha256 == abc)
  }

  @Test("What can't be read or made is named")
  func failures() throws {
    #expect(
      throws: KernelError.fileSystem(path: path("x"), doing: "Opening", message: "No such file or directory")
    ) {
      try FileOperations().read(path("x"))
    }
    #expect(throws: KernelError.self) { try FileOperations().writeWhole([], to: path("no/folder")) }
    try FileOperations().writeWhole([], to: path("file"))
    #expect(throws: KernelError.self) { try FileOperations().makeFolder(path("file")) }
  }

  @Test("The lock is one process's at a time, and free again when it is let go")
  func lock() throws {
    var first: ProcessLock? = try ProcessLock(path: path("lock"))
    #expect(throws: KernelError.locked(path: path("lock"))) { try ProcessLock(path: path("lock")) }
    withExtendedLifetime(first) {}
    first = nil
    _ = try ProcessLock(path: path("lock"))
    #expect(KernelError.locked(path: "").code == "kernel.locked")
  }

  @Test("A lock that is refused closes its file once: a second time it might be another's")
  func refusedLock() throws {
    let ledger = DescriptorLedger()
    let first = try ProcessLock(path: path("lock"), files: FileOperations(calls: ledger))
    for _ in 0..<3 {
      #expect(throws: KernelError.locked(path: path("lock"))) {
        try ProcessLock(path: path("lock"), files: FileOperations(calls: ledger))
      }
    }
    withExtendedLifetime(first) { #expect(ledger.open == 1) }
    #expect(ledger.strays == 0)
  }
}
