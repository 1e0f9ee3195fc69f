import Testing

@testable import FerryScreen

/// The shells under schedules that nobody thought of: which of the waiting jobs runs next is drawn from a seed, and so
/// is when something happens from outside. The same seed gives the same run.
@Suite struct `A shell under any schedule` {
  /// What a host would have on its screen. It keeps the first thing that must never happen.
  struct Host {
    var standing: Mount<Place>?
    var isBusy = false
    var mounts: Set<Int> = []
    var active = alice
    var pushes: [String] = []
    var fault: String?

    mutating func check(_ isTrue: Bool, _ fault: String) { if !isTrue { self.fault = self.fault ?? fault } }
  }

  @available(macOS 15, iOS 18, *)
  actor Screen {
    private let executor: Stage.Screen
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    let router = Router<DeepLink>(active: alice, accounts: [alice, bob])
    let host: Shared<Host>
    private(set) var outcomes: [RouteOutcome] = []

    init(_ stage: Stage, _ host: Shared<Host>) {
      executor = stage.screen
      self.host = host
    }

    func keep(_ outcome: RouteOutcome) { outcomes.append(outcome) }

    func run() async {
      let host = host
      let hands = Router<DeepLink>.Hands(
        mount: { mount in
          host.withLock { host in
            host.check(host.standing == nil && !host.isBusy, "two lists at once")
            host.check(host.mounts.insert(mount.instance).inserted, "#\(mount.instance) is mounted twice")
            host.isBusy = true
          }
          await Task.yield()
          host.withLock { host in
            (host.isBusy, host.standing) = (false, Task.isCancelled ? nil : mount)
          }
          try Task.checkCancellation()
        },
        unmount: { mount in
          host.withLock { $0.check($0.standing == mount && !$0.isBusy, "what isn't there is unmounted") }
          host.withLock { $0.isBusy = true }
          await Task.yield()
          host.withLock { ($0.isBusy, $0.standing) = (false, nil) }
        },
        resolve: { link in
          await Task.yield()
          return link
        },
        firstFolder: { _ in
          await Task.yield()
          return LinkID("first")
        })
      await router.run(hands) { account in
        host.withLock { host in
          host.check(host.standing == nil && !host.isBusy, "the account is switched under a list")
          host.active = account
        }
      } push: { link, mount in
        host.withLock { host in
          host.check(host.standing == mount && !host.isBusy, "a push onto a list that isn't there")
          host.check(mount.target == link.place, "a push onto another list")
          host.check(host.active == link.place.account, "a push for another account")
          host.pushes.append("\(link)")
        }
      }
    }
  }

  @available(macOS 15, iOS 18, *)
  @Test func `a router pushes onto what is there, once for each event, and leaves none open`() {
    print("FERRY_SEED=\(Seeded.seed)")
    var pushes = 0
    for number in 0..<400 {
      var random = Seeded(Seeded.seed &+ UInt64(number))
      let (stage, host) = (Stage(), Shared(Host()))
      let screen = Screen(stage, host)
      let task = Task(executorPreference: stage.pool) { await screen.run() }
      var given = 0
      for step in 0..<12 {
        let kind = Int.random(in: 0...7, using: &random)
        let event = screen.assumeIsolated { screen -> Router<DeepLink>.Event in
          let account = screen.router.active ?? alice
          return switch kind {
          case 0: screen.router.visit(place("inbox", of: account))
          case 1: screen.router.visit(place("sent", of: account))
          case 2: screen.router.visit(nil)
          case 3: screen.router.switchAccount(to: account == alice ? bob : alice)
          default: screen.router.open("ferry://\(account)/folder/inbox/item/\(step)")
          }
        }
        Task(executorPreference: stage.pool) { await screen.keep(await event.outcome()) }
        given += 1
        for _ in 0..<Int.random(in: 0...25, using: &random) {
          stage.step { Int.random(in: 0..<$0, using: &random) }
        }
      }
      stage.settle { Int.random(in: 0..<$0, using: &random) }
      let outcomes = screen.assumeIsolated { $0.outcomes }
      let pushed = outcomes.filter { if case .pushed = $0 { true } else { false } }.count
      host.withLock { host in
        #expect(host.fault == nil, "schedule \(number)")
        #expect(outcomes.count == given && host.pushes.count == pushed, "schedule \(number)")
        #expect(Set(host.pushes).count == host.pushes.count, "schedule \(number): \(host.pushes)")
        #expect(host.standing == screen.assumeIsolated { $0.router.lifecycle.attached?.mount })
        pushes += host.pushes.count
      }
      task.cancel()
      stage.settle()
    }
    #expect(pushes > 400)
  }

  @available(macOS 15, iOS 18, *)
  @Test func `a list shows one skeleton for its time, no other after rows, and nothing once it is closed`() {
    print("FERRY_SEED=\(Seeded.seed)")
    var contents = 0
    for number in 0..<400 {
      var random = Seeded(Seeded.seed &+ UInt64(number))
      let (stage, clock, source, points) = (Stage(), ManualClock(), Source(), Points())
      let screen = ListScreen(stage, clock)
      let task = Task(executorPreference: stage.pool) { await screen.run(source, points) }
      stage.settle { Int.random(in: 0..<$0, using: &random) }
      var (time, closed) = (0, Int?.none)
      for _ in 0..<14 {
        switch Int.random(in: 0...9, using: &random) {
        case 0...3: source.give("a")
        case 4: points.go("load")
        case 5: if closed == nil { screen.assumeIsolated { $0.list.refresh() } }
        case 6:
          if closed == nil, Bool.random(using: &random) {
            screen.assumeIsolated { $0.list.close() }
            closed = screen.assumeIsolated { $0.shown.count }
          }
        default:
          clock.advance(by: .milliseconds(100))
          time += 100
        }
        let shown = screen.assumeIsolated { $0.shown }
        #expect(time >= 500 || !shown.contains { $0 != "skeleton" }, "schedule \(number)")
        for _ in 0..<Int.random(in: 0...9, using: &random) {
          stage.step { Int.random(in: 0..<$0, using: &random) }
        }
      }
      stage.settle { Int.random(in: 0..<$0, using: &random) }
      let shown = screen.assumeIsolated { $0.shown }
      #expect(shown.count { $0 == "skeleton" } == 1, "schedule \(number): \(shown)")
      if let closed { #expect(shown.count == closed, "schedule \(number): \(shown)") }
      contents += shown.contains("content a") ? 1 : 0
      task.cancel()
      stage.settle()
      while let name = points.waiting.first {
        points.go(name)
        stage.settle()
      }
      #expect(screen.assumeIsolated { $0.runs } == 1 && clock.sleepers == 0)
    }
    #expect(contents > 50)
  }
}
