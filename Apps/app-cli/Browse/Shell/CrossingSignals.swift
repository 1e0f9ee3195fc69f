import FerryKernel
import FerryScreen
import FerryStore

/// What a gate is told of the crossing of a store, whichever process crosses: read from the journal, now and after
/// each commit. It ends when every domain that is on is over.
struct CrossingSignals: AsyncSequence, Sendable {
  typealias Element = CrossingSignal

  /// Where the crossing is, as far as the store says.
  struct Reading: Equatable, Sendable {
    var journal: [JournalEntry]
    var tallies: [Tally]
  }

  let plan: Plan
  let store: Store
  /// The legacy rows of each domain; none where they can't be counted any more.
  let totals: [String: Int]

  /// The legacy rows of each domain, while there is a crossing that they could be needed for. They are counted away
  /// from whoever asks.
  static func totals(_ plan: Plan, _ source: any LegacySource, _ store: Store) async -> [String: Int] {
    do {
      let journal = try await store.device.read { try $0.fetch(JournalEntry.all) }
      let isOver = try plan.states(journal).allSatisfy { [.done, .off].contains($0.state) }
      return isOver ? [:] : plan.legacyRows(in: source)
    } catch {
      return [:]  // Whatever it is, the signals meet it as well, and say so.
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    let readings = store.device.observe { snapshot in
      Reading(journal: try snapshot.fetch(JournalEntry.all), tallies: try snapshot.fetch(Tally.all))
    }
    return AsyncIterator(
      machine: CrossingSignalMachine(plan: plan, totals: totals), readings: readings.makeAsyncIterator())
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var machine: CrossingSignalMachine
    fileprivate var readings: Observation<Reading>.AsyncIterator
    private var waiting: ArraySlice<CrossingSignal> = []

    fileprivate init(machine: CrossingSignalMachine, readings: Observation<Reading>.AsyncIterator) {
      (self.machine, self.readings) = (machine, readings)
    }

    mutating func next() async throws -> CrossingSignal? {
      while waiting.isEmpty {
        guard !machine.isOver, let reading = try await readings.next() else { return nil }
        waiting = try machine.hear(reading)[...]
      }
      return waiting.popFirst()
    }
  }
}

/// What a reading of the journal means to a gate that has heard the readings before it.
struct CrossingSignalMachine: Sendable {
  private let plan: Plan
  private let totals: [String: Int]
  private var isBegun = false
  private var over: Set<String> = []
  private(set) var isOver = false

  init(plan: Plan, totals: [String: Int]) { (self.plan, self.totals) = (plan, totals) }

  mutating func hear(_ reading: CrossingSignals.Reading) throws -> [CrossingSignal] {
    var signals: [CrossingSignal] = []
    let states = try plan.states(reading.journal).filter(\.step.isEnabled)
    if !isBegun {
      isBegun = true
      let open = states.filter { $0.step.isCore && $0.state != .done }
      over = Set(states.filter { $0.state == .done }.map(\.step.domain.name))
      signals.append(.core(Set(open.map(\.step.domain.name))))
    }
    for (step, state) in states where state == .done && over.insert(step.domain.name).inserted {
      signals.append(.over(domain: step.domain.name))
    }
    // The first that isn't over is the one that the crossing is at.
    if let (step, state) = states.first(where: { $0.state != .done }) {
      signals.append(signal(of: step, state, reading.tallies))
    }
    isOver = states.allSatisfy { $0.state == .done }
    return signals
  }

  private func signal(of step: Plan.Step, _ state: StepState, _ tallies: [Tally]) -> CrossingSignal {
    let name = step.domain.name
    switch state {
    case .failed(_, let reason, let remedy):
      return .failed(domain: name, CrossingFailure(sentence: reason, remedy: remedy))
    case .waitingForNetwork: return .waitingForNetwork(domain: name)
    case .crossing(let phase): return .progress(progress(name, after: phase, tallies))
    case .off, .waiting, .done: return .progress(progress(name, after: .waiting, tallies))
    }
  }

  private func progress(_ domain: String, after phase: Phase, _ tallies: [Tally])
    -> FerryScreen.CrossingProgress
  {
    let tallies = tallies.filter { $0.domain == domain }
    let (doing, done): (String, Int64) =
      switch phase {
      case .waiting: ("backing up", 0)
      case .backedUp: ("making room", 0)
      case .reset: ("restoring", tallies.reduce(0) { $0 + $1.read })
      case .restored: ("filling in from the server", tallies.reduce(0) { $0 + $1.resynced })
      case .resynced, .verified, .done: ("checking", tallies.reduce(0) { $0 + $1.read })
      }
    let total = phase == .restored ? nil : totals[domain]
    return FerryScreen.CrossingProgress(
      phase: doing, domain: domain, done: total.map { min($0, Int(done)) } ?? Int(done), of: total)
  }
}

extension Plan {
  /// How many legacy rows each domain that is on has; none for one whose rows can't be counted, since its files are
  /// gone or can't be read now: a progress without an end is better than none.
  func legacyRows(in source: any LegacySource) -> [String: Int] {
    var totals: [String: Int] = [:]
    for step in enabled {
      var total = 0
      do {
        for account in source.accounts {
          for entity in step.entities {
            total += Int(try source.rowCount(of: entity.className, account: account))
          }
        }
        totals[step.domain.name] = total
      } catch {
        continue
      }
    }
    return totals
  }
}
