/// What a command line said, by name, before it is given types.
struct ParsedValues: Sendable {
  /// Where an option's value comes from, as an error names it.
  enum Origin: Sendable, Equatable {
    case option(String)
    case environment(String)

    var name: String {
      switch self {
      case .option(let name): "Option '--\(name)'"
      case .environment(let variable): "The environment variable \(variable)"
      }
    }
  }

  struct Value: Sendable, Equatable {
    let text: String
    let origin: Origin
  }

  var flags: Set<String> = []
  var options: [String: [Value]] = [:]
  var arguments: [String: [String]] = [:]

  /// The names of all options that were said.
  var saidOptions: Set<String> { flags.union(options.keys) }
}
