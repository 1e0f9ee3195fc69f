import FerryConsole
import Testing

@Suite("Progress")
struct ProgressLinesTests {
  private let clock = ManualClock()
  private let out = CapturedOutput()
  private let err = CapturedOutput(columns: 60)

  private func terminal(live: Bool, outIsTerminal: Bool = false) -> Terminal {
    .captured(out: out, err: err, outIsTerminal: outIsTerminal, errIsTerminal: live)
  }

  @Test("without a terminal is a plain line every few seconds and one at the end")
  func plain() {
    let progress = ProgressLines(on: terminal(live: false), clock: clock, printEvery: .seconds(5))
    for second in 0...12 {
      progress.update("folder", done: second * 100, total: 5000)
      clock.advance(by: .seconds(1))
    }
    progress.finish("folder")
    #expect(
      err.text == """
        folder  500 of 5,000  10%  100/s  45 s left
        folder  1,000 of 5,000  20%  100/s  40 s left
        folder  1,200 of 5,000 in 13.0 s

        """)
    #expect(out.text.isEmpty)
  }

  @Test("of short tasks without a terminal is their last lines only, in their order")
  func shortTasks() {
    let progress = ProgressLines(on: terminal(live: false), clock: clock)
    progress.update("folder", done: 3, total: 3)
    progress.update("item", done: 7)
    clock.advance(by: .milliseconds(1250))
    progress.end()
    progress.end()
    progress.finish("never began")
    #expect(err.text == "folder  3 of 3 in 1.3 s\nitem  7 in 1.3 s\n")
  }

  @Test("on a terminal is one line drawn over itself, no more often than needed")
  func live() {
    let progress = ProgressLines(on: terminal(live: true), clock: clock, redrawEvery: .milliseconds(100))
    progress.update("item", done: 0, total: 200)
    clock.advance(by: .milliseconds(50))
    progress.update("item", done: 10, total: 200)
    clock.advance(by: .milliseconds(50))
    progress.update("item", done: 50)
    progress.finish("item")
    #expect(
      err.text == "item  [....................]  0 of 200  0%"
        + "\r\u{1B}[2Kitem  [#####...............]  50 of 200  25%  500/s"
        + "\r\u{1B}[2Kitem  50 of 200 in 0.1 s\n")
  }

  @Test(
    "says 100% of what is done and of nothing less",
    arguments: [
      (0, 0, "[####################]  0 of 0  100%"),
      (999, 1000, "[###################.]  999 of 1,000  99%"),
      (12, 10, "[####################]  12 of 10  100%"), (-5, 10, "[....................]  0 of 10  0%"),
    ])
  func percentages(done: Int, total: Int, shown: String) {
    ProgressLines(on: terminal(live: true), clock: clock).update("x", done: done, total: total)
    #expect(err.text == "x  " + shown)
  }

  @Test(
    "says how long the rest takes at the rate so far",
    arguments: [
      (99, 100, "1 s left"), (1, 91, "90 s left"), (1, 92, "2 min left"), (1, 5401, "90 min left"),
      (1, 5402, "2 h left"), (1, 360_002, "1/s\n"), (100, 100, "100/s\n"), (0, 10, "0%\n"),
    ])
  func left(done: Int, total: Int, ending: String) {
    let progress = ProgressLines(on: terminal(live: false), clock: clock, printEvery: .seconds(1))
    progress.update("x", done: 0, total: total)
    // As many a second as are done: the first call is where the counting begins.
    for _ in 0..<10 { clock.advance(by: .milliseconds(100)) }
    progress.update("x", done: done, total: total)
    #expect(err.text.hasSuffix(ending.hasSuffix("\n") ? ending : ending + "\n"))
  }

  @Test("fits the terminal and shows a label's control characters")
  func fits() {
    let progress = ProgressLines(on: terminal(live: true), clock: clock)
    progress.update("a\u{1B}" + String(repeating: "b", count: 80), done: 1)
    #expect(err.text.hasPrefix("a␛bbb"))
    #expect(displayWidth(of: err.text) == 59)
  }

  @Test("steps aside for notes and for data on the same terminal")
  func stepsAside() throws {
    let terminal = terminal(live: true, outIsTerminal: true)
    ProgressLines(on: terminal, clock: clock).update("x", done: 1)
    terminal.note("careful")
    try terminal.print("data")
    #expect(err.text == "x  1\r\u{1B}[2Kcareful\nx  1\r\u{1B}[2Kx  1")
    #expect(out.text == "data\n")
  }

  @Test("is plain on a terminal that wants no escapes", arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func noEscapes(environment: [String: String]) {
    let terminal = Terminal.captured(out: out, err: err, errIsTerminal: true, environment: environment)
    let progress = ProgressLines(on: terminal, clock: clock)
    progress.update("x", done: 1)
    progress.end()
    #expect(err.text == "x  1 in 0.0 s\n")
  }

  @Test("may be updated from many tasks at once")
  func concurrent() async {
    let progress = ProgressLines(on: terminal(live: true), clock: clock)
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for done in 1...200 { progress.update("task \(task)", done: done, total: 200) }
          progress.finish("task \(task)")
        }
      }
    }
    for task in 0..<8 { #expect(err.text.contains("task \(task)  200 of 200 in 0.0 s\n")) }
  }
}
