import FerryConsole
import Foundation
import TestKit

/// Measures a pull and a push beside curl, which speaks to the same server and throws the answers away: what is
/// above 1 is ours, the rest is the server's.
@main
struct BenchSync {
  static func main() async {
    await CommandLineTool(command, version: "1.0") { Failure("\($0)", code: "bench-sync") }.runAndExit()
  }

  private static let command = Command(
    "bench-sync", "Measure a pull and a push against Kinto on PostgreSQL, beside curl.",
    discussion: """
      It starts a server of its own, and lets the engine pull everything into an empty store, and push what waits in \
      another one. Engine and curl take turns, and what counts is the median of the ratios of \
      wall time: while one waits for the server, so does the other.
      """,
    options: [
      .option("repetitions", value: "N", "How often each runs.", default: "5"),
      .option("records", value: "N", "Records to pull.", default: "100000"),
      .option("edits", value: "N", "Records to push.", default: "1000"),
      .option("page", value: "N", "Records a page.", default: "1000"),
      .flag("strict", "Exit with 1 where a goal is missed."),
    ]
  ) { call in
    #if DEBUG
      call.note(
        "warning: this is a debug build; its figures say nothing. make bench-sync makes a release build.")
    #endif
    let lab = try await Lab(records: try call.integer("records", in: 1...1_000_000) ?? 100_000)
    let repetitions = try call.integer("repetitions", in: 1...100) ?? 5
    var pull = Ratio("pull", goal: 1.15)
    var push = Ratio("push", goal: 1.15)
    let page = try call.integer("page", in: 1...10_000) ?? 1000
    let edits = try call.integer("edits", in: 1...100_000) ?? 1000
    let addresses = try await lab.addresses(page: page)
    // What a pull holds doesn't depend on how much there is to pull: ten times as much holds no more.
    for _ in 0..<2 { try await lab.pullTenth(page: page) }
    let (held, peak) = (Memory.resident, Memory.peak)
    var idle: [Double] = []
    for number in 0..<repetitions {
      let device = try await lab.newDevice()
      try await pull.add(
        isFirst: number % 2 == 0, baseline: { try lab.curl(addresses) },
        ours: { idle.append(try await lab.pull(into: device, page: page) / .seconds(1)) })
      await device.restart()
    }
    let growth = [Memory.resident - held, Memory.peak - peak].map { Double($0) / 1_000_000 }
    for number in 0..<repetitions {
      let bodies = try lab.bodies(edits: edits, run: "c\(number)")
      let device = try await lab.editedDevice(edits: edits, run: "f\(number)")
      try await push.add(
        isFirst: number % 2 == 0, baseline: { try lab.curl(posting: bodies) },
        ours: { try await lab.push(from: device, edits: edits) })
      await device.restart()
    }
    var table = TextTable(["Job", .right("Ratio"), .right("Goal"), "", .right("Ours, s"), .right("curl, s")])
    for ratio in [pull, push] { table.add(ratio.row) }
    try call.print(table)
    call.note(
      "For \(String(format: "%.2f", Ratio.median(idle))) s of a pull nothing was asked of the server.")
    call.note(
      String(
        format: "Beside pulls of a tenth: %.1f MB more at the most, %.1f MB more in the end.", growth[1],
        growth[0]))
    return call.flag("strict") && (pull.isMissed || push.isMissed) ? .failure : .ok
  }
}

/// Wall times of a work and its baseline, turn by turn.
struct Ratio {
  private let name: String
  private let goal: Double
  private var pairs: [(ours: Double, baseline: Double)] = []

  init(_ name: String, goal: Double) { (self.name, self.goal) = (name, goal) }

  mutating func add(isFirst: Bool, baseline: () throws -> Void, ours: () async throws -> Void) async throws {
    let clock = ContinuousClock()
    var times = (ours: Duration.zero, baseline: Duration.zero)
    if isFirst { times.baseline = try clock.measure(baseline) }
    let start = clock.now
    try await ours()
    times.ours = clock.now - start
    if !isFirst { times.baseline = try clock.measure(baseline) }
    pairs.append((times.ours / .seconds(1), times.baseline / .seconds(1)))
  }

  private var value: Double { Ratio.median(pairs.map { $0.ours / $0.baseline }) }
  var isMissed: Bool { value > goal }

  var row: [String] {
    [name, text(value), text(goal), isMissed ? "missed" : "met"]
      + [text(Ratio.median(pairs.map(\.ours))), text(Ratio.median(pairs.map(\.baseline)))]
  }

  private func text(_ number: Double) -> String { String(format: "%.2f", number) }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}
