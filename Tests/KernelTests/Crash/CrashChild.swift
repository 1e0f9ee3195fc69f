import FerryStore
import Foundation
import TestKit

/// The built `crash-child`, run once.
final class CrashChild: Sendable {
  /// How a process ended.
  enum End: Equatable, CustomStringConvertible {
    case exited(Int32), killed(Int32)

    var description: String {
      switch self {
      case .exited(let code): "exited with \(code)"
      case .killed(let signal): "was killed by signal \(signal)"
      }
    }
  }

  private let arguments: [String]
  private let input = Pipe()
  private let output = Pipe()

  init(_ folder: String, _ point: String? = nil) { arguments = [folder] + (point.map { [$0] } ?? []) }
  init(_ folder: String, arguments: [String]) { self.arguments = [folder] + arguments }

  /// One that crosses a generated library.
  init(_ folder: String, seed: UInt64, _ fault: Fault, at operation: Int) {
    arguments = ["library", folder, "\(seed)", "\(fault.rawValue)", "\(operation)"]
  }

  /// Runs it to its end, beside no more of its kind than there are processors.
  func ended() async throws -> End {
    try await CrashChild.turns.taking { try await self.run() }
  }

  /// Runs it to its end at once.
  func run() async throws -> End {
    let process = Process()
    process.executableURL = try CrashChild.executable.get()
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    return try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { process in
        let status = process.terminationStatus
        continuation.resume(returning: process.terminationReason == .exit ? .exited(status) : .killed(status))
      }
      do {
        try process.run()
      } catch {
        // Nobody is to wait for what it says.
        output.fileHandleForWriting.closeFile()
        continuation.resume(throwing: error)
      }
    }
  }

  /// Runs it until it has said so many lines, and kills it then.
  ///
  /// - Returns: every whole line that it said.
  func killed(afterLines count: Int) async throws -> [String] {
    let process = Process()
    process.executableURL = try CrashChild.executable.get()
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    let ended = AsyncStream<Void> { stream in process.terminationHandler = { _ in stream.finish() } }
    try process.run()
    let handle = output.fileHandleForReading
    let pid = process.processIdentifier
    let said = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        var said = Data()
        while true {
          let more = handle.availableData
          if more.isEmpty { break }
          said += more
          if said.count(where: { $0 == 0x0a }) >= count { kill(pid, SIGKILL) }
        }
        continuation.resume(returning: said)
      }
    }
    for await _ in ended {}
    guard process.terminationReason == .uncaughtSignal else {
      throw GoldenFault("it ended by itself: \(String(decoding: said, as: UTF8.self))")
    }
    return String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  /// Returns when it has said that it holds the lock.
  func isLocked() async throws {
    let handle = output.fileHandleForReading
    let line = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: handle.availableData) }
    }
    guard String(decoding: line, as: UTF8.self) == "locked\n" else { throw GoldenFault("it said \(line)") }
  }

  /// What it said, once it has ended; less than a pipe holds.
  func said() throws -> [String] {
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return text.split(separator: "\n").map(String.init)
  }

  /// Lets it go on after that.
  func goOn() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount)

  /// It lies beside the test bundle, wherever `--scratch-path` put both.
  private static let executable = Result { () throws -> URL in
    let places = Bundle.allBundles.map(\.bundleURL) + CommandLine.arguments.map { URL(fileURLWithPath: $0) }
    for place in places {
      var folder = place.deletingLastPathComponent()
      // A bundle has its binary a few folders down.
      for _ in 0..<4 {
        let file = folder.appendingPathComponent("crash-child")
        if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        folder.deleteLastPathComponent()
      }
    }
    throw GoldenFault("crash-child is not beside the tests: \(places.map(\.path))")
  }
}

/// Lets so many at once do something, the others in the order in which they came.
actor Turns {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func taking<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
    return try await body()
  }
}
