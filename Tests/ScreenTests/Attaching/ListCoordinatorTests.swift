import Testing

@testable import FerryScreen

/// A coordinator on a stage whose mounts and unmounts wait for the test.
@available(macOS 15, iOS 18, *)
actor CoordinatorScreen {
  private let executor: Stage.Screen
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let coordinator = ListCoordinator<String>()
  private(set) var outcomes: [String: AttachOutcome<String>] = [:]
  private(set) var isOver = false

  init(_ stage: Stage) { executor = stage.screen }

  func run(_ points: Points, isDeaf: Bool) async {
    await coordinator.run(
      mount: { mount in
        try await points.wait(at: "mount \(mount.target) #\(mount.instance)")
        if !isDeaf { try Task.checkCancellation() }
      },
      unmount: { mount in
        try? await points.wait(at: "unmount \(mount.target) #\(mount.instance)")  // why: it can't fail
      })
    isOver = true
  }

  func attach(_ target: String, as name: String) async { outcomes[name] = await coordinator.attach(target) }
  func detach(as name: String) async { outcomes[name] = await coordinator.detach() }
}

@available(macOS 15, iOS 18, *)
struct CoordinatorRig {
  let stage = Stage()
  let points = Points()
  let screen: CoordinatorScreen
  let task: Task<Void, Never>

  init(isDeaf: Bool = true) {
    let (screen, points) = (CoordinatorScreen(stage), points)
    self.screen = screen
    task = Task(executorPreference: stage.pool) { await screen.run(points, isDeaf: isDeaf) }
    stage.settle()
  }

  @discardableResult func attach(_ target: String, as name: String) -> Task<Void, Never> {
    let task = Task(executorPreference: stage.pool) { [screen] in await screen.attach(target, as: name) }
    stage.settle()
    return task
  }
  func detach(as name: String) {
    Task(executorPreference: stage.pool) { [screen] in await screen.detach(as: name) }
    stage.settle()
  }
  func go(_ name: String) {
    #expect(points.go(name), "nobody waits at \(name), but at \(points.waiting)")
    stage.settle()
  }
  func outcome(_ name: String) -> String? {
    screen.assumeIsolated { screen in
      screen.outcomes[name].map {
        switch $0 {
        case .attached(let mount): "attached #\(mount.instance)"
        case .alreadyAttached(let mount): "already #\(mount.instance)"
        case .detached: "detached"
        case .superseded: "superseded"
        case .failed(let error): "failed: \(error)"
        case .ended: "ended"
        }
      }
    }
  }
  var lifecycle: String {
    screen.assumeIsolated {
      switch $0.coordinator.lifecycle {
      case .detached: "detached"
      case .attaching(let it): "attaching \(it.mount.target)"
      case .attached(let it): "attached \(it.mount.target)"
      case .detaching(let it): "detaching \(it.mount.target)"
      }
    }
  }
}

