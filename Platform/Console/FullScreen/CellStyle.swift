/// How a cell of a terminal's screen looks.
public struct CellStyle: Sendable, Hashable {
  /// One of the eight colours that every terminal has, as its person has set them.
  public enum Colour: Int, Sendable, Hashable, CaseIterable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case grey = 60
    case brightWhite = 67
  }

  public var foreground: Colour?
  public var background: Colour?
  public var isBold = false
  public var isDim = false
  public var isUnderlined = false
  public var isReversed = false

  /// The terminal's own colours.
  public static let plain = CellStyle()
  public static let bold = CellStyle(bold: true)
  public static let dim = CellStyle(dim: true)
  public static let reversed = CellStyle(reversed: true)

  public init(
    _ foreground: Colour? = nil, on background: Colour? = nil, bold: Bool = false, dim: Bool = false,
    underlined: Bool = false, reversed: Bool = false
  ) {
    (self.foreground, self.background) = (foreground, background)
    (isBold, isDim, isUnderlined, isReversed) = (bold, dim, underlined, reversed)
  }

  /// The sequence that sets this style, whatever was set before (ECMA-48, "select graphic rendition").
  func code(hasColour: Bool) -> String {
    var codes = ["0"]
    if isBold { codes.append("1") }
    if isDim { codes.append("2") }
    if isUnderlined { codes.append("4") }
    if isReversed { codes.append("7") }
    if hasColour {
      if let foreground { codes.append("\(30 + foreground.rawValue)") }
      if let background { codes.append("\(40 + background.rawValue)") }
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}
