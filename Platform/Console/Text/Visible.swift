// Names and titles come from people and servers. Written as they are, an ESC in a folder's
// name would move the cursor, recolour the screen or rename the window, and a bidirectional
// override would make a row read otherwise than it is.

/// `text` with everything that could drive a terminal replaced by something to look at:
/// "\n" becomes ⏎, NUL ␀, ESC ␛, DEL ␡, and C1 controls, separators and bidirectional
/// controls their code point as in `\u{202E}`. All else is unchanged, emoji joiners included.
public func visible(_ text: some StringProtocol) -> String {
  guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    if isUnsafe(scalar) {
      result.append(contentsOf: picture(of: scalar).unicodeScalars)
    } else {
      result.append(scalar)
    }
  }
  return String(result)
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
  case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // Bidirectional controls
  case 0x2028...0x2029: true  // Line and paragraph separators
  default: false
  }
}

private func picture(of scalar: Unicode.Scalar) -> String {
  switch scalar.value {
  case 0x0A: return "⏎"
  case 0x7F: return "␡"
  case 0x00...0x1F:
    // U+2400… are the pictures of the C0 controls, in their order.
    return Unicode.Scalar(0x2400 + scalar.value).map { String(Character($0)) } ?? "\u{FFFD}"
  default: return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
  }
}
