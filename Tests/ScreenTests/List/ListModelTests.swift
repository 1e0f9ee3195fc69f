import Testing

@testable import FerryScreen

/// A list on a stage: its model, what it has shown, and where its loads and snapshots wait.
@available(macOS 15, iOS 18, *)
actor ListScreen {
  private let executor: Stage.Screen
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let list: ListModel<Line>
  private(set) var shown: [String] = []
  private(set) var runs = 0

  init(_ stage: Stage, _ clock: ManualClock) {
    executor = stage.screen
    list = ListModel<Line>(clock: clock)
  }

  /// Each asking is a stream that the test fills.
  func run(_ source: Source, _ points: Points) async {
    await list.run(
      snapshots: { source.ask() }, loading: { try await points.wait(at: "load") },
      apply: { update in
        shown.append(([update.phase.name] + update.phase.rows.rows.map(\.id)).joined(separator: " "))
      })
    runs += 1
  }
}

/// Snapshots that a test gives, one stream for each asking.
final class Source: Sendable {
  private let streams = Shared<[AsyncThrowingStream<[Line], any Error>.Continuation]>([])
  private let delivered = Shared(0)

  var askings: Int { streams.withLock { $0.count } }
  var taken: Int { delivered.withLock { $0 } }

  func ask() -> AsyncMapSequence<AsyncThrowingStream<[Line], any Error>, [Line]> {
    let (stream, continuation) = AsyncThrowingStream<[Line], any Error>.makeStream()
    streams.withLock { $0.append(continuation) }
    return stream.map { lines in
      self.delivered.withLock { $0 += 1 }
      return lines
    }
  }

  func give(_ ids: String..., to asking: Int? = nil) {
    let all = streams.withLock { $0 }
    all[(asking ?? all.count) - 1].yield(ids.map { Line($0) })
  }

  func fail() { streams.withLock { $0 }.last?.finish(throwing: Broken()) }
}

@Suite struct `A list that runs` {
  @available(macOS 15, iOS 18, *)
  struct Rig {
    let stage = Stage()
    let clock = ManualClock()
    let source = Source()
    let points = Points()
    let screen: ListScreen
    let task: Task<Void, Never>

    init() {
      let (screen, source, points) = (ListScreen(stage, clock), source, points)
      self.screen = screen
      task = Task(executorPreference: stage.pool) { await screen.run(source, points) }
      stage.settle()
    }

    var shown: [String] { screen.assumeIsolated { $0.shown } }
    var runs: Int { screen.assumeIsolated { $0.runs } }

    func act(_ body: @Sendable (ListModel<Line>) -> Void) {
      screen.assumeIsolated { body($0.list) }
      stage.settle()
    }
    func go(_ name: String = "load") {
      points.go(name)
      stage.settle()
    }
    func give(_ ids: String..., to asking: Int? = nil) {
      switch ids.count {
      case 0: source.give(to: asking)
      case 1: source.give(ids[0], to: asking)
      default: source.give(ids[0], ids[1], to: asking)
      }
      stage.settle()
    }
    func advance(_ time: Duration) {
      clock.advance(by: time)
      stage.settle()
    }
  }

