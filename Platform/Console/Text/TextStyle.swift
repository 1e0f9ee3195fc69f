/// How text stands out on a terminal, as an ANSI "select graphic rendition" code.
public enum TextStyle: Int, Sendable, CaseIterable {
  case bold = 1
  case dim = 2
  case red = 31
  case green = 32
  case yellow = 33
  case cyan = 36

  /// `text` in this style if `allowed`, else as it is. Pass a stream's
  /// ``TerminalStream/allowsEscapes``.
  public func applied(to text: String, if allowed: Bool) -> String {
    allowed && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
  }
}
