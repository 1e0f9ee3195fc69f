import Composition
import FerryConsole
import FerryStore

@main
struct SyncWorker {
  static func main() async {
    let root = Command(
      "sync-worker", "Sync the store with the servers: pull what they hold, push what changed here.",
      discussion: """
        For cron and systemd: never asks anything. A run ends with one line, or one line of JSON with --json; what \
        went wrong is on standard error and in the log. Exits with 0 when every feed was synced, 3 when some failed, 1 \
        when all did, 4 when another process is at work, 5 while a crossing isn't over, 7 when a server isn't the one \
        that it was, 8 when too much would be deleted, 75 when a server can't be reached or asks for time, 77 when \
        an account isn't accepted or has no secret, 78 when ferry.yaml or roadmap.yaml is at fault, 130 or 143 \
        when SIGINT or SIGTERM stopped it, with nothing half done.
        """,
      options: SharedOptions.all + SyncRequest.options + [
        .flag("once", "Run once and end, which is also what happens without it."),
        .option(
          "every", value: "TIME",
          "Run again and again, this long after the last start: 30s, 5m, 1h30m. Where a "
            + "server says when it may be asked again, then."),
      ]
    ) { call in
      let request = try SyncRequest(call)
      let interruption = Interruption()
      guard let schedule = try schedule(call, request) else {
        return try show(await SyncJob(request, call).run(by: interruption), call)
      }
      return try await repeatedly(request, schedule, interruption, call)
    }
    await CommandLineTool(root, version: SharedOptions.version) { Failure.from($0) }.runAndExit()
  }

  /// How often to run; nil: once.
  private static func schedule(_ call: Invocation, _ request: SyncRequest) throws -> SyncSchedule? {
    guard let text = call.value("every") else { return nil }
    if call.flag("once") {
      throw UsageError("A worker runs once or again and again.", suggestion: "Say '--once' or '--every'.")
    }
    if call.flag("dry-run") {
      throw UsageError("A plan is shown once.", suggestion: "Leave '--every' out.")
    }
    if request.isDecision {
      throw UsageError(
        "What a person decides is for one run: each further one would take it for a decision of its own.",
        suggestion: "Leave '--every' out.")
    }
    guard let interval = DurationText.duration(text), interval > .zero else {
      throw UsageError(
        "'\(visible(text))' is no length of time.", suggestion: "Write it as 30s, 5m or 1h30m.")
    }
    return SyncSchedule(every: interval)
  }

  /// Runs until a signal comes. What the next run may find mended is told and let pass; a fault of the configuration
  /// or of the command line ends it.
  private static func repeatedly(
    _ request: SyncRequest, _ schedule: SyncSchedule, _ interruption: Interruption, _ call: Invocation
  ) async throws -> ExitCode {
    let clock = ContinuousClock()
    while true {
      let start = clock.now
      var (retryAt, isDone) = (Timestamp?.none, false)
      do {
        let result = try await SyncJob(request, call).run(by: interruption)
        _ = try show(result, call)
        (retryAt, isDone) = (result.retryAt, result.exitCode == .ok)
      } catch let error {
        let failure = error as? Failure ?? Failure.from(error)
        let ends: [ExitCode] = [.configuration, .domainDisabled, .brokenPipe]
        if error is UsageError || error is OutputError || error is Interrupted
          || ends.contains(failure.exitCode)
        {
          throw error
        }
        call.terminal.report(failure, asJSON: call.wantsJSON)
      }
      let pause = schedule.pause(
        after: start.duration(to: clock.now), isDone: isDone, retryAt: retryAt, now: Ferry.now())
      try await stoppable(by: interruption) { try await clock.sleep(for: pause) }
    }
  }

  private static func show(_ result: SyncResult, _ call: Invocation) throws -> ExitCode {
    try SyncOutput(result).show(call)
    return result.exitCode
  }
}
