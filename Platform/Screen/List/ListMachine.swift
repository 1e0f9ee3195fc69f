/// What a list does about what happens to it: each input gives the steps that follow, and nothing waits.
///
/// Rows and "loading is over" are two inputs with one owner each: the snapshots come from the asking that is under
/// way, the end from the load that is under way. Both are numbered, and what comes from an earlier one is dropped.
struct ListMachine<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
  enum Step: Sendable {
    /// Ask for the snapshots, under this number. What was asked for before is over.
    case observe(asking: Int)
    case stopObserving(asking: Int)
    case load(Int)
    case stopLoading(Int)
    /// Say `deadline` after that time.
    case wake(after: Duration)
    case show(ListUpdate<Row>)
  }

  enum End: Sendable {
    case success
    case failure(any Error)
    case cancelled
  }

  private enum Observing { case no, unheard, heard }
  private enum Loading {
    case running
    case over(End)
  }

  private(set) var phase: ListPhase<Row>
  private(set) var selection: Row.ID?
  private(set) var isClosed = false
  private let minimum: Duration
  private let whenSelectedVanishes: VanishedSelection

  /// The newest snapshot, shown or held back by the skeleton.
  private var rows = ListRows<Row>()
  private var asking = 0
  private var observing = Observing.no
  private var lost: (any Error)?
  private var load = 0
  private var loading = Loading.over(.cancelled)
  private var problem: (any Error)?

  init(minimum: Duration, whenSelectedVanishes: VanishedSelection = .selectNeighbour) {
    self.minimum = minimum
    self.whenSelectedVanishes = whenSelectedVanishes
    phase = .start(at: .zero, minimum: minimum)
  }

  var isLoading: Bool { if case .running = loading { true } else { false } }

  /// The list comes into view: the skeleton is shown at once, unless the list has shown what it holds before.
  mutating func begin(at now: Duration) -> [Step] {
    guard !isClosed else { return [] }
    if case .skeleton = phase { phase = .start(at: now, minimum: minimum) }
    (observing, lost) = (.no, nil)
    let steps = startLoading(at: now)
    return [.show(update(changes: ListChanges(from: ListRows(), to: phase.rows)))] + steps
  }

  mutating func snapshot(_ snapshot: ListRows<Row>, asking: Int, at now: Duration) -> [Step] {
    guard !isClosed, asking == self.asking, observing != .no else { return [] }
    return change(at: now) { machine in
      machine.rows = snapshot
      machine.observing = .heard
      return []
    }
  }

  /// The sequence of snapshots is over: by itself, or by an error.
  mutating func snapshotsEnded(_ error: (any Error)?, asking: Int, at now: Duration) -> [Step] {
    guard !isClosed, asking == self.asking, observing != .no else { return [] }
    return change(at: now) { machine in
      if let error { (machine.lost, machine.problem) = (error, error) }
      machine.observing = .no
      return []
    }
  }

  mutating func loadingEnded(_ end: End, load: Int, at now: Duration) -> [Step] {
    guard !isClosed, load == self.load, isLoading else { return [] }
    return change(at: now) { machine in
      machine.loading = .over(end)
      if case .failure(let error) = end { machine.problem = error }
      guard case .success = end else { return [] }
      machine.problem = machine.lost
      // Whether there is nothing is for a snapshot to say that was asked for after loading was over: one that
      // was under way may be older than what has just been loaded.
      return machine.isSkeleton && machine.rows.isEmpty ? machine.observe() : []
    }
  }

  /// The minimum of a skeleton may be over.
  mutating func deadline(at now: Duration) -> [Step] {
    guard !isClosed else { return [] }
    return change(at: now) { _ in [] }
  }

  /// Loads once more; nothing while it loads anyway. After a failure or a cancellation that is a retry, and the
  /// one thing after which there may be a skeleton again.
  mutating func refresh(at now: Duration) -> [Step] {
    guard !isClosed, asking > 0, !isLoading else { return [] }
    return change(at: now) { machine in machine.startLoading(at: now) }
  }

  /// A person doesn't want to wait any longer. What is there is shown at once.
  mutating func cancel(at now: Duration) -> [Step] {
    guard !isClosed, isLoading || isSkeleton else { return [] }
    return change(at: now) { machine in
      let steps: [Step] = machine.isLoading ? [.stopLoading(machine.load)] : []
      machine.loading = .over(.cancelled)
      if case .skeleton(let skeleton) = machine.phase {
        machine.phase = skeleton.exitForPerson().phase(
          machine.rows.isEmpty ? .cancelled : .content(machine.rows))
      }
      return steps
    }
  }

  /// Selects the row with this identity, or none. An identity that isn't shown leaves all as it is.
  mutating func select(_ id: Row.ID?) -> [Step] {
    guard !isClosed, id != selection, id.map({ phase.rows.index(of: $0) != nil }) ?? true else { return [] }
    selection = id
    return [.show(update(changes: ListChanges(from: phase.rows, to: phase.rows)))]
  }

  /// The list is gone for good: nothing reaches it any more.
  mutating func close() -> [Step] {
    guard !isClosed else { return [] }
    isClosed = true
    return (isLoading ? [.stopLoading(load)] : [])
      + (observing == .no ? [] : [.stopObserving(asking: asking)])
  }

  private var isSkeleton: Bool { if case .skeleton = phase { true } else { false } }

  private mutating func observe() -> [Step] {
    let stop: [Step] = observing == .no ? [] : [.stopObserving(asking: asking)]
    asking += 1
    (observing, lost) = (.unheard, nil)
    return stop + [.observe(asking: asking)]
  }

  private mutating func startLoading(at now: Duration) -> [Step] {
    switch phase {
    case .failure(let failure): phase = .skeleton(failure.retry(at: now))
    case .cancelled(let cancelled): phase = .skeleton(cancelled.retry(at: now))
    case .skeleton, .content, .empty: break
    }
    let observing = self.observing == .no ? observe() : []
    load += 1
    loading = .running
    return (isSkeleton ? [.wake(after: minimum)] : []) + observing + [.load(load)]
  }

  /// What is known of the list; nil as long as that is nothing.
  private var verdict: Skeleton.Verdict<Row>? {
    if !rows.isEmpty { return .content(rows) }
    if let lost { return .failure(lost) }
    guard case .over(let end) = loading else { return nil }
    return switch end {
    case .success: observing == .unheard ? nil : .empty
    case .failure(let error): .failure(error)
    case .cancelled: .cancelled
    }
  }

  /// Lets `input` happen, and shows what comes of it if that is to be seen.
  private mutating func change(at now: Duration, _ input: (inout ListMachine) -> [Step]) -> [Step] {
    let before = self
    let steps = input(&self)
    if case .skeleton(let skeleton) = phase {
      if let exit = skeleton.exit(at: now), let verdict { phase = exit.phase(verdict) }
    } else {
      phase = phase.showing(rows)
    }
    let (old, new) = (before.phase.rows, phase.rows)
    let changes = ListChanges(from: old, to: new)
    if let selection, new.index(of: selection) == nil {
      self.selection = whenSelectedVanishes.successor(of: selection, in: old, among: new)
    }
    // A skeleton says all that there is to say when it is first shown.
    let isSame =
      changes.isEmpty && selection == before.selection && phase.isLike(before.phase)
      && (isSkeleton || isLoading == before.isLoading && (problem == nil) == (before.problem == nil))
    return isSame ? steps : [.show(update(changes: changes))] + steps
  }

  private func update(changes: ListChanges) -> ListUpdate<Row> {
    ListUpdate(
      phase: phase, changes: changes, selection: selection, isLoading: isLoading, problem: problem)
  }
}

extension ListPhase {
  /// Whether the two look alike, their rows aside.
  fileprivate func isLike(_ other: ListPhase) -> Bool {
    switch (self, other) {
    case (.skeleton(let skeleton), .skeleton(let old)): skeleton.number == old.number
    case (.content, .content), (.empty, .empty), (.failure, .failure), (.cancelled, .cancelled): true
    default: false
    }
  }
}
