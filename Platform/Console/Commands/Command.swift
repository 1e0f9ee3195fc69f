/// A node of the command tree: it does something, or it holds commands that do, or both.
///
/// Commands are values, so a tool may make them at run time, one for each domain it knows.
public struct Command: Sendable {
  /// What a command does. It returns the process's exit code.
  public typealias Action = @Sendable (Invocation) async throws -> ExitCode

  /// The word that calls it.
  public let name: String
  let summary: String
  let discussion: String?
  let options: [CommandOption]
  let sharedOptions: [CommandOption]
  let arguments: [CommandArgument]
  let subcommands: [Command]
  let action: Action?
  let refusal: Failure?

  /// A command that does something.
  ///
  /// - Parameters:
  ///   - name: the word that calls it.
  ///   - summary: one sentence for the list of commands.
  ///   - discussion: more for its own help, if one sentence isn't enough.
  ///   - options: options of this command only.
  ///   - arguments: what is said by its place, in order.
  ///   - subcommands: commands that it holds besides; it then takes no arguments. Its options aren't theirs.
  ///   - action: what it does where none of them is named.
  public init(
    _ name: String, _ summary: String, discussion: String? = nil, options: [CommandOption] = [],
    arguments: [CommandArgument] = [], subcommands: [Command] = [], action: @escaping Action
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.options = options
    sharedOptions = []
    self.arguments = arguments
    self.subcommands = subcommands
    self.action = action
    refusal = nil
  }

  /// A command that holds commands. Called without one, it shows its help as a usage error.
  ///
  /// - Parameters:
  ///   - name: the word that calls it.
  ///   - summary: one sentence for the list of commands.
  ///   - discussion: more for its own help.
  ///   - sharedOptions: options that every command below it has too.
  ///   - subcommands: the commands it holds.
  public init(
    _ name: String, _ summary: String, discussion: String? = nil, sharedOptions: [CommandOption] = [],
    subcommands: [Command]
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    options = []
    self.sharedOptions = sharedOptions
    arguments = []
    self.subcommands = subcommands
    action = nil
    refusal = nil
  }

  /// A command that exists but can't be used now, and says why: a domain that the roadmap
  /// leaves off. Help doesn't list it; whatever follows its name, it fails with `failure`.
  public static func unavailable(_ name: String, _ failure: Failure) -> Command {
    Command(refused: name, failure)
  }

  private init(refused name: String, _ failure: Failure) {
    self.name = name
    summary = ""
    discussion = nil
    options = []
    sharedOptions = []
    arguments = []
    subcommands = []
    action = nil
    refusal = failure
  }

  /// The subcommands that help and completion show.
  var listedSubcommands: [Command] { subcommands.filter { $0.refusal == nil } }
}
