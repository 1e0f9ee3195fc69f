import Dispatch
import Foundation
import TestKit
import Testing

/// A tool that a test has started and looks at while it runs.
final class RunningTool {
  private let process = Process()
  private let scratch: GoldenFolder
  private let ended = DispatchSemaphore(value: 0)
  private let output = Pipe()
  private var seen = Data()

  var id: Int32 { process.processIdentifier }

  /// - Parameter onEnd: told its exit code, or nil where a signal killed it.
  init(
    _ tool: Tool, _ arguments: [String], in folder: String, environment: [String: String] = [:],
    onEnd: @escaping @Sendable (Int32?) -> Void = { _ in }
  ) throws {
    scratch = try GoldenFolder()
    let errors = scratch.path("err")
    try Data().write(to: URL(fileURLWithPath: errors))
    process.executableURL = URL(fileURLWithPath: tool.path)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errors))
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.terminationHandler = { [ended] process in
      onEnd(process.terminationReason == .exit ? process.terminationStatus : nil)
      ended.signal()
    }
    try process.run()
  }

  func signal(_ number: Int32) { kill(id, number) }

  /// The next line on standard output; nil at its end.
  func line() -> String? {
    while true {
      if let end = seen.firstIndex(of: 0x0a) {
        defer { seen = Data(seen[(end + 1)...]) }
        return String(decoding: seen[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      seen += more
    }
  }

  /// What it left behind; nil where a signal killed it.
  func end() throws -> (status: Int32?, errors: String) {
    ended.wait(forEndOf: id)
    let errors = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: scratch.path("err"))), as: UTF8.self)
    return (process.terminationReason == .exit ? process.terminationStatus : nil, errors)
  }
}

extension DispatchSemaphore {
  /// Waits for what a process's end signals. One that doesn't end, so that it fails its test rather than all of them,
  /// is killed.
  func wait(forEndOf process: Int32) {
    guard wait(timeout: .now() + 100) == .timedOut else { return }
    Issue.record("Process \(process) didn't end by itself")
    kill(process, SIGKILL)
    wait()
  }
}

extension Demo {
  /// Starts a tool in the demo's folder.
  func start(
    _ tool: String, _ arguments: [String], environment: [String: String] = [:],
    onEnd: @escaping @Sendable (Int32?) -> Void = { _ in }
  ) throws -> RunningTool {
    try RunningTool(
      try Tool(tool), arguments, in: folder.path, environment: environment, onEnd: onEnd)
  }

  /// Moves the demo's accounts from the folder to a server at an address; their passwords are `<user>-pw`.
  func useKinto(_ url: String) throws {
    let users = Golden.users
    for user in users {
      try write("\(user)-pw\n", to: "\(user).secret")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder.path("\(user).secret"))
    }
    let secrets = users.map { "\($0): {file: \($0).secret}" }.joined(separator: ", ")
    let text = try text("ferry.yaml")
    let line = text.split(separator: "\n").first { $0.hasPrefix("    directory:") } ?? ""
    try replace(String(line), with: "    kinto: \(url)\n    secrets: {\(secrets)}", in: "ferry.yaml")
  }
}
