/// A record that a search found.
public struct SearchHit<R: Record>: Sendable {
  /// What was found.
  public let record: R
  /// The texts in which something of the search stands, in the order of the search index's columns.
  public let matches: [SearchMatch]

  /// - Throws: `StoreError.notEncodable` for a record that was in no store.
  init(_ record: R, _ terms: SearchTerms) throws {
    self.record = record
    let table = R.table
    guard let search = table.declaration.sides.search else {
      throw StoreError.notSearchable(table: table.name)
    }
    let texts = try search.texts { index throws(StoreError) in try table.storedOf[index](record) }
    matches = zip(search.columns, texts).flatMap { column, texts in
      texts.enumerated().compactMap { place, text in
        let ranges = terms.ranges(in: text)
        guard !ranges.isEmpty else { return nil }
        return SearchMatch(
          column: column.name, member: column.member == nil ? nil : place, text: text, ranges: ranges)
      }
    }
  }
}

extension SearchHit: Equatable where R: Equatable {}

/// A text of a record in which something that was searched for stands.
public struct SearchMatch: Sendable, Equatable {
  /// The column's name in the schema.
  public let column: String
  /// Of a list: which member it is (of those that aren't nil), counted from 0.
  public let member: Int?
  /// The text, as it is stored.
  public let text: String
  /// Where in `text` it stands, in the text's order; they don't overlap.
  public let ranges: [Range<String.Index>]

  /// A piece of the text around the first match.
  ///
  /// - Parameter length: how many characters it may have; a match that is longer is cut.
  public func excerpt(length: Int = 80) -> Excerpt {
    let length = Swift.max(0, length)
    guard let first = ranges.first, text.count > length else {
      return Excerpt(text: text, ranges: ranges, isCutAtStart: false, isCutAtEnd: false)
    }
    let room = Swift.max(0, length - text[first].count)
    var start =
      text.index(first.lowerBound, offsetBy: -room / 3, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(start, offsetBy: length, limitedBy: text.endIndex) ?? text.endIndex
    // What isn't needed after the match is of use before it.
    let unused = length - text[start..<end].count
    start = text.index(start, offsetBy: -unused, limitedBy: text.startIndex) ?? text.startIndex
    let piece = String(text[start..<end])
    func place(_ index: String.Index) -> String.Index {
      piece.index(piece.startIndex, offsetBy: text[start..<index].count)
    }
    let inside = ranges.compactMap { range -> Range<String.Index>? in
      let range = range.clamped(to: start..<end)
      return range.isEmpty ? nil : place(range.lowerBound)..<place(range.upperBound)
    }
    return Excerpt(
      text: piece, ranges: inside, isCutAtStart: start > text.startIndex, isCutAtEnd: end < text.endIndex)
  }

  /// A piece of a text.
  public struct Excerpt: Sendable, Equatable {
    /// The piece itself.
    public let text: String
    /// Where in this piece the matches stand.
    public let ranges: [Range<String.Index>]
    /// Whether the text begins before the piece.
    public let isCutAtStart: Bool
    /// Whether the text goes on after it.
    public let isCutAtEnd: Bool
  }
}
