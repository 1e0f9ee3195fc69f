import Dispatch
import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

/// The front of the log: a file that needs no store (traps M6).
@Suite struct LogSpillTests {
  private let folder: GoldenFolder
  private var path: String { folder.path("log.spill") }

  init() throws { folder = try GoldenFolder() }

  private func line(_ message: String, _ level: LogLevel = .info) -> LogLine {
    LogLine(at: FixedClock.now(), level: level, category: "test", message: message)
  }

  private static func add(_ text: String, to path: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  @Test("Fields come back as they were, in their order")
  func fields() throws {
    let spill = try LogSpill(path: path)
    let fields: LogFields = ["z": 1, "a": [true, "b"], "한글": "\u{0}\"", "z": 2.5]
    spill.append(
      LogLine(at: FixedClock.now(), level: .info, category: "test", message: "m", fields: fields))
    let found = try spill.read(after: []).lines[0].line.fields
    #expect(found == fields)
    #expect(found.json.members.map(\.name) == ["z", "a", "한글"])
    // What JSON doesn't have can't be written, and is counted.
    spill.append(
      LogLine(
        at: FixedClock.now(), level: .info, category: "test", message: "m", fields: ["n": .number(.nan)]))
    #expect(spill.losses?.count == 1)
    #expect(try spill.read(after: []).lines.count == 1)
  }

  @Test("What is read in parts is what is read at once, also where a line is longer than a part")
  func parts() throws {
    let spill = try LogSpill(path: path)
    for length in [1, 500, 3, 2000, 1, 1] { spill.append(line(String(repeating: "x", count: length))) }
    let whole = try messages(spill)
    var parts: [String] = []
    var mark: LogMark?
    while true {
      let (lines, next) = try spill.read(after: [mark].compactMap(\.self), atLeast: 100)
      if lines.isEmpty { break }
      parts += lines.map(\.line.message)
      mark = next
    }
    #expect(parts == whole)
  }

  private func messages(_ spill: LogSpill, after marks: [LogMark] = []) throws -> [String] {
    try spill.read(after: marks).lines.map(\.line.message)
  }

  @Test("A line is in the file when append returns, with all it says, and only its owner can read it")
  func append() throws {
    let spill = try LogSpill(path: path)
    let whole = LogLine(
      at: Timestamp(nanoseconds: -1), level: .unknown(99), category: "e\u{301}",
      message: "a\n\u{0}\"b\u{2028}",
      account: LibraryRows.alice)
    spill.append(whole)
    #expect(try LogSpill(path: path).read(after: []).lines.map(\.line) == [whole])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(spill.losses == nil)
  }

  @Test("Lines of many threads and of two instances don't mix")
  func threads() async throws {
    let spills = [try LogSpill(path: path), try LogSpill(path: path)]
    let lines = (0..<200).map { "\($0) " + String(repeating: "x", count: $0 * 97 % 9000) }
    DispatchQueue.concurrentPerform(iterations: lines.count) { index in
      spills[index % 2].append(line(lines[index]))
    }
    for spill in spills { await spill.flush() }
    #expect(try messages(spills[0]).sorted() == lines.sorted())
    #expect(spills.allSatisfy { $0.losses == nil })
  }

  @Test("Instances that make the file at the same time make one")
  func makers() async throws {
    let spills = Locked<[LogSpill]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do {
        let spill = try LogSpill(path: path)
        spill.append(line("\(index)"))
        spills.withLock { $0.append(spill) }
      } catch { Issue.record(error) }
    }
    for spill in spills.withLock({ $0 }) { await spill.flush() }
    #expect(try messages(LogSpill(path: path)).sorted() == (0..<8).map(String.init))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.spill"])
  }

  @Test("Each line is one write, and a fault is on the disk when append returns")
  func durability() throws {
    let operations = Locked<[String]>([])
    let spill = try LogSpill(
      path: path, files: FileOperations { name, _ in operations.withLock { $0.append(name) } })
    for level in [LogLevel.debug, .info, .notice, .error, .fault] {
      operations.withLock { $0 = [] }
      spill.append(line("m", level))
      #expect(operations.withLock { $0 } == (level == .fault ? ["write", "fsync"] : ["write"]))
    }
  }

  @Test("A line that a crash cut off is closed by the next one who opens the file, and kept")
  func torn() throws {
    try LogSpill(path: path).append(line("whole"))
    let cut = #"{"at":1,"level":1,"category":"test","messa"#
    try LogSpillTests.add(cut, to: path)
    let spill = try LogSpill(path: path)
    spill.append(line("after"))
    #expect(try messages(spill) == ["whole", cut, "after"])
    #expect(try spill.read(after: []).lines[1].line.level == .error)
  }

