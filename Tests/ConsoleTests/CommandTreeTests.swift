import FerryConsole
import Testing

@Suite("A command tree")
struct CommandTreeTests {
  private static let idle: Command.Action = { _ in .ok }

  @Test(
    "that contradicts itself says where",
    arguments: [
      (
        Command("t", "", options: [.flag("a", ""), .flag("a", "")], action: idle),
        "'t' has two options '--a'."
      ),
      (
        Command(
          "t", "", sharedOptions: [.flag("a", "", short: "x")],
          subcommands: [Command("u", "", options: [.flag("b", "", short: "x")], action: idle)]),
        "'t u' has two options '-x'."
      ),
      (Command("t", "", options: [.flag("help", "")], action: idle), "'t' has two options '--help'."),
      (
        Command("t", "", subcommands: [Command("u", "", action: idle), Command("u", "", action: idle)]),
        "'t' has two commands 'u'."
      ),
      (Command("t", "", subcommands: [Command("help", "", action: idle)]), "'t' has two commands 'help'."),
      (Command("t", "", subcommands: []), "'t' does nothing and has no commands."),
      (
        Command("t", "", arguments: [.rest("A", ""), .optional("B", "")], action: idle),
        "'t' can't have argument 'B' after 'A'."
      ),
      (
        Command("t", "", arguments: [.optional("A", ""), .required("B", "")], action: idle),
        "'t' can't have argument 'B' after 'A'."
      ),
      (
        Command(
          "t", "", arguments: [.optional("A", "")], subcommands: [Command("u", "", action: idle)],
          action: idle),
        "'t' can't have argument 'A' and commands."
      ),
    ])
  func contradictions(tree: Command, sentence: String) {
    #expect(tree.contradictions == [sentence])
  }

  @Test("that is sound has no contradictions")
  func sound() { #expect(SampleTool.root.contradictions.isEmpty) }

  @Test("stops the program when an action asks for what it didn't declare")
  func undeclared() async {
    await #expect(processExitsWith: .failure) {
      let tool = CommandLineTool(
        Command("t", "") { call in call.flag("undeclared") ? .ok : .failure }, version: "1"
      ) { Failure("\($0)", code: "x") }
      _ = await run("", tool: tool)
    }
  }

  /// Does something by itself, and holds a command.
  private static let migrate = CommandLineTool(
    Command(
      "t", "A tool.",
      subcommands: [
        Command(
          "migrate", "Carry over.", options: [.flag("dry-run", "Change nothing.")],
          subcommands: [
            Command("cleanup", "Tidy up.") { call in
              try call.print("cleaned")
              return .ok
            }
          ]
        ) { call in
          try call.print("carried, dry=\(call.flag("dry-run"))")
          return .ok
        }
      ]), version: "1"
  ) { Failure("\($0)", code: "x") }

  @Test(
    "may have a command that does something and holds commands",
    arguments: [
      ("migrate", "carried, dry=false\n"), ("migrate --dry-run", "carried, dry=true\n"),
      ("migrate cleanup", "cleaned\n"),
    ])
  func commandAndGroup(line: String, printed: String) async {
    #expect(await run(line, tool: Self.migrate).out == printed)
  }

  @Test("tells such a command's two usages, and refuses what belongs to neither")
  func commandAndGroupHelp() async {
    let help = await run("migrate --help", tool: Self.migrate).out
    #expect(help.contains("Usage: t migrate [options]\n       t migrate COMMAND\n"))
    #expect(help.contains("cleanup  ") && help.contains("--dry-run"))
    #expect(Self.migrate.manualPage().contains(".SS t migrate cleanup"))
    #expect(await run("migrate cleanpu", tool: Self.migrate).err.contains("'cleanup'"))
    #expect(await run("migrate --dry-run cleanup", tool: Self.migrate).err.contains("doesn't belong"))
  }

  @Test("may be made at run time")
  func madeAtRunTime() async {
    let domains = ["folder", "item"].map { name in
      Command(
        name, "The \(name)s.",
        subcommands: [
          Command("count", "Count them.") { call in
            try call.print("\(name): \(call.commandNames)")
            return ExitCode(rawValue: 9)
          }
        ])
    }
    let tool = CommandLineTool(Command("t", "T.", subcommands: domains), version: "1") {
      Failure("\($0)", code: "x")
    }
    let outcome = await run("item count", tool: tool)
    #expect(outcome.out == "item: [\"t\", \"item\", \"count\"]\n")
    #expect(outcome.code.rawValue == 9)
  }
}
