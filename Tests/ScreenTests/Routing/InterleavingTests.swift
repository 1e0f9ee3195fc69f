import Testing

@testable import FerryScreen

@Suite struct `All that can happen to a screen` {
  struct Exploration {
    private(set) var ends = 0
    private(set) var faults = 0
    private(set) var steps = 0
    private(set) var outcomes: Set<String> = []
    private var path: [World.Event] = []

    /// Goes through every order of `depth` more events, each of all that can happen then. After each step the world
    /// has looked for what must never be. With one event to go, and at every tenth end, all that is under way comes
    /// to its own end, and then nothing may be left.
    mutating func go(_ world: World, depth: Int) {
      if depth == 0 { ends += 1 }
      if depth == 1 || depth == 0 && ends % 10 == 0 {
        var rest = world
        rest.settle()
        record(rest.fault)
        for outcome in rest.outcomes.values { outcomes.insert(name(outcome)) }
      }
      guard depth > 0 else { return }
      // Ten faults say enough.
      for event in world.enabled where faults < 10 {
        var next = world
        next.happen(event)
        steps += 1
        path.append(event)
        record(next.fault)
        if next.fault == nil { go(next, depth: depth - 1) }
        path.removeLast()
      }
    }

    private mutating func record(_ fault: String?) {
      guard let fault else { return }
      faults += 1
      Issue.record("\(fault), after: \(path)")
    }
  }

  static func name(_ outcome: RouteOutcome) -> String {
    switch outcome {
    case .refused(let refusal): refusal.code
    case .pushed: "pushed"
    case .list: "list"
    case .alreadyShown: "alreadyShown"
    case .switched(_, let mount): mount == nil ? "switched to nothing" : "switched"
    case .alreadyActive: "alreadyActive"
    case .left: "left"
    }
  }

  @Test func `keeps the rules in every order of six events`() {
    var exploration = Exploration()
    exploration.go(World(), depth: 6)
    print("All \(exploration.ends) interleavings of six events hold, in \(exploration.steps) steps.")
    #expect(exploration.ends > 400_000)
    #expect(
      exploration.outcomes.isSuperset(of: [
        "pushed", "list", "alreadyShown", "switched", "switched to nothing", "left", "screen.listGone",
        "screen.accountSwitched", "screen.superseded", "screen.unknownItem", "screen.failed",
      ]), "only \(exploration.outcomes)")
  }

  @Test func `keeps the rules in long walks`() {
    print("FERRY_SEED=\(Seeded.seed)")
    var pushes = 0
    for walk in 0..<400 {
      var random = Seeded(Seeded.seed &+ UInt64(walk))
      var world = World()
      var path: [World.Event] = []
      for _ in 0..<50 where world.fault == nil {
        // Half of what happens is the end of something, so that things do come to an end.
        let some = Bool.random(using: &random) ? world.enabled : world.pending
        guard let event = some.randomElement(using: &random) else { continue }
        path.append(event)
        world.happen(event)
      }
      world.settle()
      #expect(world.fault == nil, "walk \(walk): \(path)")
      pushes += world.pushed
    }
    #expect(pushes > 100)
  }
}
