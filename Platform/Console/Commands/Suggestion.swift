/// "Did you mean 'migrate'?", if one of `candidates` is close enough to `word`.
func suggestion(for word: String, among candidates: [String], prefix: String = "") -> String? {
  let limit = max(1, word.count / 3)
  let closest =
    candidates
    .map { (name: $0, distance: editDistance(word, $0)) }
    .filter { $0.distance <= limit || (word.count >= 3 && $0.name.hasPrefix(word)) }
    .min { $0.distance < $1.distance }
  return closest.map { "Did you mean '\(prefix)\($0.name)'?" }
}

extension CommandPath {
  /// What was meant by an unknown option: another one, or one of a command further down whose
  /// name must come first.
  func suggestion(forOption name: String) -> String? {
    if let owner = firstCommand(withOption: name) { return "Say it after '\(owner.name)'." }
    return FerryConsole.suggestion(for: name, among: allOptions.map(\.name), prefix: "--")
  }

  private func firstCommand(withOption name: String) -> CommandPath? {
    for command in last.listedSubcommands {
      let child = appending(command)
      if child.option(named: name) != nil { return child }
      if let found = child.firstCommand(withOption: name) { return found }
    }
    return nil
  }
}

/// How many insertions, deletions, replacements and swaps of neighbours turn one word into
/// the other (optimal string alignment).
func editDistance(_ first: String, _ second: String) -> Int {
  let (rows, columns) = (Array(first), Array(second))
  var beforePrevious: [Int] = []
  var previous = Array(0...columns.count)
  for row in rows.indices {
    var current = [row + 1]
    for column in columns.indices {
      let replacement = previous[column] + (rows[row] == columns[column] ? 0 : 1)
      var best = min(replacement, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, rows[row] == columns[column - 1], rows[row - 1] == columns[column] {
        best = min(best, beforePrevious[column - 1] + 1)
      }
      current.append(best)
    }
    (beforePrevious, previous) = (previous, current)
  }
  return previous[columns.count]
}
