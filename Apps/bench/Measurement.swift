/// A figure as it was measured.
struct Measurement {
  let job: String
  let value: Double
  let goal: Double
  /// How far the repetitions lie apart: the smallest and the largest value.
  let range: ClosedRange<Double>
  let unit: String

  var isMissed: Bool { value > goal }

  private typealias Turn = (work: Cost, baselines: [Cost])

  /// Runs the jobs one after the other, again and again, each beside its baselines, and takes medians: what slows
  /// the machine for a while slows all that is compared.
  static func of(_ jobs: [Job], repetitions: Int) async throws -> [Measurement] {
    var turns = jobs.map { _ in [Turn]() }
    for _ in 0..<repetitions {
      for (index, job) in jobs.enumerated() {
        for _ in 0..<job.turns { turns[index].append(try await turn(of: job, number: turns[index].count)) }
      }
    }
    return try zip(jobs, turns).flatMap { job, turns in
      try job.figures.map { figure in try Measurement(job, figure, turns) }
    }
  }

  /// Runs the work and its baselines once each. None always finds the machine as the same other one left it.
  private static func turn(of job: Job, number: Int) async throws -> Turn {
    let works = [job.work] + job.baselines
    var costs: [(index: Int, cost: Cost)] = []
    for step in works.indices {
      let index = number % 2 == 0 ? (number / 2 + step) % works.count : works.count - 1 - step
      costs.append((index, try await Cost.of(works[index], job: job.name)))
    }
    let sorted = costs.sorted { $0.index < $1.index }.map(\.cost)
    return (sorted[0], Array(sorted.dropFirst()))
  }

  private init(_ job: Job, _ figure: Figure, _ turns: [Turn]) throws {
    let sorted = try turns.map { try figure.value($0.work, $0.baselines) }.sorted()
    self.job = figure.name.map { "\(job.name), \($0)" } ?? job.name
    value = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    range = sorted[0]...sorted[sorted.count - 1]
    goal = figure.goal
    unit = figure.unit
  }
}
