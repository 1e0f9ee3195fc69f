import FerryConsole

/// A text that a person writes, and where in it they are.
struct TextBuffer: Equatable, Sendable {
  /// What stands before the cursor, and what behind it.
  private(set) var before: String
  private(set) var after = ""
  let isMultiline: Bool

  init(_ text: String = "", isMultiline: Bool = false) {
    (before, self.isMultiline) = (text, isMultiline)
  }

  var text: String { before + after }

  /// Writes at the cursor. A character that isn't complete joins the one before it.
  mutating func insert(_ new: String) {
    guard isMultiline else { return before += String(new.map { $0.isNewline ? " " : $0 }) }
    before += new.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
  }

  mutating func deleteBackward() { _ = before.popLast() }
  mutating func deleteForward() { if !after.isEmpty { after.removeFirst() } }
  mutating func clear() { (before, after) = ("", "") }

  /// Takes away the word before the cursor, and the spaces behind it.
  mutating func deleteWord() {
    while before.last?.isWhitespace == true { before.removeLast() }
    while let last = before.last, !last.isWhitespace { before.removeLast() }
  }

  mutating func moveLeft() { if let last = before.popLast() { after = String(last) + after } }
  mutating func moveRight() { if !after.isEmpty { before.append(after.removeFirst()) } }
  mutating func moveToLineStart() {
    go(to: before.lastIndex(where: \.isNewline).map(before.index(after:)) ?? before.startIndex, in: before)
  }

  mutating func moveToLineEnd() {
    let end = after.firstIndex(where: \.isNewline) ?? after.endIndex
    before += after[..<end]
    after = String(after[end...])
  }

  /// Where the cursor is in the text as it is shown in so many columns.
  func place(in wrapped: WrappedText) -> (line: Int, column: Int) {
    wrapped.place(of: wrapped.text.utf8.index(wrapped.text.startIndex, offsetBy: before.utf8.count))
  }

  /// Moves by lines as they are shown in so many columns, and keeps the column where it can.
  mutating func moveLines(_ count: Int, columns: Int) {
    let wrapped = WrappedText(text, columns: columns)
    let (line, column) = place(in: wrapped)
    let target = min(max(0, line + count), wrapped.lines.count - 1)
    let index =
      target == line
      ? (count < 0 ? wrapped.text.startIndex : wrapped.text.endIndex)
      : wrapped.index(line: target, column: column)
    (before, after) = (String(wrapped.text[..<index]), String(wrapped.text[index...]))
  }

  private mutating func go(to index: String.Index, in text: String) {
    after = text[index...] + after
    before = String(text[..<index])
  }

  /// Does what a key does to a text.
  ///
  /// - Returns: whether the key means something here.
  mutating func handle(_ key: Key, columns: Int) -> Bool {
    switch key {
    case .text(let character): insert(String(character))
    case .paste(let pasted): insert(pasted)
    case .enter where isMultiline: insert("\n")
    case .backspace: deleteBackward()
    case .delete, .control("d"): deleteForward()
    case .left, .control("b"): moveLeft()
    case .right, .control("f"): moveRight()
    case .home, .control("a"): moveToLineStart()
    case .end, .control("e"): moveToLineEnd()
    case .control("w"): deleteWord()
    case .control("u"): clear()
    case .up where isMultiline: moveLines(-1, columns: columns)
    case .down where isMultiline: moveLines(1, columns: columns)
    case .pageUp where isMultiline: moveLines(-10, columns: columns)
    case .pageDown where isMultiline: moveLines(10, columns: columns)
    default: return false
    }
    return true
  }
}
