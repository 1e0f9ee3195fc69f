import Dispatch
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What lies beside a spill after whoever made it failed or was killed.
@Suite struct `Beside a log's spill` {
  private let folder: GoldenFolder
  private var path: String { folder.path("log.spill") }

  init() throws { folder = try GoldenFolder() }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func leave(_ names: String...) throws {
    for name in names { try Data().write(to: folder.url.appendingPathComponent(name)) }
  }

  private func line(_ message: String) -> LogLine {
    LogLine(at: FixedClock.now(), level: .info, category: "test", message: message)
  }

  @Test func `nothing is left that was to become it, and all else stays`() throws {
    let left = UUID().uuidString
    let others = ["log.spill.1", "log.spill.old.tmp", "mylog.spill.\(left).tmp", "log.spill.\(left).tmp2"]
    for name in others { try leave(name) }
    try leave("log.spill.\(left).tmp", "log.spill.\(left)", "log.spill.tmp")
    // Also where the spill itself has yet to be made.
    try LogSpill(path: path).append(line("1"))
    #expect(try names() == (others + ["log.spill"]).sorted())
    try leave("log.spill.\(left).tmp", "log.spill.tmp")
    let spill = try LogSpill(path: path)
    #expect(try names() == (others + ["log.spill"]).sorted())
    #expect(try spill.read(after: []).lines.map(\.line.message) == ["1"])
    // Its maker was killed before the name that it was made under was gone.
    try FileManager.default.linkItem(atPath: path, toPath: folder.path("log.spill.\(left).tmp"))
    spill.append(line("2"))
    _ = try LogSpill(path: path)
    #expect(try names() == (others + ["log.spill"]).sorted())
    #expect(try LogSpill(path: path).read(after: []).lines.map(\.line.message) == ["1", "2"])
  }

  @Test func `a full disk leaves nothing`() throws {
    for failing in ["write", "fsync", "link"] {
      let files = FileOperations { name, path in
        if name == failing {
          throw KernelError.fileSystem(path: path, doing: "Writing", message: "it is full")
        }
      }
      #expect(throws: KernelError.self) { try LogSpill(path: path, files: files) }
      #expect(try names() == [], "\(failing)")
    }
  }

  @Test func `a file that another process is making isn't taken from it`() throws {
    let name = "log.spill.\(UUID().uuidString).tmp"
    try leave(name)
    let maker = open(folder.path(name), O_RDWR | O_CLOEXEC)
    #expect(maker >= 0 && flock(maker, LOCK_EX) == 0)
    _ = try LogSpill(path: path)
    #expect(try names() == ["log.spill", name])
    // Its maker is killed.
    close(maker)
    _ = try LogSpill(path: path)
    #expect(try names() == ["log.spill"])
  }

  @Test func `whoever makes the spill while others open it and sweep makes the same one`() async throws {
    for _ in 0..<20 {
      try FileOperations().removeTree(path)
      let spills = Locked<[LogSpill]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { index in
        do {
          let spill = try LogSpill(path: path)
          spills.withLock { $0.append(spill) }
          spill.append(line("\(index)"))
        } catch {
          Issue.record(error)
        }
      }
      // A line may wait for whoever else is at the file.
      for spill in spills.withLock({ $0 }) { await spill.flush() }
      let found = try LogSpill(path: path).read(after: []).lines.map(\.line.message)
      #expect(found.sorted() == (0..<8).map(String.init))
      #expect(try names() == ["log.spill"])
    }
  }

  @Test func `one that is taken for a left-over before it is locked is made again`() throws {
    let calls = Snatching()
    try LogSpill(path: path, files: FileOperations(calls: calls)).append(line("1"))
    #expect(calls.snatched.withLock { $0 } == 1)
    #expect(try LogSpill(path: path).read(after: []).lines.map(\.line.message) == ["1"])
    #expect(try names() == ["log.spill"])
  }
}

/// The system's file calls, of which somebody else removes the first temporary file as soon as it is there.
private struct Snatching: FileCalls {
  private let system = SystemFileCalls()
  let snatched = Locked(0)

  func open(_ path: String, _ flags: Int32) -> Int32 {
    let descriptor = system.open(path, flags)
    let isFirst = snatched.withLock { snatched in
      guard path.hasSuffix(".tmp"), snatched == 0 else { return false }
      snatched = 1
      return true
    }
    if isFirst { _ = system.unlink(path) }
    return descriptor
  }

  func close(_ descriptor: Int32) { system.close(descriptor) }
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    system.read(descriptor, into: buffer)
  }
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int { system.write(descriptor, bytes) }
  func sync(_ descriptor: Int32) -> Int32 { system.sync(descriptor) }
  func rename(_ from: String, to path: String) -> Int32 { system.rename(from, to: path) }
  func link(_ from: String, to path: String) -> Int32 { system.link(from, to: path) }
  func unlink(_ path: String) -> Int32 { system.unlink(path) }
  func makeFolder(_ path: String) -> Int32 { system.makeFolder(path) }
}
