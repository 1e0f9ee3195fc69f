/// Reads a command line against the tree: names descend, dashes are options, the rest are
/// arguments. See <doc:CommandLine> for the rules.
struct CommandParser {
  /// What the person asked for.
  enum Request: Sendable {
    case run(CommandPath, ParsedValues)
    case help(CommandPath)
    case version
    case missingSubcommand(CommandPath)
  }

  private var reader: TokenReader
  private(set) var path: CommandPath
  private var values = ParsedValues()
  private var operands: [String] = []
  private var wantsHelp = false
  private var wantsVersion = false
  private var isHelpCommand = false
  private var firstFault: UsageError?

  init(root: Command, arguments: [String]) {
    path = CommandPath(root: root)
    reader = TokenReader(arguments)
  }

  /// - Throws: ``UsageError`` for a wrong command line (``path`` is then the command whose
  ///   help explains it), ``Failure`` for a command that is unavailable.
  mutating func parse(environment: [String: String]) throws -> Request {
    while let token = reader.next(isShortOption: { path.option(short: $0) != nil }) {
      if case .operand(let word) = token {
        try readOperand(word)
      } else {
        // Whoever asks for help gets it, whatever else is wrong with the options: a fault waits
        // until the whole line was read.
        do { try readOption(token) } catch { firstFault = firstFault ?? error }
      }
    }
    if wantsHelp { return .help(path) }
    if let firstFault { throw firstFault }
    if wantsVersion { return .version }
    if path.last.action == nil { return .missingSubcommand(path) }
    try refuseStrayOptions()
    try values.complete(for: path, from: environment)
    try values.assign(operands, to: path.last.arguments)
    return .run(path, values)
  }

  // MARK: - Names and arguments

  private mutating func readOperand(_ word: String) throws {
    guard operands.isEmpty, !path.last.subcommands.isEmpty || isHelpCommand else {
      operands.append(word)
      return
    }
    if let command = path.last.subcommands.first(where: { $0.name == word }) {
      if let refusal = command.refusal { throw refusal }
      path = path.appending(command)
    } else if word == "help", !isHelpCommand {
      isHelpCommand = true
      wantsHelp = true
    } else if firstFault == nil {  // Else it may be the value of an unknown option.
      throw UsageError(
        "'\(path.name)' has no command '\(word)'.",
        suggestion: suggestion(for: word, among: path.last.listedSubcommands.map(\.name)))
    }
  }

  // MARK: - Options

  private mutating func readOption(_ token: TokenReader.Token) throws(UsageError) {
    switch token {
    case .long(let name, let attached): try readLong(name, attached)
    case .short(let letters): try readShort(letters)
    case .operand: break
    }
  }

  private mutating func readLong(_ name: String, _ attached: String?) throws(UsageError) {
    guard let option = path.option(named: name) else {
      throw UsageError(
        "Unknown option '--\(name)'.",
        suggestion: path.suggestion(forOption: name))
    }
    if option.value != nil {
      try take(attached, for: option, saidAs: "--\(name)")
    } else if attached == nil {
      raise(option)
    } else {
      throw UsageError("Option '--\(name)' takes no value.")
    }
  }

  /// `-n`, `-nq` for two flags, `-c DIR`, `-cDIR`, `-c=DIR`.
  private mutating func readShort(_ letters: String) throws(UsageError) {
    var rest = Substring(letters)
    while let letter = rest.popFirst() {
      guard let option = path.option(short: letter) else {
        throw UsageError("Unknown option '-\(letter)'.")
      }
      guard option.value != nil else {
        raise(option)
        continue
      }
      if rest.first == "=" { rest.removeFirst() }
      try take(rest.isEmpty ? nil : String(rest), for: option, saidAs: "-\(letter)")
      return
    }
  }

  private mutating func raise(_ option: CommandOption) {
    switch option {
    case .help: wantsHelp = true
    case .version: wantsVersion = true
    default: values.flags.insert(option.name)
    }
  }

  private mutating func take(
    _ attached: String?, for option: CommandOption, saidAs spelling: String
  ) throws(UsageError) {
    guard let text = attached ?? reader.nextValue() else {
      throw UsageError(
        "Option '\(spelling)' needs a value.",
        suggestion:
          "Write '\(spelling)\(spelling.hasPrefix("--") ? "=" : " ")\(option.value?.placeholder ?? "")'.")
    }
    let earlier = values.options[option.name, default: []]
    guard earlier.isEmpty || option.value?.repeats == true else {
      throw UsageError("Option '--\(option.name)' was given more than once.")
    }
    values.options[option.name] = earlier + [.init(text: text, origin: .option(option.name))]
  }

  /// An option of a command that was said before the name of one below it.
  private func refuseStrayOptions() throws(UsageError) {
    let known = Set(path.allOptions.map(\.name))
    guard let stray = values.saidOptions.subtracting(known).min() else { return }
    throw UsageError("Option '--\(stray)' doesn't belong to '\(path.name)'.")
  }
}
