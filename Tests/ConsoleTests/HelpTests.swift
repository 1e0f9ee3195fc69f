import FerryConsole
import Testing

@Suite("Help")
struct HelpTests {
  private static let root = """
    Carry local data over and keep it in sync.

    Usage: ferry [options] COMMAND

    Commands:
      migrate           Carry the legacy files over, domain by domain, in the order
                        that the roadmap gives.
      account           Accounts on this device.
      folder            Folders.
      fail              Fail with an error of its own.

    Options:
      -c, --config DIR  Read the configuration from DIR. (environment: FERRY_CONFIG;
                        default: Config)
          --json        Print one JSON document on standard output, errors as JSON.
          --no-color    Print without colour and without redrawing.
          --no-input    Never ask a question.
      -h, --help        Show this help.
          --version     Show the version.

    See 'ferry help COMMAND' for more on a command.

    """

  private static let migrate = """
    Carry the legacy files over, domain by domain, in the order that the roadmap
    gives.

    What was carried already is not carried again.

    Usage: ferry migrate [options] [ACCOUNT] [MORE…]

    Arguments:
      ACCOUNT            The account to begin with.
      MORE               Further accounts.

    Options:
      -n, --dry-run      Print the plan and change nothing.
      -q, --quiet        Show no progress.
          --until STATE  Stop each domain once it has reached STATE, which leaves
                         the rest for another day. (one of: backedUp, restored,
                         done)
      -o, --only DOMAIN  Carry this domain. (may be repeated)
          --a-name-far-too-long-for-the-column TEXT
                         Has its help on a line of its own.

    Global options:
      -c, --config DIR   Read the configuration from DIR. (environment:
                         FERRY_CONFIG; default: Config)
          --json         Print one JSON document on standard output, errors as JSON.
          --no-color     Print without colour and without redrawing.
          --no-input     Never ask a question.
      -h, --help         Show this help.
          --version      Show the version.

    """

  @Test(
    "for the tool lists its commands", arguments: ["--help", "-h", "help", "--nope --help", "--config -h"])
  func tool(line: String) async {
    let outcome = await run(line)
    #expect(outcome.out == Self.root)
    #expect(outcome.err.isEmpty)
    #expect(outcome.code == .ok)
  }

  @Test(
    "for a command is the same however it is asked for",
    arguments: [
      "help migrate", "migrate --help", "--help migrate", "migrate -h", "migrate --nope --help",
      "migrate -nh",
      "migrate a b --help",
    ])
  func command(line: String) async {
    let outcome = await run(line)
    #expect(outcome.out == Self.migrate)
    #expect(outcome.code == .ok)
  }

  @Test("for a nested command", arguments: ["help account use", "account help use", "account use --help"])
  func nested(line: String) async {
    let outcome = await run(line)
    #expect(
      outcome.out.hasPrefix(
        """
        Make an account the current one.

        Usage: ferry account use [options] NAME

        Arguments:
          NAME              Its name.

        Global options:
        """))
  }

  @Test("goes to standard error, as a usage error, when a command is missing")
  func missingCommand() async {
    let outcome = await run("")
    #expect(outcome.err == Self.root)
    #expect(outcome.out.isEmpty)
    #expect(outcome.code == .usage)
    #expect(await run("account").err.hasPrefix("Accounts on this device.\n"))
  }

  @Test("is an error in JSON when a command is missing with --json")
  func missingCommandAsJSON() async {
    let outcome = await run("account --json")
    #expect(outcome.err.hasPrefix(#"{"error":{"code":"usage","message":"'ferry account' needs a command."#))
    #expect(outcome.code == .usage)
  }

  @Test("is not what --version prints", arguments: ["--version", "migrate --version"])
  func version(line: String) async {
    let outcome = await run(line)
    #expect(outcome.out == "ferry 1.2.3\n")
    #expect(outcome.code == .ok)
  }

  @Test("for a tool without subcommands has one list of options")
  func flatTool() async {
    let tool = CommandLineTool(
      Command("sync-worker", "Sync.", options: [.flag("once", "Sync once and end."), .json]) { _ in .ok },
      version: "1"
    ) { Failure("\($0)", code: "x") }
    #expect(
      await run("--help", tool: tool).out == """
        Sync.

        Usage: sync-worker [options]

        Options:
              --once     Sync once and end.
              --json     Print one JSON document on standard output, errors as JSON.
          -h, --help     Show this help.
              --version  Show the version.

        """)
    #expect(await run("help", tool: tool).err.hasPrefix("error: Unexpected argument 'help'."))
  }
}
