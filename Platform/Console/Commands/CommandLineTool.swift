import Foundation

/// A command tree with a version and an edge: it parses, runs, and turns whatever comes out
/// into output and an exit code.
///
/// ```swift
/// let tool = CommandLineTool(root, version: "1.0") { error in Failure("\(error)", code: "unexpected") }
/// await tool.runAndExit()
/// ```
public struct CommandLineTool: Sendable {
  let root: Command
  let version: String
  private let failure: @Sendable (any Error) -> Failure

  /// - Parameters:
  ///   - root: the tree; its name is the tool's.
  ///   - version: what `--version` prints after the name.
  ///   - failure: maps errors of the actions. ``UsageError``, ``Failure`` and ``OutputError``
  ///     don't come here.
  ///
  /// A tree that contradicts itself (see ``Command/contradictions``) is a fault of the program
  /// and stops it.
  public init(_ root: Command, version: String, failure: @escaping @Sendable (any Error) -> Failure) {
    let contradictions = root.contradictions
    precondition(contradictions.isEmpty, contradictions.joined(separator: " "))
    self.root = root
    self.version = version
    self.failure = failure
  }

  /// Runs the process's own command line on its own streams, and ends the process.
  public func runAndExit() async -> Never {
    let environment = ProcessInfo.processInfo.environment
    let terminal = Terminal.standard(environment: environment)
    let arguments = Array(CommandLine.arguments.dropFirst())
    // Swift has put U+FFFD for what it couldn't read, and that is no name of anything.
    let isText = { number in
      CommandLine.unsafeArgv[number + 1].map { String(validatingCString: $0) != nil } ?? true
    }
    if let number = arguments.indices.first(where: { !isText($0) }) {
      let error = UsageError(
        "'\(visible(arguments[number]))', argument \(number + 1), isn't UTF-8.",
        suggestion: "Use a terminal whose locale is UTF-8, or rename the file.")
      terminal.report(error.failure(at: root.name), asJSON: says(.json, in: arguments))
      endProcess(ExitCode.usage.rawValue)
    }
    endProcess(await run(arguments, terminal: terminal, environment: environment).rawValue)
  }

  /// Runs one command line, without the tool's name in front.
  public func run(
    _ arguments: [String], terminal: Terminal, environment: [String: String]
  ) async -> ExitCode {
    let terminal = says(.noColor, in: arguments) ? terminal.withoutEscapes() : terminal
    var parser = CommandParser(root: root, arguments: arguments)
    do {
      switch try parser.parse(environment: environment) {
      case .help(let path): try terminal.print(HelpText(path).rendered)
      case .version: try terminal.print("\(root.name) \(version)")
      case .missingSubcommand(let path):
        if says(.json, in: arguments) { throw UsageError("'\(path.name)' needs a command.") }
        terminal.note(HelpText(path).rendered)
        return .usage
      case .run(let path, let values):
        guard let action = path.last.action else { return .usage }
        return try await action(
          Invocation(path: path, values: values, terminal: terminal, environment: environment))
      }
      return .ok
    } catch OutputError.readerClosed {
      return .brokenPipe
    } catch {
      let failure = described(error, at: parser.path)
      terminal.report(failure, asJSON: says(.json, in: arguments))
      return failure.exitCode
    }
  }

  private func described(_ error: any Error, at path: CommandPath) -> Failure {
    switch error {
    case let error as UsageError: error.failure(at: path.name)
    case let error as Failure: error
    case OutputError.failed(let code):
      Failure(
        "Can't write to standard output: \(systemMessage(of: code)).", code: "output",
        exitCode: .inputOutput)
    default: failure(error)
    }
  }

  /// Whether a flag is in a line that perhaps couldn't be parsed.
  private func says(_ flag: CommandOption, in arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--" + flag.name)
  }
}

extension Terminal {
  /// Shows a failure on standard error: for a person, or as one line of JSON.
  public func report(_ failure: Failure, asJSON: Bool) {
    note(asJSON ? failure.json : failure.rendered(styled: err.allowsEscapes))
  }
}
