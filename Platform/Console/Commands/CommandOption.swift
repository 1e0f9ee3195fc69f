/// Something that is said with dashes: `--dry-run`, `-n`, `--limit 10`, `--limit=10`.
public struct CommandOption: Sendable, Equatable {
  /// Its name without dashes.
  public let name: String
  let help: String
  let short: Character?
  let value: Value?

  /// What follows an option that takes a value.
  struct Value: Sendable, Equatable {
    let placeholder: String
    let environment: String?
    let fallback: String?
    let choices: [String]
    let repeats: Bool
  }

  /// An option that is there or not. Saying it twice is saying it once.
  public static func flag(_ name: String, _ help: String, short: Character? = nil) -> CommandOption {
    CommandOption(name: name, help: help, short: short, value: nil)
  }

  /// An option with a value, which a person may say once.
  ///
  /// - Parameters:
  ///   - name: its name without dashes.
  ///   - value: what help calls the value, such as `DIR`.
  ///   - help: one sentence for help.
  ///   - short: its one-letter name.
  ///   - environment: a variable that gives the value when the option doesn't; an empty one
  ///     counts as unset.
  ///   - fallback: the value when neither gives one.
  ///   - choices: the only values allowed, if any.
  public static func option(
    _ name: String, value: String, _ help: String, short: Character? = nil, environment: String? = nil,
    default fallback: String? = nil, choices: [String] = []
  ) -> CommandOption {
    CommandOption(
      name: name, help: help, short: short,
      value: Value(
        placeholder: value, environment: environment, fallback: fallback, choices: choices, repeats: false))
  }

  /// An option with a value that may be said several times; see ``Invocation/values(_:)``.
  public static func repeated(
    _ name: String, value: String, _ help: String, short: Character? = nil, choices: [String] = []
  ) -> CommandOption {
    CommandOption(
      name: name, help: help, short: short,
      value: Value(placeholder: value, environment: nil, fallback: nil, choices: choices, repeats: true))
  }

  /// `--json`: ``Invocation/wantsJSON``.
  public static let json = flag("json", "Print one JSON document on standard output, errors as JSON.")
  /// `--no-color`: no colour and no redrawing.
  public static let noColor = flag("no-color", "Print without colour and without redrawing.")
  /// `--no-input`: ``Invocation/mayAsk`` is false.
  public static let noInput = flag("no-input", "Never ask a question.")

  static let help = flag("help", "Show this help.", short: "h")
  static let version = flag("version", "Show the version.")
}
