import Testing

@testable import FerryScreen

struct Broken: Error {}

extension ListPhase {
  /// The phase's name, for comparing.
  var name: String {
    switch self {
    case .skeleton: "skeleton"
    case .content: "content"
    case .empty: "empty"
    case .failure: "failure"
    case .cancelled: "cancelled"
    }
  }
}

/// A list machine with what it asked for.
struct Run {
  var machine: ListMachine<Line>
  var now = Duration.zero
  var asking = 0
  var load = 0
  var updates: [ListUpdate<Line>] = []
  var stopped: [String] = []

  init(whenSelectedVanishes: VanishedSelection = .selectNeighbour) {
    machine = ListMachine(minimum: .milliseconds(500), whenSelectedVanishes: whenSelectedVanishes)
    take(machine.begin(at: now))
  }

  var phases: [String] { updates.map(\.phase.name) }

  mutating func take(_ steps: [ListMachine<Line>.Step]) {
    for step in steps {
      switch step {
      case .show(let update): updates.append(update)
      case .observe(let asking): self.asking = asking
      case .load(let load): self.load = load
      case .stopObserving(let asking): stopped.append("asking \(asking)")
      case .stopLoading(let load): stopped.append("load \(load)")
      case .wake: break
      }
    }
  }

  mutating func snapshot(_ ids: String..., asking: Int? = nil) {
    take(machine.snapshot(ListRows(ids.map { Line($0) }), asking: asking ?? self.asking, at: now))
  }
  mutating func end(_ end: ListMachine<Line>.End = .success, load: Int? = nil) {
    take(machine.loadingEnded(end, load: load ?? self.load, at: now))
  }
  mutating func wait(_ time: Duration = .milliseconds(500)) {
    now += time
    take(machine.deadline(at: now))
  }
  mutating func refresh() { take(machine.refresh(at: now)) }
  mutating func cancel() { take(machine.cancel(at: now)) }
  mutating func lose() { take(machine.snapshotsEnded(Broken(), asking: asking, at: now)) }
}

@Suite struct `A list` {
  @Test func `shows a skeleton at once`() {
    #expect(Run().phases == ["skeleton"])
    #expect(Run().updates[0].isLoading)
  }

  @Test func `shows rows when they are there and the skeleton's time is over`() {
    var run = Run()
    run.snapshot("a")
    run.wait(.milliseconds(499))
    #expect(run.phases == ["skeleton"])
    run.wait(.milliseconds(1))
    #expect(run.phases == ["skeleton", "content"])
    #expect(run.updates[1].changes.inserted == [0] && run.updates[1].isLoading)
    run.end()
    #expect(run.phases == ["skeleton", "content", "content"] && run.updates[2].isLoading == false)
  }

  @Test func `is empty when loading is over and a snapshot asked for afterwards has no rows`() {
    var run = Run()
    run.wait()
    run.snapshot()
    #expect(run.phases == ["skeleton"], "no rows yet, and something is being loaded")
    let before = run.asking
    run.end()
    #expect(run.stopped == ["asking \(before)"] && run.asking == before + 1)
    run.snapshot(asking: before)
    #expect(run.machine.phase.name == "skeleton", "that answer may be older than what was loaded")
    run.snapshot()
    #expect(run.machine.phase.name == "empty")
  }

  @Test func `goes from the skeleton to rows that the last load brought, and not by way of empty`() {
    var run = Run()
    run.snapshot()
    run.wait()
    run.end()
    run.snapshot("a")
    #expect(run.updates.map(\.phase.name).filter { $0 != "skeleton" } == ["content"])
  }

  @Test func `fails when loading failed with no rows, after the skeleton's time`() {
    var run = Run()
    run.snapshot()
    run.end(.failure(Broken()))
    #expect(run.machine.phase.name == "skeleton")
    run.wait()
    guard case .failure(let failure) = run.machine.phase else {
      Issue.record("\(run.machine.phase)")
      return
    }
    #expect(failure.error is Broken)
  }

  @Test func `fails when its snapshots do`() {
    var run = Run()
    run.lose()
    run.wait()
    #expect(run.machine.phase.name == "failure")
    let before = run.asking
    run.end()
    run.refresh()
    #expect(run.asking > before, "a retry asks for them anew")
  }

  @Test func `leaves the skeleton at once for a person who cancels`() {
    var run = Run()
    run.cancel()
    #expect(run.phases == ["skeleton", "cancelled"] && run.stopped == ["load 1"])
    run.end(load: 1)
    #expect(run.phases == ["skeleton", "cancelled"], "the end of a load that was cancelled is nobody's")
    run.snapshot("a")
    #expect(run.machine.phase.name == "content", "rows are shown whenever they come")
  }

  @Test func `doesn't take the end of a load that was cancelled for that of the next`() {
    var run = Run()
    run.cancel()
    run.refresh()
    #expect(run.load == 2)
    run.end(.failure(Broken()), load: 1)
    run.wait()
    #expect(run.machine.phase.name == "skeleton" && run.machine.isLoading)
  }

