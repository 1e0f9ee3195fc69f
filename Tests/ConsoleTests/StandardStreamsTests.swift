import FerryConsole
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Standard streams")
struct StandardStreamsTests {
  private static let chatty = CommandLineTool(
    Command("t", "T.", options: [.json]) { call in
      for number in 0..<1_000 { try call.print("line \(number)") }
      return .ok
    }, version: "1"
  ) { Failure("\($0)", code: "x") }

  @Test("hold nothing but the document on standard output with --json")
  func jsonOnly() async {
    let outcome = await run("folder list --limit 3 --json")
    #expect(outcome.out == #"{"version":1,"folders":[]}"# + "\n")
    #expect(outcome.err == "limit 3\n")
    #expect(await run("folder list --limit 3").out == "limit 3\n")
  }

  @Test("end a command quietly when the reader of its data leaves")
  func readerLeaves() async {
    let (out, err) = (CapturedOutput(capacity: 20), CapturedOutput())
    let code = await Self.chatty.run([], terminal: .captured(out: out, err: err), environment: [:])
    #expect(out.text == "line 0\nline 1\n")
    #expect(err.text.isEmpty)
    #expect(code == .brokenPipe)
  }

  @Test("end a command quietly when its pipe is closed, instead of killing the process")
  func closedPipe() async {
    await #expect(processExitsWith: .exitCode(141)) {
      let terminal = Terminal.standard(environment: [:])
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0, dup2(ends[1], 1) == 1 else { exit(1) }
      close(ends[0])
      let code = await StandardStreamsTests.chatty.run([], terminal: terminal, environment: [:])
      exit(code.rawValue)
    }
  }

  @Test("say so when data can't be written for another reason", .enabled(if: access("/dev/full", W_OK) == 0))
  func fullDisk() async {
    let descriptor = open("/dev/full", O_WRONLY)
    defer { close(descriptor) }
    let err = CapturedOutput()
    let terminal = Terminal.captured(out: FileDescriptorSink(descriptor), err: err)
    let code = await Self.chatty.run([], terminal: terminal, environment: [:])
    #expect(code == .inputOutput)
    #expect(err.text == "error: Can't write to standard output: No space left on device.\n")
  }

  @Test("get all bytes through a pipe that takes them in pieces")
  func shortWrites() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    // Non-blocking, and far more than a pipe holds: every write is short or refused.
    #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    // A thread of its own: a task that blocks could be waiting for its reader's turn.
    Thread.detachNewThread {
      do { try FileDescriptorSink(writing).write(bytes) } catch { Issue.record(error) }
      close(writing)
    }
    let arrived = FileHandle(fileDescriptor: reading, closeOnDealloc: true).readDataToEndOfFile()
    let isComplete = arrived == Data(bytes)  // Comparing inside #expect would spell out a megabyte.
    #expect(isComplete)
  }

  @Test("don't stop work when nobody can read the notes")
  func notesLost() async {
    let (out, err) = (CapturedOutput(), CapturedOutput(capacity: 0))
    let terminal = Terminal.captured(out: out, err: err)
    terminal.note("lost")
    #expect(err.text.isEmpty)
  }

  @Test(
    "are asked a question only if a person is there to answer",
    arguments: [
      ("", true, "yes", "true"), ("", true, "Y", "true"), ("", true, "", "false"), ("", true, nil, "nil"),
      ("", false, "yes", "nil"), ("--no-input", true, "yes", "nil"), ("--json", true, "yes", "nil"),
    ] as [(String, Bool, String?, String)])
  func questions(line: String, inputIsTerminal: Bool, answer: String?, result: String) async {
    let tool = CommandLineTool(
      Command("t", "T.", options: [.json, .noInput]) { call in
        call.note(call.confirm("Discard 3 rows?").map { "\($0)" } ?? "nil")
        return .ok
      }, version: "1"
    ) { Failure("\($0)", code: "x") }
    let outcome = await run(line, tool: tool, inputIsTerminal: inputIsTerminal, answer: answer)
    #expect(outcome.err.hasSuffix(result + "\n"))
    #expect(outcome.err.hasPrefix("Discard 3 rows? [y/N] ") == (line.isEmpty && inputIsTerminal))
    #expect(outcome.out.isEmpty)
  }
}
