import Foundation

/// A figure as it was measured.
struct Measurement {
  let job: String
  let value: Double
  let goal: Double
  /// How far the repetitions lie apart: the smallest and the largest value.
  let range: ClosedRange<Double>
  let unit: String

  var isMissed: Bool { value > goal }

  /// Runs the jobs one after the other, again and again, each beside its baseline, and takes medians: what slows
  /// the machine for a while slows both of a pair.
  static func of(_ jobs: [Job], repetitions: Int) throws -> [Measurement] {
    var pairs = jobs.map { _ in [(work: Cost, baseline: Cost)]() }
    for repetition in 0..<repetitions {
      for (index, job) in jobs.enumerated() {
        // Neither always finds the file in memory because of the other.
        if repetition % 2 == 0 {
          let baseline = try Cost.of(job.baseline, job: job.name)
          pairs[index].append((try Cost.of(job.work, job: job.name), baseline))
        } else {
          let work = try Cost.of(job.work, job: job.name)
          pairs[index].append((work, try Cost.of(job.baseline, job: job.name)))
        }
      }
    }
    return try zip(jobs, pairs).flatMap { job, pairs in
      try job.figures.map { figure in try Measurement(job, figure, pairs) }
    }
  }

  private init(_ job: Job, _ figure: Figure, _ pairs: [(work: Cost, baseline: Cost)]) throws {
    let values: [Double]
    switch figure.kind {
    case .cpu:
      (self.job, unit) = (job.name, "× CPU of the baseline")
      values = pairs.map { $0.work.cpu / $0.baseline.cpu }
    case .memory(let file):
      (self.job, unit) = (job.name + ", memory", "MB beyond the file")
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
      values = pairs.map { Double($0.work.peak - size) / 1_000_000 }
    }
    let sorted = values.sorted()
    value = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    range = sorted[0]...sorted[sorted.count - 1]
    goal = figure.goal
  }
}
