import Composition
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import TestKit

/// A copy of the demo in a folder of its own, and the tools that work on it.
struct Demo {
  let folder: GoldenFolder
  private let tools: [String: Tool]

  init() throws {
    let config = Golden.repository.appendingPathComponent("Config")
    let names = ["roadmap.yaml", "ferry.yaml", "demo/alice.realm", "demo/bob.realm", "demo/remote"]
    try self.init(copying: names.map { config.appendingPathComponent($0).resolvingSymlinksInPath() })
  }

  private init(copying files: [URL]) throws {
    folder = try GoldenFolder()
    tools = [Tool.cli: try Tool(Tool.cli), Tool.worker: try Tool(Tool.worker)]
    for source in files {
      try FileManager.default.copyItem(
        at: source, to: folder.url.appendingPathComponent(source.lastPathComponent))
    }
  }

  /// A demo that has crossed: a copy of one that all tests share and none touches.
  static func migrated() throws -> Demo {
    let crossed = try crossed.get().folder.url
    return try Demo(
      copying: FileManager.default.contentsOfDirectory(at: crossed, includingPropertiesForKeys: nil))
  }

  /// What a straight run leaves in the store.
  static func straight() throws -> [String: [[StoredValue]]] { try straightContent.get() }

  private static let straightContent = Result { try Demo.migrated().content() }

  private static let crossed = Result {
    let demo = try Demo()
    let outcome = try demo.cli("migrate")
    guard outcome.status == 0 else { throw GoldenFault("migrate failed: \(outcome)") }
    atexit { Demo.removeCrossed() }
    return demo
  }

  private static func removeCrossed() {
    guard let path = try? crossed.get().folder.path else { return }
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Runs `app-cli` in the demo's folder.
  @discardableResult
  func cli(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Outcome {
    try run(Tool.cli, arguments, environment)
  }

  /// Runs `sync-worker --once` in the demo's folder.
  @discardableResult
  func worker(_ arguments: String...) throws -> Tool.Outcome {
    try run(Tool.worker, ["--once"] + arguments, [:])
  }

  func run(_ tool: String, _ arguments: [String], _ environment: [String: String]) throws -> Tool.Outcome {
    guard let tool = tools[tool] else { throw GoldenFault("no tool \(tool)") }
    return try tool.run(arguments, in: folder.path, environment: environment)
  }

  // MARK: - Files

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
  }

  /// Replaces a text that a file must have.
  func replace(_ old: String, with new: String, in name: String) throws {
    let text = try text(name)
    guard text.contains(old) else { throw GoldenFault("\(name) has no \(old)") }
    try write(text.replacing(old, with: new, maxReplacements: 1), to: name)
  }

  func append(_ line: String, to name: String) throws { try write(try text(name) + line + "\n", to: name) }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: folder.path(name), toPath: folder.path(other))
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(name)) }

  /// Every file and folder below, with a file's bytes.
  func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let type =
        try FileManager.default.attributesOfItem(atPath: folder.path(name))[.type] as? FileAttributeType
      files[name] =
        type == .typeDirectory ? Data() : try Data(contentsOf: folder.url.appendingPathComponent(name))
    }
    return files
  }

  // MARK: - The store

  /// What is in the store, row by row, under `account/table`; times of the runs themselves are left out.
  func content() throws -> [String: [[StoredValue]]] {
    let ferry = try Ferry(folder: folder.path)
    guard let store = try ferry.openStoreIfPresent() else { return [:] }
    let tables =
      ferry.plan.enabled.flatMap(\.domain.tables) + SyncTables.schema.tables + Journal.schema.tables
    let accounts = try store.device.blockingRead { try $0.accounts().map(\.id) }
    var content: [String: [[StoredValue]]] = [:]
    for table in tables
    where store.has(table) && !["log_drain", "kernel_phase_time", "sync_last"].contains(table.name) {
      let times = table.columns.indices.filter { ["updated_at", "at"].contains(table.columns[$0].name) }
      let isOfRun = table.name.hasPrefix("kernel_") || table.name == "sync_conflict"
      if table.hasAccount {
        for account in accounts {
          let rows = try store.account(account).blockingRead { try $0.rows(of: table, limit: Int(Int32.max)) }
          content["\(account)/\(table.name)"] = isOfRun ? rows.map { $0.without(times) } : rows
        }
      } else {
        let rows = try store.device.blockingRead { try $0.rows(of: table, limit: Int(Int32.max)) }
        content[table.name] = isOfRun ? rows.map { $0.without(times) } : rows.filter { !$0.isOfRun }
      }
    }
    for account in accounts {
      let outbox = try store.account(account).blockingRead { try $0.outbox() }
      content["\(account)/outbox"] = outbox.map {
        [.text($0.table), .text($0.key), .text($0.operation.rawValue)]
      }
    }
    return content
  }

  /// Makes a change as an app would.
  func store() throws -> Store { try Ferry(folder: folder.path).openStore() }
}

extension [StoredValue] {
  fileprivate func without(_ columns: [Int]) -> [StoredValue] {
    enumerated().filter { !columns.contains($0.offset) }.map(\.element)
  }

  /// Whether a line of the log tells of a run, and is no legacy line.
  fileprivate var isOfRun: Bool { contains(.text("crossing")) || contains(.text("sync")) }
}

extension JSONValue {
  /// The items of a member that is a list.
  func list(_ name: String) throws -> [JSONValue] {
    guard let items = self[name]?.arrayValue else { throw GoldenFault("no list \(name)") }
    return items
  }

  func text(_ name: String) throws -> String {
    guard let text = self[name]?.stringValue else { throw GoldenFault("no text \(name)") }
    return text
  }

  func integer(_ name: String) throws -> Int64 {
    guard let integer = self[name]?.integerValue else { throw GoldenFault("no integer \(name)") }
    return integer
  }
}
