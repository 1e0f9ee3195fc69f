extension CommandOption {
  /// The option's value in a command line that can't be parsed yet: a tool reads its
  /// configuration to know which commands it has, and `--config` says where that is.
  ///
  /// Finds `--name value`, `--name=value`, the environment's value and the default, in this
  /// order. Faults are left to the real parsing.
  public func lookAhead(in arguments: [String], environment: [String: String]) -> String? {
    guard let value else { return nil }
    let words = Array(arguments.prefix { $0 != "--" })
    for (index, word) in words.enumerated() {
      if word.hasPrefix("--\(name)=") { return String(word.dropFirst(name.count + 3)) }
      if word == "--\(name)" || short.map({ word == "-\($0)" }) == true {
        if index + 1 < words.count { return words[index + 1] }
      }
    }
    if let variable = value.environment, let text = environment[variable], !text.isEmpty { return text }
    return value.fallback
  }
}
