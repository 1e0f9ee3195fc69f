import Testing

@testable import FerryConsole

@Suite("A wrong command line")
struct UsageErrorTests {
  @Test(
    "is explained in a sentence, with what was meant and where to look, and exits with 64",
    arguments: [
      ("mirgate", "'ferry' has no command 'mirgate'.", "Did you mean 'migrate'? See 'ferry --help'."),
      ("acc list", "'ferry' has no command 'acc'.", "Did you mean 'account'? See 'ferry --help'."),
      ("zebra", "'ferry' has no command 'zebra'.", "See 'ferry --help'."),
      ("attachmen", "'ferry' has no command 'attachmen'.", "See 'ferry --help'."),
      (
        "account us bob", "'ferry account' has no command 'us'.",
        "Did you mean 'use'? See 'ferry account --help'."
      ),
      ("help mirgate", "'ferry' has no command 'mirgate'.", "Did you mean 'migrate'? See 'ferry --help'."),
      (
        "migrate --dry-rum", "Unknown option '--dry-rum'.",
        "Did you mean '--dry-run'? See 'ferry migrate --help'."
      ),
      ("migrate --dry", "Unknown option '--dry'.", "Did you mean '--dry-run'? See 'ferry migrate --help'."),
      ("migrate -x", "Unknown option '-x'.", "See 'ferry migrate --help'."),
      ("migrate -nx", "Unknown option '-x'.", "See 'ferry migrate --help'."),
      (
        "--limit 5 folder list", "Unknown option '--limit'.",
        "Say it after 'ferry folder list'. See 'ferry folder list --help'."
      ),
      ("migrate --dry-run=yes", "Option '--dry-run' takes no value.", "See 'ferry migrate --help'."),
      (
        "migrate --config", "Option '--config' needs a value.",
        "Write '--config=DIR'. See 'ferry migrate --help'."
      ),
      (
        "migrate --config --dry-run", "Option '--config' needs a value.",
        "Write '--config=DIR'. See 'ferry migrate --help'."
      ),
      ("migrate -nc", "Option '-c' needs a value.", "Write '-c DIR'. See 'ferry migrate --help'."),
      (
        "-c a migrate --config b", "Option '--config' was given more than once.",
        "See 'ferry migrate --help'."
      ),
      (
        "migrate --until dome", "Option '--until' must be one of backedUp, restored, done, not 'dome'.",
        "Did you mean 'done'? See 'ferry migrate --help'."
      ),
      ("folder show", "Missing argument 'ID'.", "See 'ferry folder show --help'."),
      ("folder show 1 2", "Unexpected argument '2'.", "See 'ferry folder show --help'."),
      (
        "folder show seven", "Argument 'ID' must be a whole number, not 'seven'.",
        "See 'ferry folder show --help'."
      ),
      (
        "folder list --limit 101", "Option '--limit' must be a whole number from 1 to 100, not '101'.",
        "See 'ferry folder list --help'."
      ),
    ])
  func isExplained(line: String, message: String, remedy: String) async {
    let outcome = await run(line)
    #expect(outcome.err == "error: \(message)\n  → \(remedy)\n")
    #expect(outcome.out.isEmpty)
    #expect(outcome.code == .usage)
  }

  @Test("names the environment variable when the fault is there")
  func environmentFault() async {
    let outcome = await run("folder list", environment: ["FERRY_LIMIT": "many"])
    #expect(
      outcome.err.hasPrefix(
        "error: The environment variable FERRY_LIMIT must be a whole number from 1 to 100, not 'many'."))
  }

  @Test("is one line of JSON with --json, even if that line can't be parsed")
  func asJSON() async {
    let outcome = await run("migrate --json --nope")
    #expect(
      outcome.err
        == #"{"error":{"code":"usage","message":"Unknown option '--nope'.","remedy":"See 'ferry migrate --help'."}}"#
        + "\n")
    #expect(outcome.out.isEmpty)
    #expect(outcome.code == .usage)
  }

  @Test("that calls a command which is unavailable gets that command's own failure")
  func unavailable() async {
    let outcome = await run("attachment list --whatever 5")
    #expect(outcome.err == "error: Domain 'attachment' is off in the roadmap.\n  → Switch it on.\n")
    #expect(outcome.code == .failure)
  }

  @Test(
    "was probably meant otherwise by this many slips",
    arguments: [
      ("", "", 0), ("a", "", 1), ("mirgate", "migrate", 1), ("kitten", "sitting", 3), ("ab", "ba", 1),
    ])
  func distance(first: String, second: String, slips: Int) {
    #expect(editDistance(first, second) == slips)
    #expect(editDistance(second, first) == slips)
  }
}
