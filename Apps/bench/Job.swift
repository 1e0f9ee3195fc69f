/// What is measured against what, and the figures that come of it.
struct Job: Sendable {
  let name: String
  let work: Work
  /// What the CPU time of `work` is a ratio to.
  let baseline: Work
  /// Files without which the job is skipped.
  let files: [String]
  let figures: [Figure]
}

/// Something that takes time.
enum Work: Sendable {
  /// Another program; what it prints is thrown away.
  case program([String])
  /// Swift code in a process of its own, so that its memory is its own too; what it prints is thrown away.
  case process(@Sendable () throws -> Void)
  /// Swift code in this process, for works that share what was made ready before.
  case here(@Sendable () throws -> Void)
}

/// One number of a job, which should be no greater than its goal.
struct Figure: Sendable {
  enum Kind: Sendable {
    /// The CPU time of the work over that of the baseline.
    case cpu
    /// The work's peak memory in MB, beyond the size of a file. Only for a `process` or a `program`.
    case memory(beyond: String)
  }

  let kind: Kind
  let goal: Double

  static func cpu(goal: Double) -> Figure { Figure(kind: .cpu, goal: goal) }

  static func memory(beyond file: String, goal: Double) -> Figure {
    Figure(kind: .memory(beyond: file), goal: goal)
  }
}
