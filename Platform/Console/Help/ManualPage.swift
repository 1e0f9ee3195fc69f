// Generated from the same tree as the help, so that it can't say something else.

extension CommandLineTool {
  /// The tool's manual page in man(7) macros, for `man1/NAME.1`. Carries no date: the same
  /// tree gives the same bytes.
  public func manualPage() -> String {
    let path = CommandPath(root: root)
    var lines = [
      ".TH \(roff(root.name.uppercased())) 1 \"\" \"\(roff("\(root.name) \(version)"))\"",
      ".SH NAME", "\(roff(root.name)) \\- \(roff(root.summary))",
      ".SH SYNOPSIS", roff(HelpText(path).usage),
    ]
    lines += [".SH DESCRIPTION"] + paragraphs(root.discussion ?? root.summary)
    lines += section("OPTIONS", optionEntries(path.allOptions))
    lines += section("ARGUMENTS", argumentEntries(root))
    let commands = commandPages(below: path)
    if !commands.isEmpty { lines += [".SH COMMANDS"] + commands }
    lines += section("ENVIRONMENT", environmentEntries(path))
    lines += section("EXIT STATUS", exitEntries)
    return lines.joined(separator: "\n") + "\n"
  }

  private func commandPages(below path: CommandPath) -> [String] {
    path.last.listedSubcommands.flatMap { command -> [String] in
      let child = path.appending(command)
      guard command.action != nil else { return commandPages(below: child) }
      return [".SS \(roff(HelpText(child).usage))"]
        + paragraphs([command.summary, command.discussion].compactMap { $0 }.joined(separator: "\n"))
        + tagged(argumentEntries(command) + optionEntries(child.ownOptions)) + commandPages(below: child)
    }
  }

  private func optionEntries(_ options: [CommandOption]) -> [(String, String)] {
    options.map { ($0.label.trimmingPrefix { $0 == " " }.description, $0.fullHelp) }
  }

  private func argumentEntries(_ command: Command) -> [(String, String)] {
    command.arguments.map { ($0.name, $0.help) }
  }

  private func environmentEntries(_ path: CommandPath) -> [(String, String)] {
    variables(of: path).sorted { $0.key < $1.key }.map {
      ($0.key, "Gives the value of --\($0.value) when it isn't said.")
    }
      + [("NO_COLOR", "If set to anything, no colour and no redrawing.")]
  }

  private func variables(of path: CommandPath) -> [String: String] {
    let own = (path.last.options + path.last.sharedOptions).compactMap { option in
      option.value?.environment.map { ($0, option.name) }
    }
    return path.last.listedSubcommands.map { variables(of: path.appending($0)) }
      .reduce(Dictionary(own) { first, _ in first }) { $0.merging($1) { first, _ in first } }
  }

  private var exitEntries: [(String, String)] {
    [
      ("0", "Done."), ("1", "It failed."), ("64", "The command line was wrong."),
      ("74", "Reading or writing failed."), ("75", "Try again later."), ("77", "Not allowed."),
      ("78", "The configuration is wrong."), ("141", "The reader of standard output left."),
    ]
  }
}

private func section(_ title: String, _ entries: [(String, String)]) -> [String] {
  entries.isEmpty ? [] : [".SH \(title)"] + tagged(entries)
}

private func tagged(_ entries: [(String, String)]) -> [String] {
  entries.flatMap { [".TP", "\\fB\(roff($0.0))\\fR", roff($0.1)] }
}

private func paragraphs(_ text: String) -> [String] {
  text.split(separator: "\n").enumerated().flatMap { index, line in
    (index > 0 ? [".PP"] : []) + [roff(String(line))]
  }
}

/// `text` so that roff prints it as it is: a backslash or a dash is not its own, and a dot or
/// quote that begins a line is no macro.
private func roff(_ text: String) -> String {
  let escaped = text.map { character in
    switch character {
    case "\\": "\\e"
    case "-": "\\-"
    case "\"": "\\(dq"
    case "\n": " "
    default: String(character)
    }
  }.joined()
  return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
}
