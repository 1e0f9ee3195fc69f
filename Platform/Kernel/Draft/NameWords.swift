/// A name as the words that it is made of, so that `remote-id`, `remoteID` and `RemoteItemID` can be compared.
struct NameWords: Sendable, Equatable {
  let words: [String]

  init(_ name: String) {
    var words: [String] = []
    var word = ""
    var last: Unicode.Scalar?
    let scalars = Array(name.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isWordPart = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      let startsWord =
        scalar.properties.isUppercase
        && (last.map { !$0.properties.isUppercase } ?? true
          // The last capital of several begins the next word: `IDRow`.
          || (index + 1 < scalars.count && scalars[index + 1].properties.isLowercase))
      if !isWordPart || startsWord {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isWordPart { word += scalar.properties.lowercaseMapping }
      last = isWordPart ? scalar : nil
    }
    if !word.isEmpty { words.append(word) }
    self.words = words
  }

  private var joined: String { words.joined() }
  /// What apps add to a stored name without meaning anything else by it.
  private var core: [String] {
    let fillers: Set = ["raw", "value", "row", "is", "has", "at", "date"]
    let core = words.filter { !fillers.contains($0) }
    return core.isEmpty ? words : core
  }

  /// What apps call that by which a row is known.
  private static func isKey(_ words: [String]) -> Bool {
    let keys: Set = ["id", "uuid", "guid", "key", "identifier", "pk"]
    return words.count == 1 && keys.contains(words[0])
  }

  /// How likely two names mean the same, from 0 to 1.
  func likeness(to other: NameWords) -> Double {
    if joined == other.joined { return 1 }
    if core == other.core { return 0.9 }
    if NameWords.isKey(words), NameWords.isKey(other.words) { return 0.7 }
    let (mine, theirs) = (Set(core), Set(other.core))
    let shared = Double(mine.intersection(theirs).count)
    if shared > 0, mine.isSubset(of: theirs) || theirs.isSubset(of: mine) {
      return 0.5 + 0.3 * shared / Double(max(mine.count, theirs.count))
    }
    if NearestName.of(joined, among: [other.joined]) != nil { return 0.6 }
    return 0.5 * shared / Double(mine.union(theirs).count)
  }
}
