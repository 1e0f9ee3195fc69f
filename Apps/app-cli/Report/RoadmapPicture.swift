import FerryKernel

/// The roadmap as a picture: a box a domain in the order of the crossing, with arrows from what it stands on.
struct RoadmapPicture {
  private static let columns = 6
  private static let (width, height) = (150, 64)
  private static let (gapX, gapY) = (26, 46)

  private let states: [(step: Plan.Step, state: StepState)]

  init(_ states: [(step: Plan.Step, state: StepState)]) { self.states = states }

  var html: HTML {
    let columns = min(states.count, Self.columns)
    let rows = (states.count + Self.columns - 1) / max(1, Self.columns)
    let width = columns * (Self.width + Self.gapX)
    let height = rows * (Self.height + Self.gapY)
    return """
      <svg class="roadmap" viewBox="0 0 \(width) \(height)" role="img" aria-label="The roadmap">
      <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
      <path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
      \(states.indices.flatMap(arrows))\(states.indices.map(box))</svg>
      """
  }

  private func corner(_ index: Int) -> (x: Int, y: Int) {
    (
      Self.gapX / 2 + index % Self.columns * (Self.width + Self.gapX),
      Self.gapY / 2 + index / Self.columns * (Self.height + Self.gapY)
    )
  }

  private func box(_ index: Int) -> HTML {
    let (step, state) = states[index]
    let (x, y) = corner(index)
    return """
      <g class="box \(state.name)"><rect x="\(x)" y="\(y)" width="\(Self.width)" height="\(Self.height)" rx="9"/>\
      <text class="name" x="\(x + 12)" y="\(y + 24)">\(index + 1) \(step.domain.name)</text>\
      <text x="\(x + 12)" y="\(y + 41)">\(step.strategy.rawValue)\(step.isCore ? ", core" : "")</text>\
      <text class="state" x="\(x + 12)" y="\(y + 56)">\(shortState(state))</text></g>

      """
  }

  private func shortState(_ state: StepState) -> String {
    switch state {
    case .crossing(let phase): phase.rawValue
    case .waitingForNetwork: "waiting for the network"
    default: state.name
    }
  }

  /// From what the domain stands on, over the boxes between the two.
  private func arrows(_ index: Int) -> [HTML] {
    states[index].step.domain.dependsOn.compactMap { name -> HTML? in
      guard let other = states.firstIndex(where: { $0.step.domain.name == name }) else { return nil }
      let (from, to) = (corner(other), corner(index))
      if index == other + 1, from.y == to.y {
        let y = from.y + Self.height / 2
        return
          "<path class=\"arrow\" marker-end=\"url(#tip)\" d=\"M\(from.x + Self.width) \(y)H\(to.x - 1)\"/>\n"
      }
      let (startX, endX) = (from.x + Self.width / 2, to.x + Self.width / 2)
      let lift = min(from.y, to.y) - Self.gapY / 2 + 4
      return """
        <path class="arrow" marker-end="url(#tip)" \
        d="M\(startX) \(from.y)C\(startX) \(lift) \(endX) \(lift) \(endX) \(to.y - 1)"/>

        """
    }
  }
}
