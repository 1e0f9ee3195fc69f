import FerryConsole
import Testing

@Suite("Colour")
struct EscapePolicyTests {
  @Test(
    "is used on terminals of people who didn't turn it off",
    arguments: [
      (true, [:], false, true),
      (true, ["TERM": "xterm-256color"], false, true),
      (true, ["NO_COLOR": ""], false, true),
      (true, ["NO_COLOR": "1"], false, false),
      (true, ["NO_COLOR": "0"], false, false),
      (true, ["TERM": "dumb"], false, false),
      (true, [:], true, false),
      (false, [:], false, false),
      (false, ["TERM": "xterm"], false, false),
    ] as [(Bool, [String: String], Bool, Bool)])
  func policy(isTerminal: Bool, environment: [String: String], noColor: Bool, allowed: Bool) {
    #expect(allowsEscapes(isTerminal: isTerminal, environment: environment, noColor: noColor) == allowed)
  }

  @Test("is decided for each stream by itself")
  func perStream() {
    let terminal = Terminal.captured(out: CapturedOutput(), err: CapturedOutput(), errIsTerminal: true)
    #expect(!terminal.out.allowsEscapes)
    #expect(terminal.err.allowsEscapes)
    #expect(!terminal.withoutEscapes().err.allowsEscapes)
  }

  @Test("marks errors, unless --no-color is said")
  func errors() async {
    #expect(await run("fail", errIsTerminal: true).err.hasPrefix("\u{1B}[31merror:\u{1B}[0m Something"))
    #expect(await run("fail --no-color", errIsTerminal: true).err.hasPrefix("error: Something"))
    #expect(await run("--no-color nonsense", errIsTerminal: true).err.hasPrefix("error: "))
  }

  @Test("is not added to text that is empty")
  func empty() {
    #expect(TextStyle.red.applied(to: "", if: true).isEmpty)
    #expect(TextStyle.green.applied(to: "ok", if: true) == "\u{1B}[32mok\u{1B}[0m")
    #expect(TextStyle.green.applied(to: "ok", if: false) == "ok")
  }

  @Test("has nothing to do with width, which a terminal says or COLUMNS or is 80")
  func width() {
    func width(_ columns: Int?, _ environment: [String: String], isTerminal: Bool = true) -> Int? {
      Terminal.captured(
        out: CapturedOutput(columns: columns), err: CapturedOutput(), outIsTerminal: isTerminal,
        environment: environment
      ).out.width
    }
    #expect(width(100, ["COLUMNS": "50"]) == 100)
    #expect(width(nil, ["COLUMNS": "50"]) == 50)
    #expect(width(nil, ["COLUMNS": "-1"]) == 80)
    #expect(width(nil, [:]) == 80)
    #expect(width(100, [:], isTerminal: false) == nil)
  }
}
