/// The command line was wrong. Thrown by the parser, and by actions for what only they can
/// check; the tool adds where to find help and exits with ``ExitCode/usage``.
public struct UsageError: Error, Equatable {
  /// A sentence that says what is wrong.
  public let message: String
  /// A sentence that says what was probably meant.
  public let suggestion: String?

  /// A fault in what was said. Both are whole sentences.
  public init(_ message: String, suggestion: String? = nil) {
    self.message = message
    self.suggestion = suggestion
  }

  func failure(at path: String) -> Failure {
    let pointer = "See '\(path) --help'."
    return Failure(
      message, code: "usage", remedy: suggestion.map { "\($0) \(pointer)" } ?? pointer, exitCode: .usage)
  }
}
