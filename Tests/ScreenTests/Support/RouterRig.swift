import Testing

@testable import FerryScreen

let alice = account("alice@home")
let bob = account("bob@home")

func account(_ text: String) -> LinkAccount {
  guard let account = LinkAccount(text) else { preconditionFailure(text) }
  return account
}

func place(_ folder: String, of account: LinkAccount = alice) -> Place {
  guard let folder = LinkID(folder) else { preconditionFailure(folder) }
  return Place(account: account, folder: folder)
}

/// A router on a stage, all of whose hands wait for the test.
@available(macOS 15, iOS 18, *)
actor RouterScreen {
  private let executor: Stage.Screen
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let router: Router<String>
  /// What a person sees happen.
  private(set) var log: [String] = []
  private(set) var outcomes: [String: RouteOutcome] = [:]
  private(set) var isOver = false

  init(_ stage: Stage, isOpen: Bool, trace: sending Trace) {
    executor = stage.screen
    router = Router(active: alice, accounts: [alice, bob], isOpen: isOpen, trace: trace)
  }

  func run(_ points: Points) async {
    let hands = Router<String>.Hands(
      mount: { try await points.wait(at: "mount \($0.target.folder) #\($0.instance)") },
      unmount: { mount in
        try? await points.wait(at: "unmount \(mount.target.folder) #\(mount.instance)")  // why: it can't fail
      },
      resolve: { link in
        try await points.wait(at: "resolve \(link.item?.rawValue ?? "")")
        return link.item?.rawValue == "gone" ? nil : "letter \(link.item?.rawValue ?? "")"
      },
      firstFolder: { account in
        try await points.wait(at: "folder \(account)")
        return account == bob ? LinkID("bobs") : nil
      })
    await router.run(
      hands, activate: { log.append("activate \($0)") },
      push: { log.append("push \($0) onto \($1.target.folder) #\($1.instance)") })
    isOver = true
  }

  func keep(_ outcome: RouteOutcome, as name: String) { outcomes[name] = outcome }
}

@available(macOS 15, iOS 18, *)
struct RouterRig {
  let stage = Stage()
  let points = Points()
  let screen: RouterScreen
  let task: Task<Void, Never>

  init(isOpen: Bool = true, trace: sending Trace = .off) {
    let (screen, points) = (RouterScreen(stage, isOpen: isOpen, trace: trace), points)
    self.screen = screen
    task = Task(executorPreference: stage.pool) { await screen.run(points) }
    stage.settle()
  }

  /// Hands the router an event and keeps its outcome under a name.
  func event(_ name: String, _ give: @Sendable (Router<String>) -> Router<String>.Event) {
    let event = screen.assumeIsolated { give($0.router) }
    Task(executorPreference: stage.pool) { [screen] in
      await screen.keep(await event.outcome(), as: name)
    }
    stage.settle()
  }
  func open(_ text: String, as name: String) { event(name) { $0.open(text) } }
  func visit(_ folder: String?, as name: String) { event(name) { $0.visit(folder.map { place($0) }) } }
  func act(_ body: @Sendable (Router<String>) -> Void) {
    screen.assumeIsolated { body($0.router) }
    stage.settle()
  }
  func go(_ names: String...) {
    for name in names {
      #expect(points.go(name), "nobody waits at \(name), but at \(points.waiting)")
      stage.settle()
    }
  }
  func fail(_ name: String, _ error: any Error = Points.Failed()) {
    #expect(points.go(name, .failure(error)))
    stage.settle()
  }
  var log: [String] { screen.assumeIsolated { $0.log } }
  func outcome(_ name: String) -> RouteOutcome? { screen.assumeIsolated { $0.outcomes[name] } }
  func said(_ name: String) -> String? { outcome(name).map { "\($0)" } }
  var waiting: Set<String> { points.waiting }
}

let letter42 = "ferry://alice@home/folder/inbox/item/42"
let letter43 = "ferry://alice@home/folder/inbox/item/43"
