/// Splits a command line into options and operands, without knowing which ones exist.
struct TokenReader {
  enum Token: Equatable {
    /// A command's name or an argument.
    case operand(String)
    /// `--name` or `--name=attached`.
    case long(String, attached: String?)
    /// What follows a single dash.
    case short(String)
  }

  private var rest: ArraySlice<String>
  private var optionsEnded = false

  init(_ arguments: [String]) { rest = arguments[...] }

  /// - Parameter isShortOption: tells whether `-7` is an option here. Otherwise it is a number.
  mutating func next(isShortOption: (Character) -> Bool) -> Token? {
    guard let word = rest.popFirst() else { return nil }
    guard !optionsEnded, Self.looksLikeOption(word) || isDigitOption(word, isShortOption) else {
      return .operand(word)
    }
    guard word.hasPrefix("--") else { return .short(String(word.dropFirst())) }
    guard word != "--" else {
      optionsEnded = true
      return next(isShortOption: isShortOption)
    }
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return .long(String(parts[0]), attached: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// The word after an option, unless it is an option itself: in `--config --json` a value was
  /// forgotten. (`--config=--json` says it is meant.)
  mutating func nextValue() -> String? {
    guard let word = rest.first, !optionsEnded, !Self.looksLikeOption(word) else { return nil }
    return rest.popFirst()
  }

  private func isDigitOption(_ word: String, _ isShortOption: (Character) -> Bool) -> Bool {
    guard word.hasPrefix("-"), let letter = word.dropFirst().first else { return false }
    return isShortOption(letter)
  }

  /// A dash alone is an operand (standard input, by custom), and so is a negative number.
  static func looksLikeOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    guard let first = word.dropFirst().first, first.isASCII, first.isNumber || first == "." else {
      return true
    }
    return Double(word) == nil
  }
}
