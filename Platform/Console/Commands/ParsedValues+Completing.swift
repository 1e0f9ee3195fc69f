extension ParsedValues {
  /// Fills in what the environment and the options' defaults give, and checks choices.
  mutating func complete(
    for path: CommandPath, from environment: [String: String]
  ) throws(UsageError) {
    for option in path.allOptions {
      guard let value = option.value else { continue }
      if options[option.name] == nil {
        if let variable = value.environment, let text = environment[variable], !text.isEmpty {
          options[option.name] = [Value(text: text, origin: .environment(variable))]
        } else if let fallback = value.fallback {
          options[option.name] = [Value(text: fallback, origin: .option(option.name))]
        }
      }
      guard !value.choices.isEmpty else { continue }
      for given in options[option.name, default: []] where !value.choices.contains(given.text) {
        throw UsageError(
          "\(given.origin.name) must be one of \(value.choices.joined(separator: ", ")), not '\(given.text)'.",
          suggestion: suggestion(for: given.text, among: value.choices))
      }
    }
  }

  /// Gives `operands` the names of the command's `arguments`, in order.
  mutating func assign(_ operands: [String], to declared: [CommandArgument]) throws(UsageError) {
    var rest = operands[...]
    for argument in declared {
      switch argument.presence {
      case .rest:
        arguments[argument.name] = Array(rest)
        rest = []
      case .required, .optional:
        if let word = rest.popFirst() {
          arguments[argument.name] = [word]
        } else if argument.presence == .required {
          throw UsageError("Missing argument '\(argument.name)'.")
        }
      }
    }
    if let extra = rest.first { throw UsageError("Unexpected argument '\(extra)'.") }
  }
}
