import Foundation
import Testing

@testable import FerryStore

/// A second process: this test bundle, run again with one test that plays the part.
enum Child {
  enum Role: String {
    /// Adds 1 to a counter many times.
    case count
    /// Opens stores that others are making at the same moment.
    case open
    /// Commits a row, and is killed inside the next transaction.
    case die
    /// Commits 900 rows of a page each, and ends without a word to anybody.
    case leave
    /// Tries to write, and leaves the error's code beside the store.
    case tryToWrite
    /// Leaves hashes beside the store.
    case hash
  }

  static let role = ProcessInfo.processInfo.environment["FERRY_STORE_CHILD"].flatMap(Role.init)
  private static let folder = ProcessInfo.processInfo.environment["FERRY_STORE_FOLDER"] ?? ""
  private static let bundle = "/proc/self/exe"
  /// Elsewhere than on Linux a test bundle isn't a program.
  static let isPossible = FileManager.default.fileExists(atPath: bundle)

  /// Runs a child in a sandbox to its end.
  ///
  /// - Returns: its exit status, or the signal that killed it as a negative number.
  static func run(_ role: Role, in sandbox: Sandbox) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: bundle))
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "plays_the_part_of_a_child|plays the part of a child",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["FERRY_STORE_CHILD": role.rawValue, "FERRY_STORE_FOLDER": sandbox.folder.path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = {
        continuation.resume(
          returning: $0.terminationReason == .uncaughtSignal ? -$0.terminationStatus : $0.terminationStatus)
      }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
  }

  /// What the child does.
  static func play(_ role: Role) throws {
    let url = URL(fileURLWithPath: folder)
    func leave(_ text: String) throws { try Data(text.utf8).write(to: url.appendingPathComponent("said")) }
    func open(_ name: String = "ferry.sqlite") throws -> Store {
      try Store.open(at: url.appendingPathComponent(name), schemas: [mail, device])
    }
    switch role {
    case .count:
      let store = try open()
      for _ in 0..<100 { try Child.increment(store) }
    case .open:
      for round in 0..<20 { try open("\(round)/ferry.sqlite").addAccount(alice) }
    case .die:
      let account = try open().addAccount(alice)
      try account.blockingWrite { try $0.insert(Folder("committed")) }
      try account.blockingWrite { transaction in
        try transaction.insert(Folder("begun"))
        kill(getpid(), SIGKILL)
      }
    case .leave:
      let account = try open().addAccount(alice)
      for number in 0..<900 { try account.blockingWrite { try $0.upsert(Draft.page(Int64(number))) } }
      kill(getpid(), SIGKILL)
    case .tryToWrite:
      do {
        try open().account(alice).blockingWrite { try $0.insert(Folder("a")) }
        try leave("written")
      } catch let error as StoreError { try leave(error.code) }
    case .hash:
      var keys = StableKeys(of: "child")
      try leave("\(StableHash.of("한글", "🚢"))\(try keys.next([.text("a"), .integer(1)])) \("a".hashValue)")
    }
  }

  static func increment(_ store: Store) throws {
    try store.device.blockingWrite { transaction in
      let value = try transaction.find(Counter.self, 1)?.value ?? 0
      try transaction.upsert(Counter(id: 1, value: value + 1))
    }
  }
}

@Test(.enabled(if: Child.role != nil, "only in a child process")) func `plays the part of a child`() throws {
  try Child.play(#require(Child.role))
}
