import FerryKernel
import FerryStore

/// The roadmap as a Mermaid flowchart: a box a domain, coloured by where it stands; an arrow from each domain to
/// those that depend on it, and a dotted one to the last from those that nothing else waits for.
struct RoadmapFlowchart {
  let text: String

  init(_ states: [(step: Plan.Step, state: StepState)], unlisted: [Domain]) {
    var lines = ["flowchart TD"]
    let domains = states.map(\.step.domain) + unlisted
    for (index, (step, state)) in states.enumerated() {
      let words = [step.strategy.rawValue] + (step.isCore ? ["core"] : [])
      lines.append(
        "  d\(index + 1)[\"\(index + 1). \(label(step.domain.name))<br/>\(words.joined(separator: ", "))"
          + "<br/>\(label(RoadmapFlowchart.word(state)))\"]:::\(state.name)")
    }
    for (index, domain) in unlisted.enumerated() {
      lines.append("  d\(states.count + index + 1)[\"\(label(domain.name))<br/>not in the roadmap\"]:::off")
    }
    func place(_ name: String) -> Int? { domains.firstIndex { $0.name == name } }
    for (index, domain) in domains.enumerated() {
      for other in domain.dependsOn.compactMap(place) { lines.append("  d\(other + 1) --> d\(index + 1)") }
    }
    if let last = domains.firstIndex(where: \.isLast) {
      let awaited = Set(domains.flatMap(\.dependsOn))
      for (index, domain) in domains.enumerated() where index != last && !awaited.contains(domain.name) {
        lines.append("  d\(index + 1) -.-> d\(last + 1)")
      }
    }
    text = (lines + RoadmapFlowchart.colours).joined(separator: "\n")
  }

  /// A state in few words; what it waits for is what the arrows say.
  private static func word(_ state: StepState) -> String {
    switch state {
    case .off, .done, .waiting: state.name
    case .crossing(let phase): "in progress: \(phase.rawValue)"
    case .waitingForNetwork: "waiting for the network"
    case .failed(let phase, _, _): "failed after \(phase.rawValue)"
    }
  }

  /// Every state has a class, so that a box in any of them is drawn alike in all charts.
  private static let colours = [
    "  classDef done fill:#d8f3dc,stroke:#2d6a4f,color:#1b4332",
    "  classDef crossing fill:#fff3bf,stroke:#b08900,color:#5c4700",
    "  classDef waiting fill:#e7f0fa,stroke:#3a6ea5,color:#1d3557",
    "  classDef waitingForNetwork fill:#e7f0fa,stroke:#3a6ea5,color:#1d3557,stroke-dasharray:4 3",
    "  classDef failed fill:#fde2e1,stroke:#b3261e,color:#601410",
    "  classDef off fill:#f1f1f1,stroke:#8a8a8a,color:#5a5a5a,stroke-dasharray:4 3",
  ]
}

/// A text inside the quotes of a label.
private func label(_ text: String) -> String {
  text.replacing("&", with: "#amp;").replacing("\"", with: "#quot;").replacing("<", with: "#lt;")
    .replacing(">", with: "#gt;")
}
