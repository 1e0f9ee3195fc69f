/// Something that is said by its place: the `ID` of `folder show ID`.
public struct CommandArgument: Sendable, Equatable {
  enum Presence: Sendable, Equatable { case required, optional, rest }

  /// What help calls it, and its name in ``Invocation``.
  public let name: String
  let help: String
  let presence: Presence

  /// One that must be there.
  public static func required(_ name: String, _ help: String) -> CommandArgument {
    CommandArgument(name: name, help: help, presence: .required)
  }

  /// One that may be left out.
  public static func optional(_ name: String, _ help: String) -> CommandArgument {
    CommandArgument(name: name, help: help, presence: .optional)
  }

  /// All that are left, perhaps none. Comes last.
  public static func rest(_ name: String, _ help: String) -> CommandArgument {
    CommandArgument(name: name, help: help, presence: .rest)
  }

  /// As a usage line shows it.
  var usage: String {
    switch presence {
    case .required: name
    case .optional: "[\(name)]"
    case .rest: "[\(name)…]"
    }
  }
}
