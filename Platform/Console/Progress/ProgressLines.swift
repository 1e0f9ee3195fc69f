/// Shows how far tasks are, on standard error.
///
/// On a terminal it is one line, redrawn in place; elsewhere (cron, a file, `--no-color`) it
/// is a plain line every few seconds. Either way each task ends with one line that stays.
///
/// ```swift
/// let progress = ProgressLines(on: invocation.terminal, clock: ContinuousClock())
/// defer { progress.end() }
/// try await crossing.run { progress.update($0.domain, done: $0.done, total: $0.total) }
/// ```
///
/// It may be called from any thread; a call never waits for more than a write.
public final class ProgressLines: Sendable {
  private struct State {
    var tasks: [String: ProgressTask] = [:]
    /// The labels in the order in which their tasks began.
    var order: [String] = []
    var lastShown: Duration?
  }

  private let terminal: Terminal
  private let interval: Duration
  private let now: @Sendable () -> Duration
  private let state = Locked(State())

  private var isLive: Bool { terminal.err.allowsEscapes }

  /// - Parameters:
  ///   - terminal: whose standard error is written to.
  ///   - clock: what measures rates and intervals; tests pass one that they move themselves.
  ///   - redrawEvery: the shortest time between two drawings of the live line.
  ///   - printEvery: the shortest time between two plain lines, and before the first.
  public init<C: Clock>(
    on terminal: Terminal, clock: C, redrawEvery: Duration = .milliseconds(100),
    printEvery: Duration = .seconds(5)
  ) where C.Duration == Duration {
    self.terminal = terminal
    interval = terminal.err.allowsEscapes ? redrawEvery : printEvery
    let start = clock.now
    now = { start.duration(to: clock.now) }
  }

  /// Says that `done` of `total` are done. A new `label` begins a task.
  ///
  /// - Parameters:
  ///   - label: the task's name.
  ///   - done: how many are done, of whatever is counted.
  ///   - total: how many there are; `nil` leaves what was said before, or is unknown.
  public func update(_ label: String, done: Int, total: Int? = nil) {
    let time = now()
    state.withLock { state in
      var task = state.tasks[label] ?? ProgressTask(label: label, done: done, total: total, at: time)
      task.update(done: done, total: total)
      if state.tasks.updateValue(task, forKey: label) == nil { state.order.append(label) }
      show(task, at: time, &state)
    }
  }

  /// Ends a task with a line that stays. A label that never began is let pass.
  public func finish(_ label: String) {
    let time = now()
    state.withLock { state in close(label, at: time, &state) }
  }

  /// Ends all tasks that are still open and takes the live line away.
  public func end() {
    let time = now()
    state.withLock { state in
      for label in state.order { close(label, at: time, &state) }
      if isLive { terminal.showLive("") }
    }
  }

  private func show(_ task: ProgressTask, at time: Duration, _ state: inout State) {
    // A terminal shows at once that something began; a log hears only of what takes a while.
    let last = state.lastShown ?? (isLive ? time - interval : task.startedAt)
    guard time - last >= interval else {
      state.lastShown = last
      return
    }
    state.lastShown = time
    if isLive {
      terminal.showLive(task.bar(at: time, columns: (terminal.err.width ?? 80) - 1))
    } else {
      terminal.note(task.line(at: time))
    }
  }

  private func close(_ label: String, at time: Duration, _ state: inout State) {
    guard let task = state.tasks.removeValue(forKey: label) else { return }
    state.order.removeAll { $0 == label }
    if isLive {
      terminal.showLive("")
      state.lastShown = nil
    }
    terminal.note(task.closingLine(at: time))
  }
}
