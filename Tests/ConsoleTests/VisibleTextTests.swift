import Testing

@testable import FerryConsole

@Suite("Text from elsewhere")
struct VisibleTextTests {
  @Test(
    "can't drive the terminal",
    arguments: [
      ("plain 폴더 👨‍👩‍👧‍👦", "plain 폴더 👨‍👩‍👧‍👦"), ("a\nb", "a⏎b"), ("a\r\nb", "a␍⏎b"), ("a\tb", "a␉b"),
      ("\u{0}", "␀"), ("\u{1B}[31mred\u{7}", "␛[31mred␇"), ("\u{7F}", "␡"), ("\u{9B}2J", "\\u{9B}2J"),
      ("a\u{202E}b", "a\\u{202E}b"), ("\u{2028}", "\\u{2028}"),
    ])
  func madeVisible(text: String, shown: String) {
    #expect(visible(text) == shown)
  }

  @Test("has no control left in it, whatever scalars it has")
  func noControlLeft() {
    let all = String(String.UnicodeScalarView((0...0x2100).compactMap { Unicode.Scalar($0) }))
    #expect(visible(all).unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }

  @Test(
    "is escaped in JSON",
    arguments: [
      (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#), ("\u{0}\u{1B}\u{9B}", #""\u0000\u001b\u009b""#),
      ("폴더 🙂", "\"폴더 🙂\""), ("\u{2028}", #""\u2028""#),
    ])
  func json(text: String, literal: String) {
    #expect(jsonString(text) == literal)
  }

  @Test(
    "is grouped by thousands if a number",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func numbers(number: Int, text: String) { #expect(grouped(number) == text) }
}
