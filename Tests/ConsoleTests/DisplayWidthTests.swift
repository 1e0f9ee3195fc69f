import FerryConsole
import Testing

@Suite("Display width")
struct DisplayWidthTests {
  @Test(
    "counts terminal columns",
    arguments: [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("ñandú", 5),
      ("폴더", 4), ("\u{1111}\u{1169}\u{11AF}\u{1103}\u{1165}", 4),  // "폴더" in NFC and NFD
      ("ㅋㅋ", 4), ("\u{1161}", 0), ("한글 abc", 8),
      ("漢字", 4), ("ひらがな", 8), ("カタカナ", 8), ("ｶﾅ", 2), ("Ａ", 2), ("、", 2), ("𠀀", 2),
      ("🙂", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇰🇷", 2), ("🇰🇷🇫🇷", 4), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2),
      ("🫠", 2), ("☺", 1), ("☺️", 2), ("⌚", 2),
      ("a\u{200B}b", 2), ("\u{FEFF}a", 1), ("שלום", 4), ("ไทย", 3), ("กำ", 2), ("नि", 2),
      ("…", 1), ("→", 1), ("⏎", 1), ("␀", 1), ("\u{0}\u{1B}\n", 0),
    ])
  func columns(text: String, width: Int) {
    #expect(displayWidth(of: text) == width)
  }

  @Test("is the same for all Hangul whether composed or not")
  func hangulForms() {
    for value in stride(from: UInt32(0xAC00), through: 0xD7A3, by: 97) {
      let syllable = Character(Unicode.Scalar(value)!)
      #expect(displayWidth(of: syllable) == 2)
      let index = value - 0xAC00
      var jamo = String.UnicodeScalarView()
      jamo.append(Unicode.Scalar(0x1100 + index / 588)!)
      jamo.append(Unicode.Scalar(0x1161 + index % 588 / 28)!)
      if index % 28 > 0 { jamo.append(Unicode.Scalar(0x11A7 + index % 28)!) }
      #expect(displayWidth(of: String(jamo)) == 2)
    }
  }

  @Test(
    "is what truncation keeps to, without splitting a character",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
      ("폴더이름", 8, "폴더이름"), ("폴더이름", 7, "폴더이…"), ("폴더이름", 6, "폴더…"), ("a👨‍👩‍👧‍👦b", 3, "a…"),
      ("a👨‍👩‍👧‍👦b", 4, "a👨‍👩‍👧‍👦b"),
    ])
  func truncation(text: String, columns: Int, kept: String) {
    #expect(truncated(text, to: columns) == kept)
  }
}
