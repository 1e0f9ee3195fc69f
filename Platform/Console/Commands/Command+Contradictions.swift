extension Command {
  /// What is wrong with the tree, one sentence each: names used twice where one hides the
  /// other, and arguments that could never be filled. Empty for a good tree.
  ///
  /// Commands made at run time make this worth asking before ``CommandLineTool`` stops at it.
  public var contradictions: [String] { Self.contradictions(at: CommandPath(root: self)) }

  private static func contradictions(at path: CommandPath) -> [String] {
    let command = path.last
    var found =
      repeated(path.allOptions.map { "--" + $0.name }, "option", at: path)
      + repeated(path.allOptions.compactMap(\.short).map { "-\($0)" }, "option", at: path)
      + repeated(command.arguments.map(\.name), "argument", at: path)
      + repeated(command.subcommands.map(\.name) + ["help"], "command", at: path)
    for (argument, next) in zip(command.arguments, command.arguments.dropFirst()) {
      if argument.presence == .rest || (argument.presence == .optional && next.presence == .required) {
        found.append("'\(path.name)' can't have argument '\(next.name)' after '\(argument.name)'.")
      }
    }
    if command.action == nil, command.refusal == nil, command.subcommands.isEmpty {
      found.append("'\(path.name)' does nothing and has no commands.")
    }
    if let argument = command.arguments.first, !command.subcommands.isEmpty {
      found.append("'\(path.name)' can't have argument '\(argument.name)' and commands.")
    }
    return found + command.subcommands.flatMap { contradictions(at: path.appending($0)) }
  }

  private static func repeated(_ names: [String], _ kind: String, at path: CommandPath) -> [String] {
    var seen: Set<String> = []
    return names.filter { !seen.insert($0).inserted }.map { "'\(path.name)' has two \(kind)s '\($0)'." }
  }
}
