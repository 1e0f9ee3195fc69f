import FerryConsole
import Testing

@Suite("Any command line whatever")
struct CommandLineFuzzTests {
  private static let words = [
    "migrate", "account", "use", "list", "folder", "show", "help", "attachment", "--", "-", "-7", "-n", "-nq",
    "-c", "-cx", "-c=", "-o", "--config", "--config=", "--config=x", "--dry-run", "--dry-run=1", "--until",
    "done",
    "--only", "--json", "--no-color", "--no-input", "--help", "-h", "--version", "--limit", "5", "", "--=",
    "---",
    "-é", "폴더", "\u{0}", "--\u{1B}[2J", "-1e5", "-.", "--no-such",
  ]

  @Test("ends in an answer or a usage error, and never drives the terminal", arguments: 0..<20)
  func ends(seed: UInt64) async {
    var random = SplitMix64(state: seed)
    for _ in 0..<100 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Self.words.randomElement(using: &random) ?? ""
      }
      let (out, err) = (CapturedOutput(), CapturedOutput())
      let code = await SampleTool.tool.run(
        line, terminal: .captured(out: out, err: err), environment: [:])
      #expect([.ok, .usage, .failure].contains(code), "\(line)")
      #expect(!err.text.contains("\u{1B}"), "\(line)")
      #expect(code == .ok || (out.text.isEmpty && !err.text.isEmpty), "\(line)")
    }
  }
}

/// Sebastiano Vigna's splitmix64: a few lines, and the same everywhere.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
