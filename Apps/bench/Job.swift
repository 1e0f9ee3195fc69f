/// What is measured against what, and the figures that come of it.
struct Job: Sendable {
  let name: String
  let work: Work
  /// What the figures of `work` are ratios to; each runs beside it, turn by turn.
  var baselines: [Work] = []
  /// Files without which the job is skipped.
  var files: [String] = []
  /// How often it runs in each repetition: more often where it is short.
  var turns = 1
  let figures: [Figure]
}

/// Something that takes time.
enum Work: Sendable {
  /// Another program; what it prints is thrown away.
  case program([String])
  /// Swift code in a process of its own, so that its memory is its own too; what it prints is thrown away.
  case process(@Sendable () throws -> Void)
  /// Code in this process.
  case here(prepare: @Sendable () async throws -> Run)
  /// Code that measures by itself.
  case gauge(@Sendable () async throws -> Double)

  static func here(_ body: @escaping @Sendable () throws -> Void) -> Work {
    .here(prepare: { Run(body: body) })
  }
}

/// A work that was made ready.
struct Run: Sendable {
  /// What is measured.
  let body: @Sendable () async throws -> Void
  /// What is left to do, outside the measure.
  var finish: @Sendable () async throws -> Void = {}
}

/// One number of a job, which should be no greater than its goal.
struct Figure: Sendable {
  /// What it is beside the job's name; nil where that says it.
  let name: String?
  let unit: String
  let goal: Double
  let value: @Sendable (_ work: Cost, _ baselines: [Cost]) throws -> Double

  /// The CPU time of the work over that of a baseline.
  static func cpu(_ name: String? = nil, to baseline: Int = 0, goal: Double) -> Figure {
    Figure(name: name, unit: "× CPU of the baseline", goal: goal) { $0.cpu / $1[baseline].cpu }
  }

  /// The time by the clock.
  static func wall(_ name: String? = nil, to baseline: Int = 0, goal: Double) -> Figure {
    Figure(name: name, unit: "× time of the baseline", goal: goal) { $0.wall / $1[baseline].wall }
  }

  /// What the work measured by itself over what the baseline did.
  static func gauge(_ name: String? = nil, to baseline: Int, goal: Double) -> Figure {
    Figure(name: name, unit: "× that of the baseline", goal: goal) { $0.value / $1[baseline].value }
  }

  /// What the work measured by itself.
  static func gauge(_ name: String? = nil, in unit: String, goal: Double) -> Figure {
    Figure(name: name, unit: unit, goal: goal) { work, _ in work.value }
  }

  /// The work's peak memory in MB, beyond the size of a file. Only for a `process` or a `program`.
  static func memory(beyond file: String, goal: Double) -> Figure {
    Figure(name: "memory", unit: "MB beyond the file", goal: goal) { work, _ in
      Double(work.peak - (try size(of: file))) / 1_000_000
    }
  }
}
