import FerryConsole
import Testing

@Suite("A manual page")
struct ManualPageTests {
  @Test("is generated from the tree")
  func snapshot() {
    #expect(
      CompletionScriptTests.small.manualPage() == #"""
        .TH MY\-TOOL 1 "" "my\-tool 1"
        .SH NAME
        my\-tool \- A tool.
        .SH SYNOPSIS
        my\-tool [options] COMMAND
        .SH DESCRIPTION
        A tool.
        .SH OPTIONS
        .TP
        \fB\-c, \-\-config DIR\fR
        It's in DIR.
        .TP
        \fB\-h, \-\-help\fR
        Show this help.
        .TP
        \fB\-\-version\fR
        Show the version.
        .SH COMMANDS
        .SS my\-tool item list [options]
        List items.
        .TP
        \fB\-\-sort KEY\fR
        Sort by KEY. (one of: name, date)
        .SH ENVIRONMENT
        .TP
        \fBNO_COLOR\fR
        If set to anything, no colour and no redrawing.
        .SH EXIT STATUS
        .TP
        \fB0\fR
        Done.
        .TP
        \fB1\fR
        It failed.
        .TP
        \fB64\fR
        The command line was wrong.
        .TP
        \fB74\fR
        Reading or writing failed.
        .TP
        \fB75\fR
        Try again later.
        .TP
        \fB77\fR
        Not allowed.
        .TP
        \fB78\fR
        The configuration is wrong.
        .TP
        \fB141\fR
        The reader of standard output left.

        """#)
  }

  @Test("shows text as it is, whatever it means to roff")
  func escaping() {
    let tool = CommandLineTool(
      Command("t", ".so \\ \"x\" -y", discussion: "'quoted\nsecond") { _ in .ok }, version: "1"
    ) { Failure("\($0)", code: "x") }
    let page = tool.manualPage()
    #expect(page.contains(#"t \- \&.so \e \(dqx\(dq \-y"#))
    #expect(page.contains(".SH DESCRIPTION\n\\&'quoted\n.PP\nsecond\n"))
  }
}
