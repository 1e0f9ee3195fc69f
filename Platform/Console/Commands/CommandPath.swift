/// The commands from the tool's root down to one of them, and what may be said there.
struct CommandPath: Sendable {
  private let ancestors: [Command]
  let last: Command

  init(root: Command) {
    ancestors = []
    last = root
  }

  private init(ancestors: [Command], last: Command) {
    self.ancestors = ancestors
    self.last = last
  }

  func appending(_ command: Command) -> CommandPath {
    CommandPath(ancestors: ancestors + [last], last: command)
  }

  /// As typed: `app-cli account use`.
  var name: String { names.joined(separator: " ") }

  var names: [String] { (ancestors + [last]).map(\.name) }

  var isRoot: Bool { ancestors.isEmpty }

  /// What is this command's, or begins with it.
  var ownOptions: [CommandOption] { last.options + last.sharedOptions + (isRoot ? builtIn : []) }

  /// What it has from the commands above it.
  var globalOptions: [CommandOption] { isRoot ? [] : ancestors.flatMap(\.sharedOptions) + builtIn }

  var allOptions: [CommandOption] { ownOptions + globalOptions }

  private var builtIn: [CommandOption] { [.help, .version] }

  func option(named name: String) -> CommandOption? { allOptions.first { $0.name == name } }

  func option(short letter: Character) -> CommandOption? { allOptions.first { $0.short == letter } }
}
