import FerryConsole
import Testing

@testable import app_cli

@Suite struct `Text that is written` {
  private func lines(_ text: String, _ columns: Int) -> [String] {
    let wrapped = WrappedText(text, columns: columns)
    return wrapped.lines.map { String(wrapped.text[$0]) }
  }

  @Test(
    arguments: [
      ("", 5, [""]), ("abc", 5, ["abc"]), ("ab cd ef", 5, ["ab cd ", "ef"]),
      ("abcdefgh", 3, ["abc", "def", "gh"]),
      ("a\nb\n", 5, ["a", "b", ""]), ("한글 노트입니다", 6, ["한글 ", "노트입", "니다"]),
      ("ab     cd", 4, ["ab     ", "cd"]),
      ("ab cdefghij", 4, ["ab ", "cdef", "ghij"]), ("한", 1, ["한"]),
    ] as [(String, Int, [String])])
  func `is broken at spaces, by columns`(text: String, columns: Int, expected: [String]) {
    #expect(lines(text, columns) == expected)
    #expect(lines(text, columns).joined() == text.filter { !$0.isNewline })
  }

  @Test func `is changed where the cursor is, character by character`() {
    var text = TextBuffer("ab", isMultiline: true)
    text.moveLeft()
    text.insert("한\u{301}")
    #expect(text.text == "a한\u{301}b")
    text.deleteBackward()
    #expect(text.text == "ab" && text.before == "a")
    text.deleteForward()
    text.insert("x\r\ny")
    #expect(text.text == "ax\ny")
    text.moveToLineStart()
    text.insert("> ")
    #expect(text.text == "ax\n> y")
    text.moveToLineEnd()
    text.insert(" two words ")
    text.deleteWord()
    #expect(text.text == "ax\n> y two ")
    text.clear()
    text.deleteBackward()
    text.deleteForward()
    text.moveLeft()
    text.moveRight()
    #expect(text.text.isEmpty)
  }

  @Test func `keeps its column when the cursor goes up and down`() {
    var text = TextBuffer("한글 노트\nab\nlonger line", isMultiline: true)
    text.moveLines(-1, columns: 40)
    #expect(text.before.hasSuffix("\nab"))
    text.moveLines(-1, columns: 40)
    #expect(text.before == "한")
    text.moveLines(-1, columns: 40)
    #expect(text.before.isEmpty)
    text.moveLines(5, columns: 40)
    #expect(text.before.hasSuffix("\n"))
    text.moveLines(1, columns: 40)
    #expect(text.after.isEmpty)
  }

  @Test func `has one line where there is to be one`() {
    var field = TextBuffer()
    #expect(field.handle(.paste("a\nb\r\nc"), columns: 10) == true)
    #expect(field.text == "a b c")
    #expect(field.handle(.enter, columns: 10) == false)
    #expect(field.handle(.up, columns: 10) == false)
  }
}
