import FerryStore
import Foundation

/// What makes two searches the same: the text without spaces around it, in canonical form (NFC) and with its case
/// folded, so that `STRASSE` is `Straße`. Terms are compared by their bytes, so that an index finds those that begin alike.
public struct SearchTerm: Sendable, CustomStringConvertible {
  public let rawValue: String

  /// The term of a text as it was typed; nil where there is nothing but spaces in it.
  public init?(typed text: String) {
    self.init(
      folded: SearchTerm.fold(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// The term that earlier builds made of the same text: they put it in lower case, which leaves `ß` and `ss` two.
  static func former(typed text: String) -> SearchTerm? {
    SearchTerm(
      folded: text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        .lowercased().precomposedStringWithCanonicalMapping)
  }

  private init?(folded text: String) {
    guard !text.isEmpty else { return nil }
    rawValue = text
  }

  /// Unicode's case folding, for which Swift has no name: by way of the capitals, which are the same for letters
  /// that differ in case alone. But for the dotless i, whose capital is another letter's, too.
  private static func fold(_ text: String) -> String {
    var capitals = ""
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      capitals += scalar == "\u{131}" ? "\u{131}" : scalar.properties.uppercaseMapping
    }
    return capitals.lowercased().precomposedStringWithCanonicalMapping
  }

  public var description: String { rawValue }
}

extension SearchTerm {
  /// The terms that begin as a person has begun to type, spaces before it left out: `first ..< end`, where nil
  /// is no bound. A space at the end counts: whoever typed it is at the next word.
  static func range(beginning text: String) -> (first: SearchTerm, end: SearchTerm?)? {
    let start = text.drop { $0.isWhitespace }
    guard let first = SearchTerm(folded: fold(String(start))) else { return nil }
    return (first, first.successor)
  }

  /// The first term in order that doesn't begin with this one; nil where every later one does.
  private var successor: SearchTerm? {
    var scalars = Array(rawValue.unicodeScalars)
    while let last = scalars.popLast() {
      // UTF-8 orders as scalars do, which have a gap where UTF-16 has its surrogates.
      let next = last.value == 0xd7ff ? 0xe000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      scalars.append(scalar)
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      return SearchTerm(folded: String(text))
    }
    return nil
  }
}

extension SearchTerm: Hashable, Comparable {
  public static func == (left: SearchTerm, right: SearchTerm) -> Bool {
    left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
  }
  public static func < (left: SearchTerm, right: SearchTerm) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
  public func hash(into hasher: inout Hasher) { for byte in rawValue.utf8 { hasher.combine(byte) } }
}

extension SearchTerm: ColumnValue {
  public static var shape: ColumnShape { Identifier<SearchEntry>.shape }
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> SearchTerm {
    // As it is: a term that an earlier build made is not made anew.
    guard let term = SearchTerm(folded: try String.read(row, index)) else {
      throw StoreError.badValue(column: "term", expected: "a search term")
    }
    return term
  }
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try rawValue.bind(binder, index)
  }
  public var stored: StoredValue { .text(rawValue) }
  public static func value(from stored: StoredValue) -> SearchTerm? {
    guard case .text(let text) = stored else { return nil }
    return SearchTerm(folded: text)
  }
}
