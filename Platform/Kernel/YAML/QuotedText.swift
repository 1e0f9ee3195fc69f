/// A stranger's text made fit for a message: in single quotes, on one line, of bounded length, and with
/// control characters spelt out, so that a file can't steer the terminal that shows its fault.
struct QuotedText: CustomStringConvertible {
  let text: String
  let longest: Int

  init(_ text: String, longest: Int = 60) {
    self.text = text
    self.longest = longest
  }

  var description: String {
    var shown = "'"
    var length = 0
    for scalar in text.unicodeScalars {
      guard length < longest else {
        shown += "…"
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default:
        shown.unicodeScalars.append(scalar)
      }
      length += 1
    }
    return shown + "'"
  }
}
