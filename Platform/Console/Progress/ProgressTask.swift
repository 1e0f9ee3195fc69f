/// One task's counts, and how they read.
struct ProgressTask: Sendable {
  let label: String
  private(set) var done: Int
  private(set) var total: Int?
  private let firstDone: Int
  let startedAt: Duration

  init(label: String, done: Int, total: Int?, at time: Duration) {
    self.label = visible(label)
    self.done = max(0, done)
    self.total = total.map { max(0, $0) }
    firstDone = self.done
    startedAt = time
  }

  mutating func update(done: Int, total: Int?) {
    self.done = max(0, done)
    self.total = total.map { max(0, $0) } ?? self.total
  }

  /// `folder  1,234 of 5,000  24%  830/s  5 s left`
  func line(at time: Duration) -> String {
    ([label, counts] + [percent, rate(at: time), left(at: time)].compactMap { $0 }).joined(separator: "  ")
  }

  /// The same with a bar, no wider than `columns`; what is left goes first where that is too few.
  func bar(at time: Duration, columns: Int) -> String {
    guard let fraction else { return truncated(line(at: time), to: columns) }
    let width = 20
    let filled = Int(fraction * Double(width))
    let bar =
      "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
    let parts = [label, bar, counts] + [percent, rate(at: time)].compactMap { $0 }
    let text = parts.joined(separator: "  ")
    let whole = left(at: time).map { "\(text)  \($0)" } ?? text
    return truncated(displayWidth(of: whole) <= columns ? whole : text, to: columns)
  }

  /// `folder  5,000 of 5,000 in 6.0 s`
  func closingLine(at time: Duration) -> String {
    let tenths = Int(((time - startedAt) / .milliseconds(100)).rounded())
    return "\(label)  \(counts) in \(grouped(tenths / 10)).\(tenths % 10) s"
  }

  private var counts: String {
    total.map { "\(grouped(done)) of \(grouped($0))" } ?? grouped(done)
  }

  private var fraction: Double? {
    total.map { $0 == 0 ? 1 : min(1, Double(done) / Double($0)) }
  }

  /// Rounded down: 100% is said of what is done, and of nothing else.
  private var percent: String? { fraction.map { "\(Int($0 * 100))%" } }

  private func rate(at time: Duration) -> String? {
    perSecond(at: time).map { "\(grouped(Int($0.rounded())))/s" }
  }

  /// How long the rest takes at the rate so far, rounded up: `45 s left`, `12 min left`, `3 h left`.
  private func left(at time: Duration) -> String? {
    guard let total, done < total, let perSecond = perSecond(at: time) else { return nil }
    let seconds = Double(total - done) / perSecond
    switch seconds {
    case ...90: return "\(Int(seconds.rounded(.up))) s left"
    case ...5400: return "\(Int((seconds / 60).rounded(.up))) min left"
    case ...360_000: return "\(Int((seconds / 3600).rounded(.up))) h left"
    default: return nil  // Nobody waits for that; the rate says enough.
    }
  }

  /// nil where nothing has been done yet, or more than can be believed.
  private func perSecond(at time: Duration) -> Double? {
    let seconds = (time - startedAt) / .seconds(1)
    guard seconds > 0, done > firstDone else { return nil }
    let rate = Double(done - firstDone) / seconds
    return rate < 1_000_000_000 ? rate : nil
  }
}
