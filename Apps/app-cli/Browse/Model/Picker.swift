import FerryConsole

/// A list of choices over the screen.
struct Picker<Choice: Equatable>: Equatable {
  struct Line: Equatable {
    let text: String
    let choice: Choice
    /// What it is now.
    var isCurrent = false
  }

  let title: String
  let lines: [Line]
  var cursor: Int

  init(_ title: String, _ lines: [Line]) {
    (self.title, self.lines) = (title, lines)
    cursor = lines.firstIndex(where: \.isCurrent) ?? 0
  }

  enum Step: Equatable {
    case goOn
    case chose(Choice)
    case leave
  }

  mutating func handle(_ key: Key) -> Step {
    switch key {
    case .up, .text("k"), .backTab: cursor = max(0, cursor - 1)
    case .down, .text("j"), .tab: cursor = max(0, min(lines.count - 1, cursor + 1))
    case .home, .text("g"): cursor = 0
    case .end, .text("G"): cursor = max(0, lines.count - 1)
    case .enter, .right, .text("l"):
      guard lines.indices.contains(cursor) else { return .leave }
      return .chose(lines[cursor].choice)
    case .escape, .left, .text("h"), .text("q"), .control("c"): return .leave
    case .text(let digit):
      guard let number = digit.wholeNumberValue, lines.indices.contains(number - 1) else { return .goOn }
      return .chose(lines[number - 1].choice)
    default: break
    }
    return .goOn
  }
}
