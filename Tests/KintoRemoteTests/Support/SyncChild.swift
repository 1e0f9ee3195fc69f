import FerryKernel
import Foundation
import TestKit

/// A worker in a process of its own: the built `sync-child`, run once.
struct SyncChild: Sendable {
  /// What it said, and how it ended.
  struct Run: Sendable {
    let lines: [JSONValue]
    let isKilled: Bool
    let status: Int32
  }

  private let arguments: [String]
  private let password: String

  /// - Parameter folder: the device's.
  init(_ folder: String, _ fixture: KintoFixture, _ user: KintoUser, seed: UInt64) {
    arguments = [folder, fixture.url, user.name, "\(seed)"]
    password = user.password
  }

  /// - Parameter life: after how long it is killed, if it hasn't ended; nil: never.
  func run(_ life: Duration?) async throws -> Run {
    let process = Process()
    process.executableURL = try SyncChild.executable.get()
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["FERRY_PASSWORD": password]) { $1 }
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    let ended = AsyncStream<Void> { stream in process.terminationHandler = { _ in stream.finish() } }
    try process.run()
    let number = process.processIdentifier
    let killing = Task {
      guard let life else { return }
      try await Task.sleep(for: life)
      kill(number, SIGKILL)
    }
    let said = await withCheckedContinuation { continuation in
      Thread.detachNewThread { [output] in
        continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
      }
    }
    for await _ in ended {}
    killing.cancel()
    // Its last line may be half of one.
    let lines = said.split(separator: 0x0a).compactMap { try? JSONValue.parse($0) }  // why: as said
    return Run(
      lines: lines, isKilled: process.terminationReason == .uncaughtSignal,
      status: process.terminationStatus)
  }

  /// It lies beside the test bundle, wherever `--scratch-path` put both.
  private static let executable = Result { () throws -> URL in
    let places = Bundle.allBundles.map(\.bundleURL) + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    for place in places {
      var folder = place.deletingLastPathComponent()
      // A bundle has its binary a few folders down.
      for _ in 0..<4 {
        let file = folder.appendingPathComponent("sync-child")
        if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        folder.deleteLastPathComponent()
      }
    }
    throw GoldenFault("sync-child is not beside the tests: \(places.map(\.path))")
  }
}
