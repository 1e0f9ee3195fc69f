import FerryConsole
import Testing

@Suite("An invocation")
struct InvocationTests {
  private func answer(
    _ line: String, outIsTerminal: Bool = false, _ action: @escaping Command.Action
  ) async -> Outcome {
    let tool = CommandLineTool(
      Command(
        "t", "T.",
        options: [
          .option("account", value: "NAME", "A."), .option("size", value: "N", "S.", default: "3"), .json,
        ], arguments: [.optional("N", "N.")], action: action), version: "1"
    ) { Failure("\($0)", code: "x") }
    return await run(line, tool: tool, outIsTerminal: outIsTerminal)
  }

  @Test("demands an option that the command can't do without")
  func requiredValue() async {
    let action: Command.Action = { call in
      try call.print(call.requiredValue("account"))
      return .ok
    }
    #expect(await answer("--account bob", action).out == "bob\n")
    let outcome = await answer("", action)
    #expect(outcome.err == "error: Option '--account' is missing.\n  → See 't --help'.\n")
    #expect(outcome.code == .usage)
  }

  @Test(
    "says which whole numbers would do",
    arguments: [
      (Int.min...Int.max, "a whole number"), (1...Int.max, "a whole number of at least 1"),
      (Int.min...9, "a whole number of at most 9"), (1...9, "a whole number from 1 to 9"),
    ])
  func bounds(range: ClosedRange<Int>, wording: String) async {
    let outcome = await answer("--size 99999999999999999999") { call in
      _ = try call.integer("size", in: range)
      return .ok
    }
    #expect(outcome.err.hasPrefix("error: Option '--size' must be \(wording), not '99999999999999999999'."))
  }

  @Test("reads numbers from defaults, and none where nothing was said")
  func numbers() async {
    let outcome = await answer("") { call in
      try call.print("\(call.integer("size") ?? 0) \(call.optionalArgument("N") ?? "none")")
      return .ok
    }
    #expect(outcome.out == "3 none\n")
  }

  @Test("lets an action throw a usage error of its own")
  func ownUsageError() async {
    let outcome = await answer("") { _ in throw UsageError("Say more.", suggestion: "Try 'all'.") }
    #expect(outcome.err == "error: Say more.\n  → Try 'all'. See 't --help'.\n")
    #expect(outcome.code == .usage)
  }

  @Test("styles what it prints by the stream that it prints to")
  func styling() async {
    let action: Command.Action = { call in
      try call.print(call.styled("done", .green))
      return .ok
    }
    #expect(await answer("", outIsTerminal: true, action).out == "\u{1B}[32mdone\u{1B}[0m\n")
    #expect(await answer("", action).out == "done\n")
    #expect(await answer("--json", outIsTerminal: true, action).err == "done\n")
  }
}
