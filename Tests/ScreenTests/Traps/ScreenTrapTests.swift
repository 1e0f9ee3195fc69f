import Testing

@testable import FerryScreen

/// Each first does what was done, and sees it fail; then what Ferry does.
@Suite struct `The traps of screens` {
  @available(macOS 15, iOS 18, *)
  @Test func `V1: two publishers attach one list, and it mounts three times for one visit`() {
    // The faulty way: an empty cache says -1, a person taps folder 7, and then the cache says 7 as well.
    var (broken, faulty): ([BrokenVisit], [String]) = ([], [])
    let clock = ManualClock()
    let container = FaultyContainer(
      trace: Trace(clock: clock, whenBroken: { broken.append($0) }) {
        faulty.append("\($0.kind) \($0.subject)")
      })
    container.selected.send(7)
    container.cached.send(7)
    #expect(container.mounts == [-1, 7, 7] && faulty == ["mount -1", "mount 7", "mount 7"])
    #expect(broken.map(\.second.cause.line) == [1, 2], "and the rule names who did it")

    // Ferry's: nothing is known of a folder, a person goes to it, and the cache names it as well; each twice.
    let (said, rule) = (Shared<[String]>([]), Shared(0))
    let trace = Trace(clock: clock, whenBroken: { _ in rule.withLock { $0 += 1 } }) { event in
      said.withLock { if event.kind == .mount { $0.append("mount \(event.subject)") } }
    }
    let rig = RouterRig(trace: trace)
    rig.visit(nil, as: "none")
    rig.visit("7", as: "tap")
    rig.visit("7", as: "cache")
    rig.go("mount 7 #1")
    rig.visit("7", as: "again")
    #expect(said.withLock { $0 } == ["mount alice@home/7"] && rule.withLock { $0 } == 0)
    #expect(rig.points.reached == ["mount 7 #1"] && LinkID("-1") == nil)
    for name in ["tap", "cache", "again"] { #expect(rig.said(name) == "attached alice@home/7 as #1") }
  }

  /// One script: rows come at 100 ms, loading is over at 200 ms, loads again twice.
  @available(macOS 15, iOS 18, *)
  @Test func `V2: the skeleton flickers`() {
    // The faulty way: for less than anybody sees, and over the rows whenever something loads.
    let faulty = FaultyList()
    faulty.begin()
    faulty.data(["a"])
    for _ in 1...2 {
      faulty.begin()
      faulty.end()
    }
    #expect(faulty.shown == ["empty", "skeleton", "content", "skeleton", "content", "skeleton", "content"])

    // Ferry's.
    let rig = `A list that runs`.Rig()
    rig.advance(.milliseconds(100))
    rig.give("a")
    rig.advance(.milliseconds(100))
    rig.go()
    for _ in 1...2 {
      rig.act { $0.refresh() }
      #expect(rig.shown == ["skeleton"])
      rig.go()
    }
    rig.advance(.milliseconds(299))
    #expect(rig.shown == ["skeleton"])
    rig.advance(.milliseconds(1))
    #expect(rig.shown == ["skeleton", "content a"])
    rig.act { $0.refresh() }
    rig.go()
    #expect(Set(rig.shown.dropFirst()) == ["content a"], "and never again")
  }

  /// Each way to end a skeleton, and none other.
  @available(macOS 15, iOS 18, *)
  @Test(arguments: ["content a", "empty", "failure", "cancelled"]) func `V2: the skeleton has four exits`(
    exit: String
  ) {
    let rig = `A list that runs`.Rig()
    rig.advance(.seconds(10))
    #expect(rig.shown == ["skeleton"], "time alone is none")
    switch exit {
    case "content a": rig.give("a")
    case "empty":
      rig.give()
      rig.go()
      rig.give()
    case "failure":
      rig.points.fail("load")
      rig.stage.settle()
    default: rig.act { $0.cancel() }
    }
    #expect(rig.shown == ["skeleton", exit])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `V3: a link reaches a coordinator that is being torn down`() {
    // The faulty way: the old list's coordinator is kept by its subscription, hears the link as well, and pushes.
    let (log, links) = (Shared<[String]>([]), Publisher<String?>(nil))
    let old = FaultyCoordinator("sent", links: links, log: log)
    old.isTornDown = true
    let new = FaultyCoordinator("inbox", links: links, log: log)
    links.send("42")
    old.finishResolving()
    new.finishResolving()
    #expect(log.withLock { $0 } == ["push 42 onto sent, which is torn down", "push 42 onto inbox"])

    // Ferry's: the link comes while the old list is torn down. It waits for that, and is pushed once.
    let rig = RouterRig()
    rig.visit("sent", as: "old")
    rig.go("mount sent #1")
    rig.visit("inbox", as: "new")
    #expect(rig.waiting == ["unmount sent #1"])
    rig.open(letter42, as: "link")
    #expect(rig.waiting == ["unmount sent #1"])
    rig.go("unmount sent #1", "mount inbox #2", "resolve 42")
    #expect(rig.log == ["push letter 42 onto inbox #2"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `V3: the item is resolved when its list is gone`() {
    // The faulty way: what was true before the wait is taken for true after it.
    let (log, links) = (Shared<[String]>([]), Publisher<String?>(nil))
    let coordinator = FaultyCoordinator("inbox", links: links, log: log)
    links.send("42")
    coordinator.isTornDown = true
    coordinator.finishResolving()
    #expect(log.withLock { $0 } == ["push 42 onto inbox, which is torn down"])

    // Ferry's: in whatever way the list has gone.
    for leave in ["another", "nothing", "the same again", "switch"] {
      let rig = RouterRig()
      rig.open(letter42, as: "link")
      rig.go("mount inbox #1")
      switch leave {
      case "another": rig.visit("sent", as: "v")
      case "nothing": rig.visit(nil, as: "v")
      case "the same again":
        rig.visit(nil, as: "v")
        rig.visit("inbox", as: "w")
      default: rig.event("v") { $0.switchAccount(to: bob) }
      }
      rig.go("unmount inbox #1", "resolve 42")
      #expect(rig.log.filter { $0.hasPrefix("push") } == [], "\(leave)")
      guard case .refused? = rig.outcome("link") else {
        Issue.record("\(leave): \(rig.said("link") ?? "nothing")")
        return
      }
    }
  }

  @available(macOS 15, iOS 18, *)
  @Test func `S1: the first value arrives inside the call to subscribe`() {
    // The faulty way: the list is empty before it has begun to load.
    let faulty = FaultyList()
    #expect(faulty.shown == ["empty"])

    // Ferry's: an empty snapshot is no end of loading, even one that is there at once.
    let rig = `A list that runs`.Rig()
    #expect(rig.shown == ["skeleton"] && rig.source.askings == 1)
    rig.give()
    rig.advance(.seconds(1))
    #expect(rig.shown == ["skeleton"])
    rig.go()
    #expect(
      rig.shown == ["skeleton"], "nor is the end of loading an empty list: what it loaded may be on its way")
    rig.give("a", to: 2)
    #expect(rig.shown == ["skeleton", "content a"])
  }

