import FerryConsole
import Foundation
import Testing

@Suite("A failure")
struct FailureTests {
  private let failure = Failure(
    "Folder '\u{1B}[2J\"x\"' is gone.\nIt was deleted.", code: "gone", remedy: "Sync first.",
    exitCode: .temporary)

  @Test("is a sentence and a remedy for a person, and can't drive the terminal")
  func forPeople() {
    #expect(
      failure.rendered(styled: false) == """
        error: Folder '␛[2J"x"' is gone.
          It was deleted.
          → Sync first.
        """)
    #expect(Failure("No.", code: "no").rendered(styled: false) == "error: No.")
  }

  @Test("is one line of JSON for a script")
  func forScripts() throws {
    #expect(!failure.json.contains("\n"))
    let error = try #require(
      JSONSerialization.jsonObject(with: Data(failure.json.utf8)) as? [String: [String: String]])["error"]
    #expect(error == ["code": "gone", "message": failure.message, "remedy": "Sync first."])
    #expect(Failure("No.", code: "no").json == #"{"error":{"code":"no","message":"No.","remedy":null}}"#)
  }

  @Test("is made of any error by the tool, once, at its edge")
  func mapped() async {
    let outcome = await run("fail")
    #expect(outcome.err == "error: Something broke: a cog.\n  → Mend it.\n")
    #expect(outcome.code == .failure)
    let json = await run("fail --json")
    #expect(
      json.err == #"{"error":{"code":"broken","message":"Something broke: a cog.","remedy":"Mend it."}}"#
        + "\n")
    #expect(json.out.isEmpty)
  }

  @Test("thrown by an action is taken as it is, exit code and all")
  func thrown() async {
    let failure = failure
    let tool = CommandLineTool(Command("t", "T.") { _ in throw failure }, version: "1") { _ in
      Failure("mapped", code: "mapped")
    }
    let outcome = await run("", tool: tool)
    #expect(outcome.err.contains("It was deleted."))
    #expect(outcome.code == .temporary)
  }
}
