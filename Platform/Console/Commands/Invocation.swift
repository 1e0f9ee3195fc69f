/// One call of a command: what was said, and the streams to answer on.
///
/// Asking for an option or argument that the command didn't declare is a fault of the program
/// and stops it.
public struct Invocation: Sendable {
  /// The command's names from the tool's down, as typed.
  public var commandNames: [String] { path.names }
  /// The streams. Prefer ``print(_:)-(String)``, ``json(_:)`` and ``note(_:)``, which keep the promise
  /// of `--json`.
  public let terminal: Terminal
  /// The environment the tool was called in.
  public let environment: [String: String]

  private let path: CommandPath
  private let values: ParsedValues

  init(path: CommandPath, values: ParsedValues, terminal: Terminal, environment: [String: String]) {
    self.path = path
    self.values = values
    self.terminal = terminal
    self.environment = environment
  }

  // MARK: - Options

  /// Whether the flag was given.
  public func flag(_ name: String) -> Bool {
    checkDeclared(name, takesValue: false)
    return values.flags.contains(name)
  }

  /// The option's value, or the environment's, or its default.
  public func value(_ name: String) -> String? { given(name)?.text }

  /// All values of a repeated option, in order.
  public func values(_ name: String) -> [String] {
    checkDeclared(name, takesValue: true)
    return values.options[name, default: []].map(\.text)
  }

  /// The option's value.
  /// - Throws: ``UsageError`` if there is none.
  public func requiredValue(_ name: String) throws(UsageError) -> String {
    guard let text = value(name) else {
      throw UsageError("Option '--\(name)' is missing.")
    }
    return text
  }

  /// The option's value as a whole number.
  /// - Throws: ``UsageError`` if it is none, or outside `range`.
  public func integer(
    _ name: String, in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(UsageError) -> Int? {
    guard let given = given(name) else { return nil }
    return try number(given.text, in: range, from: given.origin.name)
  }

  // MARK: - Arguments

  /// The text of a required argument.
  public func argument(_ name: String) -> String {
    let words = words(name)
    precondition(!words.isEmpty, "'\(path.name)' has no required argument '\(name)'")
    return words[0]
  }

  /// The text of an optional argument.
  public func optionalArgument(_ name: String) -> String? { words(name).first }

  /// The words of a `.rest` argument.
  public func remainingArguments(_ name: String) -> [String] { words(name) }

  /// A required argument as a whole number.
  /// - Throws: ``UsageError`` if it is none, or outside `range`.
  public func integerArgument(
    _ name: String, in range: ClosedRange<Int> = Int.min...Int.max
  ) throws(UsageError) -> Int {
    try number(argument(name), in: range, from: "Argument '\(name)'")
  }

  // MARK: - Looking up

  /// Whether a flag was given, if the command has it at all.
  func hasFlag(_ name: String) -> Bool { values.flags.contains(name) }

  private func given(_ name: String) -> ParsedValues.Value? {
    checkDeclared(name, takesValue: true)
    return values.options[name]?.first
  }

  private func checkDeclared(_ name: String, takesValue: Bool) {
    let option = path.option(named: name)
    precondition(
      option.map { ($0.value != nil) == takesValue } ?? false,
      "'\(path.name)' has no \(takesValue ? "option" : "flag") '--\(name)'")
  }

  private func words(_ name: String) -> [String] {
    precondition(
      path.last.arguments.contains { $0.name == name }, "'\(path.name)' has no argument '\(name)'")
    return values.arguments[name, default: []]
  }

  private func number(
    _ text: String, in range: ClosedRange<Int>, from origin: String
  ) throws(UsageError) -> Int {
    if let number = Int(text), range.contains(number) { return number }
    let bounds =
      switch (range.lowerBound, range.upperBound) {
      case (.min, .max): ""
      case (let lower, .max): " of at least \(lower)"
      case (.min, let upper): " of at most \(upper)"
      case (let lower, let upper): " from \(lower) to \(upper)"
      }
    throw UsageError("\(origin) must be a whole number\(bounds), not '\(text)'.")
  }
}
