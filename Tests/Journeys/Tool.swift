import Dispatch
import FerryKernel
import Foundation
import TestKit

/// One of the built binaries, run as a person or cron runs it.
struct Tool {
  /// What a run left behind.
  struct Outcome: CustomStringConvertible {
    let status: Int32
    let output: String
    let errors: String

    /// The one document on standard output.
    var json: JSONValue {
      get throws { try JSONValue.parse(text: output) }
    }
    /// The one error on standard error, with `--json`.
    var error: JSONValue {
      get throws {
        guard let error = try JSONValue.parse(text: errors)["error"] else {
          throw GoldenFault("no error: \(errors)")
        }
        return error
      }
    }
    var lines: [Substring] { output.split(separator: "\n") }
    var description: String { "exit \(status)\n\(output.prefix(2000))\n\(errors.prefix(2000))" }
  }

  let path: String

  static let cli = "app-cli"
  static let worker = "sync-worker"

  init(path: String) { self.path = path }

  /// The binary that lies beside the test bundle, wherever `--scratch-path` put both.
  init(_ name: String) throws {
    let bundles =
      Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments.first ?? "")]
    let folders = bundles.flatMap {
      [$0.deletingLastPathComponent(), $0.deletingLastPathComponent().deletingLastPathComponent()]
    }
    let candidates = (folders + [Bundle.main.bundleURL]).map { $0.appendingPathComponent(name).path }
    guard let path = candidates.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw GoldenFault("\(name) is not beside the tests: \(candidates)")
    }
    self.path = path
  }

  /// Runs it to its end with nothing on standard input.
  func run(_ arguments: [String], in folder: String, environment: [String: String] = [:]) throws -> Outcome {
    let scratch = try GoldenFolder()
    var variables = ProcessInfo.processInfo.environment
    for name in ["FERRY_CONFIG", "NO_COLOR", "TERM"] { variables[name] = nil }
    let status = try Spawned.run(
      [path] + arguments, environment: variables.merging(environment) { $1 }, output: scratch.path("out"),
      errors: scratch.path("err"), in: folder)
    guard let status else { throw GoldenFault("\(path) \(arguments) crashed") }
    return Outcome(status: status, output: try scratch.text("out"), errors: try scratch.text("err"))
  }
}

extension GoldenFolder {
  fileprivate func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }
}
