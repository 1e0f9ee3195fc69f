import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli roadmap`: what crosses, in which order, and where each step stands.
enum RoadmapCommand {
  static let command = Command(
    "roadmap", "Show what crosses, in which order, and where each step stands.",
    options: [.flag("mermaid", "Print a Mermaid flowchart, for a pull request or a page.")]
  ) { call in
    if call.flag("mermaid"), call.wantsJSON {
      throw UsageError("--mermaid and --json are two forms.", suggestion: "Say one of them.")
    }
    let ferry = try call.ferry()
    let states = try ferry.plan.states(ferry.journal())
    if call.flag("mermaid") {
      try call.print(RoadmapFlowchart(states, unlisted: ferry.plan.unlisted).text)
    } else if call.wantsJSON {
      try call.document([
        "roadmap": json(states), "unlisted": .array(ferry.plan.unlisted.map { .string($0.name) }),
      ])
    } else {
      try call.print(table(states))
      for domain in ferry.plan.unlisted {
        call.note("\(domain.name) is registered but not in the roadmap: it is off.")
      }
    }
    return .ok
  }

  static func table(_ states: [(step: Plan.Step, state: StepState)]) -> TextTable {
    var table = TextTable([.right("#"), "Domain", "Strategy", "Core", "State", "What it keeps"])
    for (index, (step, state)) in states.enumerated() {
      table.add(
        "\(index + 1)", step.domain.name, step.strategy.rawValue, step.isCore ? "core" : "", state.sentence,
        step.domain.summary)
    }
    return table
  }

  static func json(_ states: [(step: Plan.Step, state: StepState)]) -> JSONValue {
    .array(
      states.map { step, state in
        var members: JSONObject = [
          "domain": .string(step.domain.name), "strategy": .string(step.strategy.rawValue),
          "core": .bool(step.isCore), "enabled": .bool(step.isEnabled),
          "dependsOn": .array(step.domain.dependsOn.map { .string($0) }),
        ]
        for member in state.json.members { members[member.name] = member.value }
        return .object(members)
      })
  }
}

extension Ferry {
  /// The accounts of the store; none where there is no store yet.
  func accounts() throws -> [Account] {
    try openStoreIfPresent()?.device.blockingRead { try $0.accounts() } ?? []
  }

  /// The journal as it is; empty where there is no store yet.
  func journal() throws -> [JournalEntry] {
    try openStoreIfPresent()?.device.blockingRead { try $0.fetch(JournalEntry.all) } ?? []
  }
}