  @Test func `shows a person who cancels what has come`() {
    var run = Run()
    run.snapshot("a")
    run.cancel()
    #expect(run.phases == ["skeleton", "content"])
  }

  @Test func `can be cancelled while it waits for the snapshot after the load`() {
    var run = Run()
    run.wait()
    run.end()
    #expect(run.machine.phase.name == "skeleton")
    run.cancel()
    #expect(run.machine.phase.name == "cancelled")
  }

  @Test func `takes the cancellation of the load itself as one, after the skeleton's time`() {
    var run = Run()
    run.end(.cancelled)
    #expect(run.machine.phase.name == "skeleton")
    run.wait()
    #expect(run.machine.phase.name == "cancelled")
  }

  @Test func `keeps its rows when a later load fails, and says what went wrong until one succeeds`() {
    var run = Run()
    run.snapshot("a")
    run.wait()
    run.end()
    run.refresh()
    run.end(.failure(Broken()))
    #expect(run.machine.phase.name == "content" && run.updates.last?.problem is Broken)
    run.refresh()
    #expect(run.updates.last?.problem is Broken)
    run.end()
    #expect(run.updates.last?.problem == nil)
  }

  @Test func `asks anew for snapshots that it lost when it is refreshed`() {
    var run = Run()
    run.snapshot("a")
    run.wait()
    run.end()
    run.lose()
    #expect(run.machine.phase.name == "content" && run.updates.last?.problem is Broken)
    let before = run.asking
    run.refresh()
    #expect(run.asking == before + 1)
    run.snapshot("a", "b")
    #expect(run.updates.last?.changes.inserted == [1])
  }

  @Test func `is refreshed once at a time`() {
    var run = Run()
    run.refresh()
    #expect(run.load == 1)
    run.end()
    run.refresh()
    run.refresh()
    #expect(run.load == 2)
  }

  @Test func `tries again with a skeleton of its own time`() {
    var run = Run()
    run.end(.failure(Broken()))
    run.wait()
    run.refresh()
    #expect(run.phases == ["skeleton", "failure", "skeleton"])
    run.snapshot("a")
    run.wait(.milliseconds(499))
    #expect(run.machine.phase.name == "skeleton")
    run.wait(.milliseconds(1))
    #expect(run.machine.phase.name == "content")
  }

  @Test func `says nothing where nothing is to be seen`() {
    var run = Run()
    run.snapshot("a")
    run.wait()
    let shown = run.updates.count
    run.snapshot("a")
    run.wait()
    #expect(run.updates.count == shown)
  }

  @Test func `shows rows that went and came as they are, without a skeleton`() {
    var run = Run()
    run.snapshot("a")
    run.wait()
    run.end()
    run.snapshot()
    run.refresh()
    run.snapshot("b")
    #expect(run.phases == ["skeleton", "content", "content", "empty", "empty", "content"])
    #expect(run.updates[3].changes.removed == [0] && run.updates[5].changes.inserted == [0])
  }

  @Test func `hears nothing any more once it is closed`() {
    var run = Run()
    run.snapshot("a")
    run.take(run.machine.close())
    #expect(run.stopped == ["load 1", "asking 1"])
    let shown = run.updates.count
    run.snapshot("b")
    run.end()
    run.wait()
    run.refresh()
    run.cancel()
    run.take(run.machine.select("a"))
    run.take(run.machine.begin(at: run.now))
    #expect(run.updates.count == shown)
  }
}

@Suite struct `The selected row` {
  static func list(_ policy: VanishedSelection = .selectNeighbour) -> Run {
    var run = Run(whenSelectedVanishes: policy)
    run.snapshot("a", "b", "c", "d")
    run.wait()
    run.end()
    return run
  }

  @Test func `stays selected wherever it moves`() {
    var run = Self.list()
    run.take(run.machine.select("b"))
    run.snapshot("c", "x", "d", "b")
    #expect(run.machine.selection == "b" && run.updates.last?.selection == "b")
  }

  @Test func `is one that is shown`() {
    var run = Self.list()
    run.take(run.machine.select("nobody"))
    #expect(run.machine.selection == nil)
    run.take(run.machine.select("a"))
    run.take(run.machine.select("nobody"))
    #expect(run.machine.selection == "a")
    run.take(run.machine.select(nil))
    #expect(run.machine.selection == nil && run.updates.last?.selection == nil)
  }

  @Test(arguments: [
    ("b", ["a", "c", "d"], "c"), ("b", ["d", "a"], "d"), ("d", ["c", "a"], "c"), ("d", ["a", "new"], "a"),
    ("b", ["new"], nil), ("b", [], nil),
  ]) func `gives way to the nearest one below, else above, else none`(
    selected: String, after: [String], expected: String?
  ) {
    var run = Self.list()
    run.take(run.machine.select(selected))
    run.take(run.machine.snapshot(ListRows(after.map { Line($0) }), asking: run.asking, at: run.now))
    #expect(run.machine.selection == expected)
  }

  @Test func `gives way to none where that is the rule`() {
    var run = Self.list(.selectNothing)
    run.take(run.machine.select("b"))
    run.snapshot("a", "c")
    #expect(run.machine.selection == nil)
  }
}
