import FerryConsole

/// A piece of HTML. Text becomes one only escaped, so that no row of somebody's data is ever taken for markup.
struct HTML: ExpressibleByStringInterpolation {
  let text: String

  /// Markup that is written here, in the source.
  init(stringLiteral markup: String) { text = markup }
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }
  init(_ pieces: [HTML]) { text = pieces.map(\.text).joined() }

  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {}
    mutating func appendLiteral(_ markup: String) { text += markup }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ pieces: [HTML]) { for piece in pieces { text += piece.text } }
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    /// Text of somebody else's.
    mutating func appendInterpolation(_ content: String) {
      for character in visible(content).unicodeScalars {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        default: text.unicodeScalars.append(character)
        }
      }
    }
  }
}