  /// Where a list is shown: an actor, as the main actor is one, that says whether it was called in its own place.
  @available(macOS 15, iOS 18, *)
  actor Place {
    private let executor: Stage.Screen
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private let list = ListModel<Line>(minimumSkeleton: .zero, clock: ManualClock())
    private(set) var shown = 0

    init(_ stage: Stage) { executor = stage.screen }

    func run(_ source: Source) async {
      // What isn't `Sendable` may be touched by `apply`: the compiler knows that it is called here.
      await list.run(snapshots: { source.ask() }, loading: {}, apply: { _ in shown += 1 })
    }
  }

  @available(macOS 15, iOS 18, *)
  @Test func `S5: the event arrives on whatever thread wrote`() {
    // The faulty way: whoever sends calls the list, wherever that is.
    let (rows, place) = (Publisher(0), Shared("the screen"))
    var calledIn: [String] = []
    rows.sink { _ in calledIn.append(place.withLock { $0 }) }
    place.withLock { $0 = "a writer" }
    rows.send(1)
    #expect(calledIn == ["the screen", "a writer"])

    // Ferry's: nothing is shown while the writer writes, but when the screen's own executor gets its turn.
    let stage = Stage()
    let (screen, source) = (Place(stage), Source())
    let task = Task(executorPreference: stage.pool) { await screen.run(source) }
    stage.settle()
    let before = screen.assumeIsolated { $0.shown }
    source.give("a")
    #expect(screen.assumeIsolated { $0.shown } == before)
    stage.settlePool()
    #expect(screen.assumeIsolated { $0.shown } == before)
    stage.settle()
    #expect(screen.assumeIsolated { $0.shown } == before + 1)
    task.cancel()
    stage.settle()
  }

  @available(macOS 15, iOS 18, *)
  @Test func `M4: an empty screen after the update looks like lost data`() {
    // The faulty way: the list asks the new store before anything has crossed, and says that there is nothing.
    let faulty = FaultyList()
    faulty.begin()
    faulty.end()
    #expect(faulty.shown.last == "empty")

    // Ferry's: the gate says what is going on and lets nobody in; it opens by itself, and what came is led on.
    var gate = CrossingGate()
    let rig = RouterRig(isOpen: gate.state.admitsInput)
    rig.open(letter42, as: "link")
    var shown: [CrossingGate.State] = []
    let progress = CrossingProgress(phase: "restoring", domain: "folder", done: 3, of: 14)
    let signals: [CrossingSignal] = [
      .core(["folder", "item"]), .progress(progress), .over(domain: "folder"),
      .waitingForNetwork(domain: "item"),
      .over(domain: "item"),
    ]
    for signal in signals {
      rig.visit("inbox", as: "visit")
      #expect(rig.outcome("visit") == .refused(.crossing) && rig.points.reached == [])
      if gate.hear(signal) { shown.append(gate.state) }
    }
    #expect(shown == [.crossing(progress), .waitingForNetwork(domain: "item"), .ready])
    rig.act { $0.admit() }
    rig.go("mount inbox #1", "resolve 42")
    #expect(rig.log == ["push letter 42 onto inbox #1"])

    // Never again: not when the account is switched, whatever crosses behind, and not at a second start.
    rig.event("switch") { $0.switchAccount(to: bob) }
    rig.go("unmount inbox #1", "folder bob@home", "mount bobs #2")
    for signal in signals { gate.hear(signal) }
    #expect(gate.state == .ready && !gate.state.isShown)
    var second = CrossingGate()
    let atStart = second.state
    second.hear(.core([]))
    #expect(!atStart.isShown && second.state == .ready)
  }
}
