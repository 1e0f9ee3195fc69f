import Foundation
import TestKit

/// A folder with `.realm` files, and `app-cli realm` run in it. There is no `ferry.yaml`.
struct RealmDesk {
  let folder: GoldenFolder
  private let tool: Tool

  /// The key of the encrypted fixtures.
  static let key = Golden.repository.appendingPathComponent("Tests/Fixtures/realm/encrypted/KEY.hex").path

  init(_ fixtures: String...) throws {
    folder = try GoldenFolder()
    tool = try Tool(Tool.cli)
    for fixture in fixtures {
      try FileManager.default.copyItem(
        at: RealmDesk.fixture(fixture + ".realm"),
        to: folder.url.appendingPathComponent(RealmDesk.name(fixture)))
    }
  }

  private static func name(_ fixture: String) -> String {
    "\(fixture.split(separator: "/").last ?? "").realm"
  }

  static func fixture(_ name: String) -> URL {
    Golden.repository.appendingPathComponent("Tests/Fixtures/realm/\(name)").resolvingSymlinksInPath()
  }

  /// Runs `app-cli realm`.
  @discardableResult
  func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Outcome {
    try tool.run(["realm"] + arguments, in: folder.path, environment: environment)
  }

  /// A run that nobody waits for.
  func start(_ arguments: String...) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool.path)
    process.arguments = ["realm"] + arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs `app-cli realm` into a pipe, and does `body` while it waits for the second half of it to be read.
  func printing(_ arguments: String..., meanwhile body: () throws -> Void) throws -> Tool.Outcome {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: tool.path)
    process.arguments = ["realm"] + arguments
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var printed = output.fileHandleForReading.availableData
    try body()
    printed += output.fileHandleForReading.readDataToEndOfFile()
    let told = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Tool.Outcome(
      status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
      errors: String(decoding: told, as: UTF8.self))
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appendingPathComponent(name)) }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
  }

  /// Every name in the folder.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  /// Changes bytes of a file.
  func change(_ name: String, _ body: (inout [UInt8]) throws -> Void) throws {
    var bytes = Array(try data(name))
    try body(&bytes)
    try write(bytes, to: name)
  }
}
