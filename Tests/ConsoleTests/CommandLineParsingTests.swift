import FerryConsole
import Testing

@Suite("A command line")
struct CommandLineParsingTests {
  private static let untouched = "config=Config dry=false quiet=false until=- only= account=- more=\n"

  @Test(
    "is read by these rules",
    arguments: [
      ("migrate", untouched),
      ("migrate --dry-run", "config=Config dry=true quiet=false until=- only= account=- more=\n"),
      ("migrate -nq", "config=Config dry=true quiet=true until=- only= account=- more=\n"),
      ("migrate -n -n", "config=Config dry=true quiet=false until=- only= account=- more=\n"),
      ("migrate --config dir", "config=dir dry=false quiet=false until=- only= account=- more=\n"),
      ("migrate --config=dir", "config=dir dry=false quiet=false until=- only= account=- more=\n"),
      ("migrate --config=a=b", "config=a=b dry=false quiet=false until=- only= account=- more=\n"),
      ("migrate --config=--odd", "config=--odd dry=false quiet=false until=- only= account=- more=\n"),
      ("--config dir migrate", "config=dir dry=false quiet=false until=- only= account=- more=\n"),
      ("-c dir migrate", "config=dir dry=false quiet=false until=- only= account=- more=\n"),
      ("migrate -cdir", "config=dir dry=false quiet=false until=- only= account=- more=\n"),
      ("migrate -c=dir", "config=dir dry=false quiet=false until=- only= account=- more=\n"),
      ("migrate -nqcdir", "config=dir dry=true quiet=true until=- only= account=- more=\n"),
      ("migrate --only a -o b", "config=Config dry=false quiet=false until=- only=a+b account=- more=\n"),
      ("migrate --until done", "config=Config dry=false quiet=false until=done only= account=- more=\n"),
      ("migrate a b c", "config=Config dry=false quiet=false until=- only= account=a more=b+c\n"),
      ("migrate a -n b", "config=Config dry=true quiet=false until=- only= account=a more=b\n"),
      ("migrate -- -n --json", "config=Config dry=false quiet=false until=- only= account=-n more=--json\n"),
      ("migrate - -1.5", "config=Config dry=false quiet=false until=- only= account=- more=-1.5\n"),
      ("migrate help", "config=Config dry=false quiet=false until=- only= account=help more=\n"),
      ("folder show -7", "folder -7\n"),
      ("folder show -- -7", "folder -7\n"),
      ("account use alice", "using alice\n"),
    ])
  func isRead(line: String, output: String) async {
    let outcome = await run(line)
    #expect(outcome.out == output)
    #expect(outcome.err.isEmpty)
    #expect(outcome.code == .ok)
  }

  @Test("takes an option's value from the environment unless it says one, and not an empty one")
  func environment() async {
    #expect(await run("migrate", environment: ["FERRY_CONFIG": "env"]).out.contains("config=env "))
    #expect(await run("migrate -c x", environment: ["FERRY_CONFIG": "env"]).out.contains("config=x "))
    #expect(await run("migrate", environment: ["FERRY_CONFIG": ""]).out.contains("config=Config "))
  }

  @Test("reads a digit as an option where one is declared")
  func digitOptions() async {
    let tool = CommandLineTool(
      Command("t", "T.", options: [.flag("seven", "S.", short: "7")], arguments: [.rest("N", "N.")]) {
        try $0.print("\($0.flag("seven")) \($0.remainingArguments("N"))")
        return .ok
      }, version: "1"
    ) { Failure("\($0)", code: "x") }
    #expect(await run("-7 -8", tool: tool).out == "true [\"-8\"]\n")
    #expect(await run("-- -7", tool: tool).out == "false [\"-7\"]\n")
  }

  @Test(
    "can be asked for one option before it can be parsed",
    arguments: [
      ("status --config a", [:], "a"), ("status --config=a", ["FERRY_CONFIG": "b"], "a"),
      ("-c a status", [:], "a"), ("status", ["FERRY_CONFIG": "b"], "b"), ("status", [:], "Config"),
      ("status -- --config a", [:], "Config"), ("--config", [:], "Config"),
    ] as [(String, [String: String], String)])
  func lookingAhead(line: String, environment: [String: String], value: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(SampleTool.config.lookAhead(in: words, environment: environment) == value)
  }
}
