import FerryConsole
import Testing

@Suite("A table")
struct TextTableTests {
  private func sample() -> TextTable {
    var table = TextTable(["Domain", .left("Newest title"), .right("Rows")])
    table.add(group: "alice")
    table.add("folder", "받은 편지함", "7")
    table.add("item", "A title that goes on and on", "12,345")
    table.add(total: "2 domains", "", "12,352")
    return table
  }

  @Test("aligns columns by what a terminal shows")
  func aligned() {
    #expect(
      sample().rendered() == """
        Domain     Newest title                   Rows
        alice
        folder     받은 편지함                       7
        item       A title that goes on and on  12,345
        ---------                               ------
        2 domains                               12,352
        """)
  }

  @Test("gives way in its widest text column on a narrow terminal, never in numbers")
  func narrowed() {
    #expect(
      sample().rendered(width: 34) == """
        Domain     Newest title       Rows
        alice
        folder     받은 편지함           7
        item       A title that g…  12,345
        ---------                   ------
        2 domains                   12,352
        """)
  }

  @Test("has no line wider than the terminal, however narrow", arguments: 1...60)
  func bounded(width: Int) {
    for line in sample().rendered(width: width).split(separator: "\n") {
      #expect(displayWidth(of: line) <= width)
    }
  }

  @Test("shows control characters of its cells instead of obeying them")
  func hostileCells() {
    var table = TextTable(["Name", "Next"])
    table.add("two\nlines\u{0}", "\u{1B}[2J")
    #expect(
      table.rendered() == """
        Name        Next
        two⏎lines␀  ␛[2J
        """)
  }

  @Test("is bold in its header and totals where the terminal can")
  func styled() {
    var table = TextTable([.right("N")])
    table.add("1")
    table.add(total: "1")
    #expect(table.rendered(styled: true) == "\u{1B}[1mN\u{1B}[0m\n1\n-\n\u{1B}[1m1\u{1B}[0m")
  }

  @Test("fills a short row and leaves no spaces at the end of a line")
  func shortRows() {
    var table = TextTable(["A", "B", "C"])
    table.add("1")
    table.add([])
    #expect(table.rendered() == "A  B  C\n1\n")
    #expect(!table.isEmpty)
  }

  @Test("refuses a row with more cells than columns")
  func longRow() async {
    await #expect(processExitsWith: .failure) {
      var table = TextTable(["A"])
      table.add("1", "2")
    }
  }

  @Test("is cut to the terminal when a command prints it, and whole into a pipe")
  func printed() async {
    let tool = CommandLineTool(
      Command("t", "T.") { call in
        var table = TextTable(["Title"])
        table.add(String(repeating: "x", count: 50))
        try call.print(table)
        return .ok
      }, version: "1"
    ) { Failure("\($0)", code: "x") }
    #expect(await run("", tool: tool).out == "Title\n" + String(repeating: "x", count: 50) + "\n")
    let onTerminal = await run("", tool: tool, environment: ["NO_COLOR": "1"], outIsTerminal: true)
    #expect(onTerminal.out == "Title\n" + String(repeating: "x", count: 39) + "…\n")
  }
}
