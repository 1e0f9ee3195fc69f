import Foundation

/// Checks Swift files against the built store, as a build would; the files lie beside the tests and are part of
/// no target.
struct TypeChecker {
  /// What the compiler says of a line.
  struct Diagnostic {
    let file: String
    let line: Int
    let text: String
  }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../Fixtures/queries").standardizedFileURL
  private static let clangModule = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../Platform/CSQLite/module.modulemap")
    .standardizedFileURL

  /// Where the build that this test is part of left its modules, wherever it was told to build; nil on a system
  /// where a test bundle isn't a program beside them.
  static let modules: URL? = {
    // why: not Linux
    guard let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      return nil
    }
    let beside = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("Modules")
    return FileManager.default.fileExists(atPath: beside.path) ? beside : nil
  }()

  static func text(of file: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  }

  /// The errors and warnings of some files, checked together.
  ///
  /// - Parameters:
  ///   - text: one more file, of this text, which may say by `#sourceLocation` where it comes from.
  ///   - scopes: how many attempts an expression may take; nil for the compiler's own limit.
  ///   - options: further ones.
  static func diagnostics(
    of files: [String], and text: String = "", scopes: Int? = nil, options: [String] = []
  ) async throws -> [Diagnostic] {
    let sandbox = Sandbox()
    try sandbox.makeFolder()
    let made = sandbox.folder.appendingPathComponent("Made.swift")
    try Data(text.utf8).write(to: made)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm",
        "-I", modules?.path ?? "", "-Xcc", "-fmodule-map-file=\(clangModule.path)",
        "-module-cache-path", sandbox.folder.appendingPathComponent("cache").path,
      ] + options + files.map { folder.appendingPathComponent($0).path } + [made.path]
      + (scopes.map { ["-Xfrontend", "-solver-scope-threshold=\($0)"] } ?? [])
    // A file, not a pipe: a compiler with much to say would wait for a reader.
    let said = sandbox.folder.appendingPathComponent("said")
    _ = FileManager.default.createFile(atPath: said.path, contents: nil)
    let output = try FileHandle(forWritingTo: said)
    process.standardOutput = output
    process.standardError = output
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let answer = try String(contentsOf: said, encoding: .utf8)
    let found = answer.split(separator: "\n").compactMap(Diagnostic.init)
    // Whatever has no place in a file, a missing module among it, is a finding too.
    guard found.isEmpty, process.terminationStatus != 0 else { return found }
    return [Diagnostic(file: "", line: 0, text: answer)]
  }
}

extension TypeChecker.Diagnostic {
  /// From `path:line:column: error: text`.
  fileprivate init?(_ line: Substring) {
    guard let match = line.firstMatch(of: /^(.+?):(\d+):\d+: (?:error|warning): (.*)$/),
      let number = Int(match.output.2)
    else { return nil }
    self.init(
      file: URL(fileURLWithPath: String(match.output.1)).lastPathComponent, line: number,
      text: String(match.output.3))
  }
}
