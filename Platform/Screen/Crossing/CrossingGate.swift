/// Stands before the lists while the core domains cross, so that an empty screen isn't taken for lost data (trap M4).
///
///     checking ──▶ crossing ◀─▶ waitingForNetwork, failed
///         └───────────┴──────────────▶ ready
///
/// It opens by itself, and for good: no step leads out of `ready`. It knows no accounts, so that switching them
/// can't bring it back; at a start after the crossing it goes from `checking`, which shows nothing, to `ready`.
public struct CrossingGate: Sendable {
  public enum State: Sendable, Hashable {
    case checking
    case crossing(CrossingProgress)
    case waitingForNetwork(domain: String)
    case failed(CrossingFailure)
    case ready

    /// Whether the gate is to be seen. While it checks nothing is: at most starts there is nothing to say.
    public var isShown: Bool {
      switch self {
      case .checking, .ready: false
      case .crossing, .waitingForNetwork, .failed: true
      }
    }

    /// Whether the lists may be used.
    public var admitsInput: Bool { self == .ready }
  }

  private enum Position {
    case closed(Closed)
    case open(behind: CrossingProgress?)
  }

  /// The gate before it is open: the one thing that hears of core domains.
  private struct Closed {
    var state = State.checking
    /// The core domains that are to cross yet; nil before that is known.
    var core: Set<String>?
    var over: Set<String> = []

    func hearing(_ signal: CrossingSignal) -> Position {
      var next = self
      switch signal {
      case .core(let domains): next.core = domains
      case .over(let domain): next.over.insert(domain)
      case .progress(let progress): next.state = .crossing(progress)
      case .waitingForNetwork(let domain): next.state = .waitingForNetwork(domain: domain)
      case .failed(_, let failure): next.state = .failed(failure)
      }
      return next.core.map(next.over.isSuperset) == true ? .open(behind: nil) : .closed(next)
    }
  }

  private var position = Position.closed(Closed())

  public init() {}

  public var state: State {
    switch position {
    case .closed(let closed): closed.state
    case .open: .ready
    }
  }

  /// What goes on behind the open gate: the domains that aren't core; nil while nothing does.
  public var behind: CrossingProgress? {
    if case .open(let progress) = position { progress } else { nil }
  }

  /// Takes one signal; true if there is something else to be seen afterwards, of the gate or behind it.
  @discardableResult public mutating func hear(_ signal: CrossingSignal) -> Bool {
    let before = (state, behind)
    switch (position, signal) {
    case (.closed(let closed), _): position = closed.hearing(signal)
    case (.open, .progress(let progress)): position = .open(behind: progress)
    case (.open(let progress?), .over(let domain)) where progress.domain == domain:
      position = .open(behind: nil)
    case (.open, _): break
    }
    return (state, behind) != before
  }

  /// The signals are over. A gate that is still closed says that it won't open by itself any more.
  @discardableResult public mutating func end(_ failure: CrossingFailure? = nil) -> Bool {
    let stopped = CrossingFailure(
      sentence: "The crossing stopped before all that is needed was carried over.",
      remedy: "Start the app again: it goes on where it was.")
    switch position {
    case .open(let progress):
      position = .open(behind: nil)
      return progress != nil
    case .closed(let closed):
      if case .failed = closed.state, failure == nil { return false }
      return hear(.failed(domain: "", failure ?? stopped))
    }
  }

  /// Hears a whole sequence of signals and returns the gate as it is then.
  ///
  /// - Parameters:
  ///   - describe: says of what the sequence throws what is wrong and what to do.
  ///   - show: is called with the gate at once and whenever something else is to be seen, in the caller's isolation.
  /// - Returns: the gate at the end of the sequence or of the task; a cancelled task makes it no failure.
  public static func run<Signals: AsyncSequence & Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ signals: Signals,
    describe: (any Error) -> CrossingFailure, show: (CrossingGate) -> Void
  ) async -> CrossingGate where Signals.Element == CrossingSignal {
    var gate = CrossingGate()
    show(gate)
    do {
      for try await signal in signals {
        guard !Task.isCancelled else { return gate }
        if gate.hear(signal) { show(gate) }
      }
      if !Task.isCancelled, gate.end() { show(gate) }
    } catch {
      if !Task.isCancelled, gate.end(describe(error)) { show(gate) }
    }
    return gate
  }
}