  @Test("A line that couldn't be written is counted, with the reason, and those after it are whole")
  func losses() throws {
    let writes = Locked(0)
    let spill = try LogSpill(
      path: path,
      files: FileOperations { name, path in
        guard name == "write", path.hasSuffix("log.spill") else { return }
        let number = writes.withLock { writes in
          writes += 1
          return writes
        }
        if number == 2 || number == 3 {
          // The disk takes the beginning of the second line, and nothing of the third.
          if number == 2 { try LogSpillTests.add("{\"at\"", to: path) }
          throw GoldenFault("the disk is full")
        }
      })
    for number in 1...4 { spill.append(line("\(number)")) }
    #expect(spill.losses?.count == 2)
    #expect(spill.losses?.reason == "the disk is full")
    #expect(try messages(spill) == ["1", "{\"at\"", "4"])
  }

  @Test("What was read is known by file and offset: no line comes twice, none is left out")
  func marks() throws {
    var spill = try LogSpill(path: path)
    spill.append(line("1"))
    let first = try spill.read(after: []).mark
    // The process dies between an append and the next reading.
    spill.append(line("2"))
    spill = try LogSpill(path: path)
    spill.append(line("3"))
    #expect(try messages(spill, after: [first]) == ["2", "3"])
    let second = try spill.read(after: [first]).mark
    #expect(try messages(spill, after: [LogMark(spill: "another", offset: 0), second]).isEmpty)
    #expect(try spill.read(after: [second]).mark == second)
  }

  @Test("A mark covers only what is on the disk")
  func markAndDisk() throws {
    let operations = Locked<[String]>([])
    let spill = try LogSpill(
      path: path, files: FileOperations { name, _ in operations.withLock { $0.append(name) } })
    spill.append(line("1"))
    operations.withLock { $0 = [] }
    let mark = try spill.read(after: []).mark
    #expect(operations.withLock { $0.last } == "fsync")
    operations.withLock { $0 = [] }
    #expect(try spill.read(after: [mark]).lines.isEmpty)
    #expect(!operations.withLock { $0.contains("fsync") })
  }

  @Test("Of a long file only its first line and what is beyond the mark is read")
  func readsNoMore() throws {
    let reads = Locked(0)
    let spill = try LogSpill(
      path: path, files: FileOperations { name, _ in if name == "read" { reads.withLock { $0 += 1 } } })
    for _ in 0..<40 { spill.append(line(String(repeating: "x", count: 10_000))) }
    let all = try spill.read(after: [])
    #expect(all.lines.count == 40)
    spill.append(line("last"))
    reads.withLock { $0 = 0 }
    #expect(try messages(spill, after: [all.mark]) == ["last"])
    // The first line; the last one; its end.
    #expect(reads.withLock { $0 } == 3)
  }

  @Test("What made the file leaves nothing beside it, and goes through the seam")
  func making() throws {
    let operations = Locked<[String]>([])
    _ = try LogSpill(path: path, files: FileOperations { name, _ in operations.withLock { $0.append(name) } })
    let made = operations.withLock { $0 }
    #expect(made.contains("link") && made.contains("unlink"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.spill"])
  }

  @Test("A mark of another file says nothing of this one")
  func otherFile() throws {
    let spill = try LogSpill(path: path)
    for number in 1...9 { spill.append(line("\(number)")) }
    let mark = try spill.read(after: []).mark
    try FileManager.default.removeItem(atPath: path)
    let next = try LogSpill(path: path)
    next.append(line("new"))
    #expect(try messages(next, after: [mark]) == ["new"])
    #expect(try next.read(after: []).mark.spill != mark.spill)
  }

  @Test("A spill that somebody emptied begins anew")
  func emptied() throws {
    try LogSpill(path: path).append(line("old"))
    try Data().write(to: URL(fileURLWithPath: path))
    let spill = try LogSpill(path: path)
    spill.append(line("new"))
    #expect(try messages(spill, after: []) == ["new"])
  }

  @Test("A file that is no spill is refused by name", arguments: ["x\n", "{}\n", "{\"spill\":1}\n"])
  func foreign(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: KernelError.self) { try LogSpill(path: path).read(after: []) }
    #expect(error?.sentence.contains(path) == true)
  }
}
