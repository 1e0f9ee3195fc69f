import Foundation

/// A text taken apart into the words that a search index holds: one idea for what is indexed, what is searched
/// for, and where in a record's own text it was found.
///
/// - A character of Chinese, Japanese or Korean writing (Han, Hiragana, Katakana, Hangul) is a word of its own, so
///   that several in a row are found wherever they stand. The text is brought to NFC for that.
/// - Otherwise letters and digits in a row are a word, without regard to case and to diacritics (U+0300 to
///   U+036F, also inside composed letters).
///   Of a word that is longer than 200 letters the rest isn't looked at.
/// - Everything else, punctuation and emoji among it, parts words and can't be searched for.
enum SearchText {
  struct Word: Equatable {
    /// As the index has it.
    let text: String
    /// Of CJK writing: found only as a whole, which it is.
    let isCharacter: Bool
    /// Where it stands in the text.
    var range: Range<String.Index>
  }

  private static let longest = 200

  static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var run: [Unicode.Scalar] = []
    var runRange: Range<String.Index>?
    func endRun() {
      guard let range = runRange else { return }
      if !run.isEmpty {
        let text = String(String.UnicodeScalarView(run))
        words.append(Word(text: text, isCharacter: false, range: range))
      }
      run = []
      runRange = nil
    }
    func extendRun(_ range: Range<String.Index>, _ scalars: [Unicode.Scalar]) {
      if run.count < longest { run += scalars }
      runRange = (runRange?.lowerBound ?? range.lowerBound)..<range.upperBound
    }
    var at = text.startIndex
    while at < text.endIndex {
      // No canonical composition reaches beyond what Swift takes as one character.
      let next = text.index(after: at)
      let range = at..<next
      for scalar in scalars(of: text[range]) {
        switch Kind(scalar) {
        case .character:
          endRun()
          words.append(Word(text: String(scalar), isCharacter: true, range: range))
        case .letter:
          extendRun(range, Folding.of(scalar))
        case .mark:
          // A mark belongs to the letter before it; without one it is nothing.
          if runRange != nil { extendRun(range, Folding.isDiacritic(scalar) ? [] : [scalar]) }
        case .ignored: break
        case .separator: endRun()
        }
      }
      at = next
    }
    endRun()
    return words
  }

  private static func scalars(of character: Substring) -> String.UnicodeScalarView {
    let scalars = character.unicodeScalars
    if let first = scalars.first, scalars.index(after: scalars.startIndex) == scalars.endIndex {
      switch first.value {
      // Their own canonical composition.
      case 0..<0x300, 0x3041...0x9fff, 0xac00...0xd7a3: return String.UnicodeScalarView(scalars)
      default: break
      }
    }
    return String(character).precomposedStringWithCanonicalMapping.unicodeScalars
  }

  private enum Kind {
    case letter, mark, character, ignored, separator

    init(_ scalar: Unicode.Scalar) {
      let properties = scalar.properties
      if scalar.value < 0x80 {
        self = properties.isAlphabetic || (0x30...0x39).contains(scalar.value) ? .letter : .separator
        return
      }
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .decimalNumber, .letterNumber, .otherNumber:
        self =
          properties.isDefaultIgnorableCodePoint ? .ignored : Kind.isCJK(scalar.value) ? .character : .letter
      case .privateUse: self = .letter
      case .nonspacingMark, .spacingMark, .enclosingMark:
        self = properties.isDefaultIgnorableCodePoint ? .ignored : .mark
      // Joiners and soft hyphens stand inside words.
      default: self = properties.isDefaultIgnorableCodePoint ? .ignored : .separator
      }
    }

    private static func isCJK(_ value: UInt32) -> Bool {
      switch value {
      case 0x3005, 0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x3038...0x303c, 0x3400...0x4dbf,
        0x4e00...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff:  // Han
        true
      case 0x3041...0x30ff, 0x31f0...0x31ff, 0xff66...0xff9f, 0x1aff0...0x1b16f:  // Hiragana, Katakana
        true
      case 0x1100...0x11ff, 0x3131...0x318e, 0xa960...0xa97f, 0xac00...0xd7ff, 0xffa0...0xffdc:  // Hangul
        true
      default: false
      }
    }
  }
}

/// A letter without its case and its diacritics.
private enum Folding {
  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    scalar.value < common.count ? common[Int(scalar.value)] : fold(scalar)
  }

  static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36f).contains(scalar.value) }

  /// Latin, Greek and Cyrillic, worked out once.
  private static let common = (0..<0x530).map { Unicode.Scalar($0).map(fold) ?? [] }

  private static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isDiacritic($0) }
      // To capitals and back: letters that differ in small and not in capitals are one, such as the two sigmas.
      .flatMap { $0.properties.uppercaseMapping.unicodeScalars }
      .flatMap { $0.properties.lowercaseMapping.unicodeScalars }
      .filter { !isDiacritic($0) }
  }
}

extension SearchText {
  /// What the index is given for the texts of one column. Each word has the account in front, so that a search
  /// reads nothing but the account's own words, however many others there are.
  static func indexed(_ texts: [String], account: Int64?) -> String {
    let mark = mark(account)
    return texts.map { text in words(of: text).map { mark + $0.text }.joined(separator: " ") }
      // Without an account no word of a search is this, so no phrase goes on from one text to the next.
      .joined(separator: " \(boundary) ")
  }

  static func mark(_ account: Int64?) -> String { "\(account ?? 0)\(boundary)" }

  /// For private use, and so to FTS5 a letter like others; what comes after the first one in a word is a text's.
  private static let boundary = "\u{e000}"
}
