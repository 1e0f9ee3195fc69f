/// What a person searches for.
///
/// What stands between spaces is a phrase, of one word or of several, and each phrase must be found in one
/// of the columns that a search looks in: letter case and diacritics don't count, nor does what punctuation is
/// between the words. Of the last word of a phrase only the beginning need be there, unless it is a character of
/// Chinese, Japanese or Korean writing, which are words of their own: so `東京` is found in `新東京駅`, `caf` in
/// `Cafés`, and `é`, `E` and `e` are the same. Nothing has a special meaning, not `"`, `*`, `-` or `NEAR`.
public struct SearchTerms: Sendable, Hashable {
  struct Phrase: Sendable, Hashable {
    let words: [String]
    /// Whether the last word may go on.
    let isOpen: Bool
  }
  let phrases: [Phrase]
  /// What stands in the text and can't be searched for: emoji and other signs that are no letters or digits.
  public let ignored: [String]
  /// How many words there are in all.
  let count: Int

  /// The most words, and characters that are words, that a search can be for.
  public static let limit = 1000

  /// Takes what a person typed apart.
  public init(_ text: String) {
    var (phrases, ignored) = ([Phrase](), [String]())
    for piece in text.split(whereSeparator: \.isWhitespace) {
      let words = SearchText.words(of: String(piece))
      guard let last = words.last else {
        ignored.append(String(piece))
        continue
      }
      let phrase = Phrase(words: words.map(\.text), isOpen: !last.isCharacter)
      if !phrases.contains(phrase) { phrases.append(phrase) }
      // More are an error, whatever they are.
      if phrases.count > SearchTerms.limit { break }
    }
    (self.phrases, self.ignored) = (phrases, ignored)
    count = phrases.reduce(0) { $0 + $1.words.count }
  }

  /// Whether there is nothing in the text that can be searched for. Such a search finds nothing.
  public var isEmpty: Bool { phrases.isEmpty }

  /// In FTS5's language. Words hold letters, digits and marks only, so none can end the quotation.
  func expression(_ account: Int64?) -> String {
    let mark = SearchText.mark(account)
    return phrases.map { phrase in
      "\"" + phrase.words.map { mark + $0 }.joined(separator: " ") + (phrase.isOpen ? "\" *" : "\"")
    }.joined(separator: " AND ")
  }
}

extension SearchTerms {
  /// Whether each phrase is in one of the texts.
  func match(_ texts: [String]) -> Bool {
    let texts = texts.map(SearchText.words)
    return !isEmpty && phrases.allSatisfy { phrase in texts.contains { phrase.places(in: $0).first != nil } }
  }

  /// Where in a text phrases stand, in the text's order and none overlapping.
  public func ranges(in text: String) -> [Range<String.Index>] {
    let words = SearchText.words(of: text)
    var found: [Range<String.Index>] = []
    for place in phrases.flatMap({ $0.places(in: words) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      let range = words[place.lowerBound].range.lowerBound..<words[place.upperBound - 1].range.upperBound
      if let last = found.last, last.upperBound > range.lowerBound {
        found[found.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        found.append(range)
      }
    }
    return found
  }
}

extension SearchTerms.Phrase {
  func places(in text: [SearchText.Word]) -> [Range<Int>] {
    guard text.count >= words.count else { return [] }
    return (0...text.count - words.count).compactMap { start in
      let isThere = words.indices.allSatisfy { index in
        let (word, found) = (words[index].utf8, text[start + index].text.utf8)
        return isOpen && index == words.count - 1 ? found.starts(with: word) : found.elementsEqual(word)
      }
      return isThere ? start..<start + words.count : nil
    }
  }
}
