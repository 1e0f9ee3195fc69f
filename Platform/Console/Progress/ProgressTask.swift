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

  /// `folder  1,234 of 5,000  24%  830/s`
  func line(at time: Duration) -> String {
    ([label, counts] + [percent, rate(at: time)].compactMap { $0 }).joined(separator: "  ")
  }

  /// The same with a bar, no wider than `columns`.
  func bar(at time: Duration, columns: Int) -> String {
    guard let fraction else { return truncated(line(at: time), to: columns) }
    let width = 20
    let filled = Int(fraction * Double(width))
    let bar =
      "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
    let parts = [label, bar, counts] + [percent, rate(at: time)].compactMap { $0 }
    return truncated(parts.joined(separator: "  "), to: columns)
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
    let seconds = (time - startedAt) / .seconds(1)
    guard seconds > 0, done > firstDone else { return nil }
    let perSecond = Double(done - firstDone) / seconds
    return perSecond < 1_000_000_000 ? "\(grouped(Int(perSecond.rounded())))/s" : nil
  }
}
