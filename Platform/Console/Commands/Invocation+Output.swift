// The promise of `--json`: standard output holds what `json(_:)` wrote and nothing else, so
// that a script may parse all of it. Text for people goes to standard error then.

extension Invocation {
  /// Whether the person asked for `--json`.
  public var wantsJSON: Bool { hasFlag(CommandOption.json.name) }

  /// Whether a question may be asked: a person is there and didn't say `--no-input`.
  public var mayAsk: Bool {
    terminal.inputIsTerminal && !hasFlag(CommandOption.noInput.name) && !wantsJSON
  }

  /// The stream that ``print(_:)-(String)`` writes to: what decides about colour and width.
  public var stream: TerminalStream { wantsJSON ? terminal.err : terminal.out }

  /// Prints lines for a person on standard output; with `--json` on standard error.
  ///
  /// `text` is written as it is. Wrap what isn't yours in ``visible(_:)``.
  public func print(_ text: String) throws(OutputError) {
    if wantsJSON {
      terminal.note(text)
    } else {
      try terminal.print(text)
    }
  }

  /// Prints a table as wide as the terminal; uncut into a pipe.
  public func print(_ table: TextTable) throws(OutputError) {
    try print(table.rendered(width: stream.width, styled: stream.allowsEscapes))
  }

  /// Prints a JSON document, or one line of several for commands that watch.
  public func json(_ document: String) throws(OutputError) {
    try terminal.print(document)
  }

  /// Prints a line for a person on standard error, whatever the mode.
  public func note(_ text: String) { terminal.note(text) }

  /// `text` in `style`, if the stream that ``print(_:)-(String)`` writes to shows colour.
  public func styled(_ text: String, _ style: TextStyle) -> String {
    style.applied(to: text, if: stream.allowsEscapes)
  }

  /// Asks a yes-or-no question on standard error. Everything but "y" and "yes" is no.
  ///
  /// - Returns: `nil` if nobody may be asked (see ``mayAsk``). What that means is the
  ///   command's to say: usually an error that names the flag which answers beforehand.
  public func confirm(_ question: String) -> Bool? {
    guard mayAsk, let answer = terminal.ask(question + " [y/N]") else { return nil }
    return ["y", "yes"].contains(answer.lowercased())
  }
}
