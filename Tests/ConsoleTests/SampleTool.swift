import FerryConsole

/// A small tool in the shape of app-cli, whose commands print what they were given.
enum SampleTool {
  static let config = CommandOption.option(
    "config", value: "DIR", "Read the configuration from DIR.", short: "c", environment: "FERRY_CONFIG",
    default: "Config")

  static let tool = CommandLineTool(root, version: "1.2.3") { error in
    Failure("Something broke: \(error).", code: "broken", remedy: "Mend it.")
  }

  static let root = Command(
    "ferry", "Carry local data over and keep it in sync.",
    sharedOptions: [config, .json, .noColor, .noInput],
    subcommands: [
      migrate,
      Command(
        "account", "Accounts on this device.",
        subcommands: [
          Command("list", "List the accounts.") { _ in .ok },
          Command("use", "Make an account the current one.", arguments: [.required("NAME", "Its name.")]) {
            try $0.print("using \($0.argument("NAME"))")
            return .ok
          },
        ]),
      Command("folder", "Folders.", subcommands: [show, list]),
      Command("fail", "Fail with an error of its own.") { _ in throw Broken() },
      Command.unavailable(
        "attachment",
        Failure("Domain 'attachment' is off in the roadmap.", code: "domainDisabled", remedy: "Switch it on.")
      ),
    ])

  struct Broken: Error, CustomStringConvertible { var description: String { "a cog" } }

  private static let migrate = Command(
    "migrate", "Carry the legacy files over, domain by domain, in the order that the roadmap gives.",
    discussion: "What was carried already is not carried again.",
    options: [
      .flag("dry-run", "Print the plan and change nothing.", short: "n"),
      .flag("quiet", "Show no progress.", short: "q"),
      .option(
        "until", value: "STATE",
        "Stop each domain once it has reached STATE, which leaves the rest for another day.",
        choices: ["backedUp", "restored", "done"]),
      .repeated("only", value: "DOMAIN", "Carry this domain.", short: "o"),
      .option("a-name-far-too-long-for-the-column", value: "TEXT", "Has its help on a line of its own."),
    ],
    arguments: [.optional("ACCOUNT", "The account to begin with."), .rest("MORE", "Further accounts.")]
  ) { call in
    let words = [
      "config=\(call.value("config") ?? "-")", "dry=\(call.flag("dry-run"))", "quiet=\(call.flag("quiet"))",
      "until=\(call.value("until") ?? "-")", "only=\(call.values("only").joined(separator: "+"))",
      "account=\(call.optionalArgument("ACCOUNT") ?? "-")",
      "more=\(call.remainingArguments("MORE").joined(separator: "+"))",
    ]
    try call.print(words.joined(separator: " "))
    return .ok
  }

  private static let show = Command(
    "show", "Show a folder.", arguments: [.required("ID", "The folder's legacy key.")]
  ) { call in
    try call.print("folder \(call.integerArgument("ID"))")
    return .ok
  }

  private static let list = Command(
    "list", "List folders.",
    options: [.option("limit", value: "N", "At most N.", environment: "FERRY_LIMIT")]
  ) { call in
    try call.print("limit \(call.integer("limit", in: 1...100) ?? 0)")
    if call.wantsJSON { try call.json(#"{"version":1,"folders":[]}"#) }
    return .ok
  }
}

/// What one run left behind.
struct Outcome {
  let code: ExitCode
  let out: String
  let err: String
}

/// Runs `line`, split at spaces, on captured streams.
func run(
  _ line: String, tool: CommandLineTool = SampleTool.tool, environment: [String: String] = [:],
  outIsTerminal: Bool = false, errIsTerminal: Bool = false, inputIsTerminal: Bool = false,
  answer: String? = nil
) async -> Outcome {
  let (out, err) = (CapturedOutput(columns: 40), CapturedOutput(columns: 40))
  let terminal = Terminal.captured(
    out: out, err: err, outIsTerminal: outIsTerminal, errIsTerminal: errIsTerminal,
    inputIsTerminal: inputIsTerminal, environment: environment, answer: answer)
  let words = line.split(separator: " ").map(String.init)
  let code = await tool.run(words, terminal: terminal, environment: environment)
  return Outcome(code: code, out: out.text, err: err.text)
}
