// Cutting, padding and wrapping by columns, not by characters.

/// `text` cut to at most `columns` terminal columns, with "…" as its last when something was
/// cut. Never splits a character: a wide one that half fits is left out.
public func truncated(_ text: String, to columns: Int) -> String {
  guard columns > 0 else { return "" }
  // A scalar is never more than two columns, so short text needs no measuring.
  guard text.utf8.count > columns, displayWidth(of: text) > columns else { return text }
  var kept = ""
  var used = 0
  for character in text {
    let width = displayWidth(of: character)
    if used + width > columns - 1 { break }
    kept.append(character)
    used += width
  }
  return kept + "…"
}

/// `text` with spaces before or after it up to `columns`; unchanged if it is wider.
func padded(_ text: String, to columns: Int, _ alignment: TextTable.Alignment) -> String {
  let spaces = String(repeating: " ", count: max(0, columns - displayWidth(of: text)))
  switch alignment {
  case .left: return text + spaces
  case .right: return spaces + text
  }
}

/// The lines of `text` broken at spaces so that none is wider than `columns`, except for a
/// word that is wider by itself. Line breaks in `text` stay.
func wrapped(_ text: String, to columns: Int) -> [String] {
  text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if line.isEmpty {
        line = String(word)
      } else if displayWidth(of: line) + 1 + displayWidth(of: word) <= columns {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}
