import FerryKernel
import FerryStore
import Foundation
import TestKit
import Testing

@testable import LogDomain

/// A spill that was drained is begun anew, and whatever goes wrong on the way no line is lost and none comes twice.
@Suite struct `A drained spill` {
  private let folder: GoldenFolder
  private var path: String { folder.path("log.spill") }

  init() throws { folder = try GoldenFolder() }

  private func line(_ message: String, _ level: LogLevel = .info) -> LogLine {
    LogLine(at: Timestamp(nanoseconds: 7), level: level, category: "test", message: message)
  }

  private func open(_ vfs: String? = nil) throws -> Store {
    let url = folder.url.appendingPathComponent("ferry.sqlite")
    guard let vfs else { return try Store.open(at: url, schemas: [Domain.log.schema]) }
    return try Store.open(at: url, schemas: [Domain.log.schema], vfs: vfs)
  }

  private func messages(_ store: Store) async throws -> [String] {
    try await store.device.read { try $0.fetch(LogEntry.all.order { $0.sequence.ascending }) }.map(\.message)
  }

  private func size() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  @Test func `is begun anew, and is small however much was logged`() async throws {
    let spill = try LogSpill(path: path, drainedAtMost: 0)
    let store = try open()
    let empty = try size()
    for round in 0..<5 {
      for index in 0..<100 { spill.append(line("\(round) \(index) " + String(repeating: "x", count: 200))) }
      #expect(try await LogDAO.drain(spill, into: store.device) == 100)
      #expect(try size() == empty)
    }
    #expect(try await LogDAO.count(store.device) == 500)
    #expect(try await store.device.read { try $0.count(LogDrain.all) } <= 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("log") } == [
        "log.spill"
      ])
    await store.close()
  }

  @Test func `that is small is left as it is`() async throws {
    let spill = try LogSpill(path: path, drainedAtMost: 1000)
    let store = try open()
    spill.append(line("small"))
    try await LogDAO.drain(spill, into: store.device)
    let small = try size()
    #expect(small > 50)
    spill.append(line(String(repeating: "x", count: 1000)))
    try await LogDAO.drain(spill, into: store.device)
    #expect(try size() < small)
    #expect(try await LogDAO.drain(spill, into: store.device) == 0)
    await store.close()
  }

  @Test func `stays where somebody has logged since it was read`() async throws {
    let spill = try LogSpill(path: path, drainedAtMost: 0)
    spill.append(line("read"))
    let mark = try spill.read(after: []).mark
    spill.append(line("later"))
    #expect(try !spill.beginAnew(after: mark))
    #expect(try spill.read(after: [mark]).lines.map(\.line.message) == ["later"])
    #expect(try spill.beginAnew(after: spill.read(after: [mark]).mark))
    #expect(try spill.read(after: [mark]).lines.isEmpty)
  }

  @Test func `takes what another process logs that has the file before it open`() async throws {
    let (spill, other) = (
      try LogSpill(path: path, drainedAtMost: 0), try LogSpill(path: path, drainedAtMost: 0)
    )
    let store = try open()
    for round in 0..<4 {
      spill.append(line("\(round) a"))
      other.append(line("\(round) b"))
      #expect(try await LogDAO.drain(round.isMultiple(of: 2) ? spill : other, into: store.device) == 2)
    }
    #expect(try await messages(store) == (0..<4).flatMap { ["\($0) a", "\($0) b"] })
    #expect(spill.losses == nil && other.losses == nil)
    await store.close()
  }

  @Test func `that somebody moved away is made again by the next line`() async throws {
    let spill = try LogSpill(path: path)
    spill.append(line("before"))
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    spill.append(line("after"))
    #expect(try LogSpill(path: path).read(after: []).lines.map(\.line.message) == ["after"])
    #expect(try LogSpill(path: path + ".1").read(after: []).lines.map(\.line.message) == ["before"])
  }

  // MARK: - What goes wrong

  /// Logs, drains and begins anew, three times, until an operation fails. What was there at that moment is what a
  /// process that is killed there leaves.
  private func work(_ spill: LogSpill, _ store: Store, _ isDrained: (Int) -> Void) async throws {
    for round in 0..<3 {
      for index in 0..<3 { spill.append(line("\(round * 3 + index)", index == 2 ? .fault : .info)) }
      try await LogDAO.drain(spill, into: store.device)
      isDrained((round + 1) * 3)
    }
  }

  @Test func `loses no line and brings none twice, wherever on the way its files fail`() async throws {
    for failing in 1..<200 {
      for name in ["log.spill", "log.spill.tmp", "ferry.sqlite"] {
        try? FileManager.default.removeItem(atPath: folder.path(name))  // why: it may not be there
      }
      let count = Locked(0)
      let files = FileOperations { name, path in
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number >= failing {
          throw KernelError.fileSystem(path: path, doing: name, message: "made to fail")
        }
      }
      let store = try open()
      var lost = 0
      var isDone = false
      do {
        let spill = try LogSpill(path: path, files: files, drainedAtMost: 0)
        do {
          try await work(spill, store) { _ in }
          isDone = true
        } catch is KernelError {}
        lost = spill.losses?.count ?? 0
      } catch is KernelError {}
      // The next process has a disk that works.
      let next = try LogSpill(path: path, drainedAtMost: 0)
      next.append(line("next"))
      try await LogDAO.drain(next, into: store.device)
      let found = try await messages(store)
      #expect(Set(found).count == found.count, "twice, where operation \(failing) fails: \(found)")
      #expect(found.last == "next")
      let numbers = found.compactMap { Int($0) }
      #expect(numbers == numbers.sorted(), "operation \(failing)")
      #expect(
        (numbers.max() ?? -1) + 1 - numbers.count <= lost, "operation \(failing): \(found), \(lost) lost")
      if isDone { #expect(numbers.count + lost == 9, "operation \(failing)") }
      await store.close()
      if isDone, lost == 0 { return #expect(failing > 20) }
    }
    Issue.record("there is no end of operations")
  }

  @Test(arguments: Survivors.allCases)
  func `keeps what was drained, and each fault, when the power fails`(survivors: Survivors) async throws {
    for operation in Operations.failing(survivors, of: Survivors.allCases, spacing: 3) {
      let own = try GoldenFolder()
      let renewal = try `A drained spill`(in: own)
      if try await renewal.fail(survivors, at: operation) { return #expect(operation > 20) }
    }
  }

  private init(in folder: GoldenFolder) throws { self.folder = folder }

  /// - Returns: whether the work was over before the power failed.
  private func fail(_ survivors: Survivors, at operation: Int) async throws -> Bool {
    try LogSpill(path: path).append(line("before"))
    await (try open()).close()
    let disk = try FaultDisk(folder: folder.path("lost"))
    disk.plan(.powerLoss, at: operation)
    var drained = 0
    do {
      let store = try open(disk.vfs)
      do {
        let spill = try LogSpill(path: path, files: disk.files, drainedAtMost: 0)
        try await work(spill, store) { drained = $0 }
        await store.close()
      } catch {
        await store.close()
      }
    } catch {}
    let isOver = disk.failures == 0
    disk.lose(survivors, seed: UInt64(operation))
    let store = try open()
    let spill = try LogSpill(path: path, drainedAtMost: 0)
    try await LogDAO.drain(spill, into: store.device)
    let found = try await messages(store)
    #expect(Set(found).count == found.count, "twice, after operation \(operation): \(found)")
    #expect(Set(found).isSuperset(of: (0..<drained).map(String.init)), "operation \(operation): \(found)")
    await store.close()
    return isOver
  }
}
