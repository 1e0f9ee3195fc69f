import FerryConsole
import Foundation

@main
struct Bench {
  /// Every job. To add one, add a value.
  static let jobs: [Job] =
    RealmJobs.all + CrossingJobs.all + StoreReadJobs.all + StoreWriteJobs.all + ObserverJobs.all

  static func main() async {
    if let name = ProcessInfo.processInfo.environment[Child.variable] { await Child.run(name) }
    await CommandLineTool(command, version: "1.0") { Failure("\($0)", code: "bench") }.runAndExit()
  }

  private static let command = Command(
    "bench", "Measure the jobs that the house has goals for, and print one table.",
    discussion: """
      Every job runs beside its baseline, turn by turn, and what counts is the median of the ratios. Jobs whose \
      files are missing are skipped.
      """,
    options: [
      .option("only", value: "PART", "Only jobs whose name has this in it."),
      .option("repetitions", value: "N", "How often each job runs.", default: "7"),
      .option("output", value: "FILE", "Where the figures go, as JSON.", default: ".build/bench.json"),
      .flag("strict", "Exit with 1 where a goal is missed."),
    ]
  ) { call in
    let repetitions = try call.integer("repetitions", in: 1...1_000) ?? 7
    #if DEBUG
      call.note("warning: this is a debug build; its figures say nothing. make bench makes a release build.")
    #endif
    var ready: [Job] = []
    for job in jobs where call.value("only").map({ job.name.contains($0) }) ?? true {
      if let missing = job.files.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
        call.note("skipped: \(job.name): \(missing) is missing.")
      } else {
        ready.append(job)
      }
    }
    let measurements: [Measurement]
    do {
      measurements = try await Measurement.of(ready, repetitions: repetitions)
    } catch {
      try StoreFolder.remove()
      throw error
    }
    try StoreFolder.remove()
    if !measurements.isEmpty { try call.print(table(measurements)) }
    if let output = call.value("output") { try write(measurements, to: output) }
    return call.flag("strict") && measurements.contains(where: \.isMissed) ? .failure : .ok
  }

  private static func table(_ measurements: [Measurement]) -> TextTable {
    var table = TextTable([
      "Job", .right("Measured"), .right("Least"), .right("Most"), .right("Goal"), "", "Unit",
    ])
    for entry in measurements {
      let numbers = [entry.value, entry.range.lowerBound, entry.range.upperBound, entry.goal]
      table.add([entry.job] + numbers.map(text) + [entry.isMissed ? "missed" : "met", entry.unit])
    }
    return table
  }

  private static func text(_ number: Double) -> String {
    String(format: number < 10 ? "%.3f" : "%.1f", number)
  }

  /// A list with an entry a figure.
  private static func write(_ measurements: [Measurement], to path: String) throws {
    let entries = measurements.map { entry in
      #"  {"job": "\#(entry.job)", "ratio": \#(text(entry.value)), "goal": \#(text(entry.goal))}"#
    }
    let list = entries.isEmpty ? "[]\n" : "[\n\(entries.joined(separator: ",\n"))\n]\n"
    let file = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(list.utf8).write(to: file)
  }
}
