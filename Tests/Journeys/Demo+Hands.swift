import Dispatch
import Foundation
import TestKit

extension Demo {
  /// Runs a tool and kills it after a while, unless it is over by then. The time only spreads where the kill lands;
  /// what is expected afterwards must hold wherever that is.
  func runAndKill(_ tool: String, _ arguments: [String], afterMilliseconds pause: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Tool(tool).path)
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    if ended.wait(timeout: .now() + .milliseconds(pause)) == .timedOut {
      Foundation.kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
  }

  /// Changes the store's file behind everybody's back.
  func sql(_ text: String) throws { _ = try StoreDump.rows(of: folder.path("store/ferry.sqlite"), text) }
}
