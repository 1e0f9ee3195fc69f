/// Finds the name that somebody most likely meant.
enum NearestName {
  /// The candidate within two slips of the pen (one for names of up to three letters), or `nil`.
  static func of(_ name: String, among candidates: [String]) -> String? {
    let written = Array(name.unicodeScalars)
    guard written.count <= 64 else { return nil }
    let bound = written.count <= 3 ? 1 : 2
    var best: (name: String, slips: Int)?
    for candidate in candidates {
      let slips = distance(written, Array(candidate.unicodeScalars))
      if slips <= bound, slips < best?.slips ?? .max { best = (candidate, slips) }
    }
    return best?.name
  }

  /// `; did you mean 'strategy'?` for the end of a message, or nothing.
  static func hint(for name: String, among candidates: [String]) -> String {
    of(name, among: candidates).map { "; did you mean \(QuotedText($0))?" } ?? ""
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn one name into the other.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for (row, leftScalar) in left.enumerated() {
      var current = [row + 1]
      for (column, rightScalar) in right.enumerated() {
        var cost = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (leftScalar == rightScalar ? 0 : 1))
        if row > 0, column > 0, leftScalar == right[column - 1], left[row - 1] == rightScalar {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