@Suite struct `A coordinator of lists` {
  @available(macOS 15, iOS 18, *)
  @Test func `has attached a list when attach returns, and not before`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    #expect(rig.outcome("a") == nil && rig.lifecycle == "attaching inbox")
    rig.go("mount inbox #1")
    #expect(rig.outcome("a") == "attached #1" && rig.lifecycle == "attached inbox")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `drops a second wish for the same list, whenever it comes`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    rig.attach("inbox", as: "b")
    #expect(rig.outcome("b") == nil, "the list isn't attached yet")
    rig.go("mount inbox #1")
    rig.attach("inbox", as: "c")
    #expect(rig.outcome("a") == "attached #1")
    #expect(rig.outcome("b") == "already #1" && rig.outcome("c") == "already #1")
    #expect(rig.points.reached == ["mount inbox #1"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `detaches one list before it mounts another`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    rig.go("mount inbox #1")
    rig.attach("sent", as: "b")
    #expect(rig.lifecycle == "detaching inbox" && rig.points.waiting == ["unmount inbox #1"])
    rig.attach("sent", as: "c")
    rig.go("unmount inbox #1")
    #expect(rig.lifecycle == "attaching sent")
    rig.go("mount sent #2")
    #expect(rig.outcome("b") == "attached #2" && rig.outcome("c") == "already #2")
  }

  @available(macOS 15, iOS 18, *)
  @Test(arguments: [true, false])
  func `gives up a list that is being mounted, and takes away what came of it`(
    isDeaf: Bool
  ) {
    let rig = CoordinatorRig(isDeaf: isDeaf)
    rig.attach("inbox", as: "a")
    rig.attach("sent", as: "b")
    #expect(rig.outcome("a") == "superseded" && rig.lifecycle == "detaching inbox")
    rig.go("mount inbox #1")
    if isDeaf { rig.go("unmount inbox #1") }
    rig.go("mount sent #2")
    #expect(rig.outcome("b") == "attached #2")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `lets the newest of several wishes count`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    rig.go("mount inbox #1")
    rig.attach("sent", as: "b")
    rig.attach("drafts", as: "c")
    #expect(rig.outcome("b") == "superseded")
    rig.attach("inbox", as: "d")
    #expect(rig.outcome("c") == "superseded", "and what is being detached is none of them")
    rig.go("unmount inbox #1")
    rig.go("mount inbox #4")
    #expect(rig.outcome("d") == "attached #4")
    #expect(rig.points.reached == ["mount inbox #1", "unmount inbox #1", "mount inbox #4"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `has nothing attached when detach returns`() {
    let rig = CoordinatorRig()
    rig.detach(as: "none")
    #expect(rig.outcome("none") == "detached")
    rig.attach("inbox", as: "a")
    rig.go("mount inbox #1")
    rig.attach("sent", as: "b")
    rig.detach(as: "c")
    rig.detach(as: "d")
    #expect(rig.outcome("b") == "superseded" && rig.outcome("c") == nil)
    rig.go("unmount inbox #1")
    #expect(rig.outcome("c") == "detached" && rig.outcome("d") == "detached" && rig.lifecycle == "detached")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `says that a mount failed, to all who waited for it`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    rig.attach("inbox", as: "b")
    rig.points.fail("mount inbox #1")
    rig.stage.settle()
    #expect(rig.outcome("a") == "failed: It failed." && rig.outcome("b") == "failed: It failed.")
    #expect(rig.lifecycle == "detached")
    rig.attach("inbox", as: "c")
    rig.go("mount inbox #2")
    #expect(rig.outcome("c") == "attached #2")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `knows which mount is attached, not only which list`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    rig.go("mount inbox #1")
    guard let old = rig.screen.assumeIsolated({ $0.coordinator.lifecycle.attached?.mount }) else {
      Issue.record("nothing is attached")
      return
    }
    #expect(rig.screen.assumeIsolated { $0.coordinator.isAttached(old) })
    rig.detach(as: "b")
    #expect(!rig.screen.assumeIsolated { $0.coordinator.isAttached(old) }, "from the wish on")
    rig.go("unmount inbox #1")
    rig.attach("inbox", as: "c")
    rig.go("mount inbox #2")
    #expect(!rig.screen.assumeIsolated { $0.coordinator.isAttached(old) })
  }

  @available(macOS 15, iOS 18, *)
  @Test func `leaves nobody waiting when it ends`() {
    let rig = CoordinatorRig()
    rig.attach("inbox", as: "a")
    let waiting = rig.attach("inbox", as: "b")
    waiting.cancel()
    rig.stage.settle()
    #expect(rig.outcome("b") == "ended" && rig.outcome("a") == nil)
    rig.task.cancel()
    rig.stage.settle()
    rig.go("mount inbox #1")
    #expect(rig.screen.assumeIsolated { $0.isOver })
    #expect(rig.outcome("a") == "ended" && rig.lifecycle == "detached")
    rig.attach("sent", as: "c")
    #expect(rig.outcome("c") == "ended")
  }
}
