/// A shell that can complete a tool's command line.
public enum Shell: String, Sendable, CaseIterable {
  case bash
  case zsh
  case fish
}

extension CommandLineTool {
  /// The script that teaches `shell` the tool's commands, options and choices. Generated from
  /// the tree; the same tree gives the same bytes.
  ///
  /// It is to be sourced: from `.bashrc`, from `.zshrc` after `compinit`, or from a file in
  /// fish's `completions` folder.
  public func completionScript(for shell: Shell) -> String {
    let table = CompletionTable(root)
    return switch shell {
    case .bash: table.bash
    case .zsh: "autoload -U +X bashcompinit && bashcompinit\n" + table.bash
    case .fish: table.fish
    }
  }
}

/// The tree as completion sees it: at each path, the words that may follow.
struct CompletionTable {
  struct Place {
    /// `""` for the root, then `/account`, `/account/use`.
    let key: String
    let commands: [(name: String, summary: String)]
    let options: [CommandOption]
  }

  let tool: String
  let places: [Place]

  init(_ root: Command) {
    tool = root.name
    places = Self.places(at: CommandPath(root: root))
  }

  private static func places(at path: CommandPath) -> [Place] {
    let commands = path.last.listedSubcommands
    let place = Place(
      key: path.names.dropFirst().map { "/" + $0 }.joined(),
      commands: commands.map { ($0.name, $0.summary) },
      options: path.allOptions)
    return [place] + commands.flatMap { places(at: path.appending($0)) }
  }

  /// A name that every shell takes for a function.
  var function: String { "_" + tool.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }

  /// The keys of all commands below the root, as a shell pattern's alternatives.
  var commandKeys: [String] { places.map(\.key).filter { !$0.isEmpty } }

  /// How every option that takes a value may be said.
  var optionsWithValue: [String] {
    var seen: Set<String> = []
    return places.flatMap(\.options).filter { $0.value != nil }
      .flatMap { option in ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? []) }
      .filter { seen.insert($0).inserted }
  }
}