  @available(macOS 15, iOS 18, *)
  @Test func `shows skeleton, content and what follows`() {
    let rig = Rig()
    #expect(rig.shown == ["skeleton"] && rig.source.askings == 1 && rig.points.waiting == ["load"])
    rig.give("a")
    rig.advance(.milliseconds(499))
    #expect(rig.shown == ["skeleton"])
    rig.advance(.milliseconds(1))
    #expect(rig.shown == ["skeleton", "content a"])
    rig.go()
    rig.give("a", "b")
    #expect(rig.shown.last == "content a b")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `asks once more when a load ends with no rows seen`() {
    let rig = Rig()
    rig.give()
    rig.advance(.seconds(1))
    rig.go()
    #expect(rig.source.askings == 2 && rig.shown == ["skeleton"])
    rig.give(to: 2)
    #expect(rig.shown.last == "empty")
    rig.give("late", to: 1)
    #expect(rig.shown.last == "empty")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `asks for the next snapshot when the last one has been applied`() {
    let rig = Rig()
    rig.advance(.seconds(1))
    rig.source.give("a")
    rig.source.give("b")
    rig.source.give("c")
    rig.stage.settlePool()
    #expect(rig.source.taken == 1, "whoever shows it had no turn yet")
    rig.stage.settle()
    #expect(rig.source.taken == 3 && rig.shown == ["skeleton", "content a", "content b", "content c"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `fails and tries again`() {
    let rig = Rig()
    rig.source.fail()
    rig.advance(.seconds(1))
    #expect(rig.shown == ["skeleton", "failure"])
    rig.points.fail("load")
    rig.stage.settle()
    rig.act { $0.refresh() }
    #expect(rig.source.askings == 2 && rig.points.waiting == ["load"] && rig.shown.last == "skeleton")
    rig.give("a")
    rig.advance(.milliseconds(500))
    #expect(rig.shown.last == "content a")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `receives nothing from the moment on that it is closed`() {
    let rig = Rig()
    rig.advance(.seconds(1))
    rig.source.give("a")
    // The snapshot is there, and the screen had no turn yet to show it.
    rig.stage.settlePool()
    rig.screen.assumeIsolated { $0.list.close() }
    rig.stage.settle()
    #expect(rig.shown == ["skeleton"])
    #expect(rig.runs == 0, "its load is deaf to cancellation and still under way")
    rig.go()
    #expect(rig.runs == 1 && rig.shown == ["skeleton"])
    #expect(rig.clock.sleepers == 0)
  }

  @available(macOS 15, iOS 18, *)
  @Test func `ends with its task, and applies nothing after that`() {
    let rig = Rig()
    rig.advance(.seconds(1))
    rig.source.give("a")
    rig.stage.settlePool()
    rig.task.cancel()
    rig.stage.settle()
    rig.go()
    #expect(rig.runs == 1 && rig.shown == ["skeleton"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `runs again after its task was cancelled, with what it had and without a skeleton`() {
    let rig = Rig()
    rig.give("a")
    rig.advance(.seconds(1))
    rig.task.cancel()
    rig.stage.settle()
    rig.go()
    let (screen, source, points) = (rig.screen, rig.source, rig.points)
    Task(executorPreference: rig.stage.pool) { await screen.run(source, points) }
    rig.stage.settle()
    #expect(rig.shown == ["skeleton", "content a", "content a"])
    #expect(rig.source.askings == 2 && rig.points.waiting == ["load"])
    rig.give("b", to: 2)
    #expect(rig.shown.last == "content b")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `is run once: a second run while one is under way is dropped`() {
    let rig = Rig()
    let (screen, source, points) = (rig.screen, rig.source, rig.points)
    Task(executorPreference: rig.stage.pool) { await screen.run(source, points) }
    rig.stage.settle()
    #expect(rig.runs == 1 && rig.source.askings == 1 && rig.points.reached == ["load"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `stops loading for a person, and doesn't start again by itself`() {
    let rig = Rig()
    rig.act { $0.cancel() }
    #expect(rig.shown == ["skeleton", "cancelled"])
    rig.go()
    rig.advance(.seconds(1))
    #expect(rig.shown == ["skeleton", "cancelled"])
  }

  /// A list of the main actor: that this compiles is the test.
  @MainActor final class MainScreen {
    let list = ListModel<Line>(minimumSkeleton: .zero)
    private(set) var shown: [String] = []
    func run() async {
      await list.run(
        snapshots: { AsyncStream { $0.yield([Line("a")]) } }, loading: {},
        apply: { [self] update in
          MainActor.preconditionIsolated()
          shown.append(update.phase.name)
          if !update.isLoading && update.phase.name == "content" { list.close() }
        })
    }
  }

  @Test func `lives on the main actor if it was made there`() async {
    let screen = await MainScreen()
    await screen.run()
    #expect(await screen.shown.last == "content")
  }
}
