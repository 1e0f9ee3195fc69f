import FerryStore

/// Finds every fault of a roadmap that the file alone doesn't show.
struct PlanCheck {
  private let roadmap: Roadmap
  private let domains: [Domain]
  private(set) var faults: [SourceFault] = []

  init(_ roadmap: Roadmap, _ domains: [Domain]) {
    self.roadmap = roadmap
    self.domains = domains
  }

  mutating func run() -> [Plan.Step] {
    var steps: [Plan.Step] = []
    for (index, step) in roadmap.steps.enumerated() {
      guard let domain = domains.first(where: { $0.name == step.domain.value }) else {
        fault(
          "unknownDomain", step.domain.position,
          "there is no domain '\(step.domain.value)'\(hint(step.domain.value, domains.map(\.name)))",
          "Known are \(list(domains.map(\.name))).")
        continue
      }
      checkDependencies(of: domain, at: index)
      steps.append(planned(step, domain))
    }
    checkLast()
    return steps
  }

  // MARK: Order

  private mutating func checkDependencies(of domain: Domain, at index: Int) {
    let step = roadmap.steps[index]
    for dependency in domain.dependsOn {
      guard let other = roadmap.steps.firstIndex(where: { $0.domain.value == dependency }) else {
        if step.isEnabled, !isMisspelt(dependency, roadmap.steps.map(\.domain.value), domains.map(\.name)) {
          fault(
            "missingDependency", step.domain.position,
            "domain '\(domain.name)' depends on '\(dependency)', which the roadmap doesn't have",
            "Add '\(dependency)' above it.")
        }
        continue
      }
      if other > index {
        fault(
          "order", step.domain.position,
          "domain '\(domain.name)' comes before '\(dependency)', which it depends on",
          "Move it below line \(lastLine(of: other)).")
      } else if step.isEnabled, !roadmap.steps[other].isEnabled {
        fault(
          "missingDependency", step.domain.position,
          "domain '\(domain.name)' depends on '\(dependency)', which line "
            + "\(roadmap.steps[other].enabledPosition.line) turns off",
          "Enable '\(dependency)' or turn '\(domain.name)' off too.")
      }
    }
  }

  private mutating func checkLast() {
    guard let last = roadmap.steps.last else { return }
    let lastDomains = domains.filter(\.isLast).map(\.name)
    if let early = roadmap.steps.dropLast().first(where: { lastDomains.contains($0.domain.value) }) {
      fault(
        "notLast", early.domain.position,
        "domain '\(early.domain.value)' must be the last one, and '\(last.domain.value)' comes after it",
        "Move it below line \(lastLine(of: roadmap.steps.count - 1)).")
    } else if let domain = domains.first(where: { $0.name == last.domain.value }), domain.lastQueue == nil {
      fault(
        "noQueue", last.domain.position,
        "the last domain must have a serial queue of its own, and '\(domain.name)' has none",
        "End the roadmap with \(lastDomains.isEmpty ? "a domain that has one" : list(lastDomains)).")
    }
  }

  /// The last line of the file that belongs to a step, as far as the roadmap tells.
  private func lastLine(of index: Int) -> Int {
    let step = roadmap.steps[index]
    let ends = step.legacy.flatMap { mapping in
      var lines = [mapping.position.line] + mapping.fields.map(\.origin.lastLine)
      if case .matching(let conditions) = mapping.preserve { lines += conditions.map(\.value.position.line) }
      lines += mapping.pendingDeletes.map(\.value.position.line)
      if let account = mapping.account { lines.append(account.position.line) }
      return lines
    }
    return max(step.position.line, step.strategy.position.line, step.enabledPosition.line, ends.max() ?? 0)
  }

  // MARK: Mapping

  private mutating func planned(_ step: Roadmap.Step, _ domain: Domain) -> Plan.Step {
    for mapping in step.legacy where !domain.crossings.contains(where: { $0.entity == mapping.entity.value })
    {
      let known = domain.crossings.map(\.entity)
      fault(
        "unknownEntity", mapping.entity.position,
        "domain '\(domain.name)' has no '\(mapping.entity.value)'\(hint(mapping.entity.value, known))",
        "It has \(list(known)).")
    }
    var entities: [Plan.Entity] = []
    for crossing in domain.crossings {
      guard let mapping = step.legacy.first(where: { $0.entity.value == crossing.entity }) else {
        if !isMisspelt(crossing.entity, step.legacy.map(\.entity.value), domain.crossings.map(\.entity)) {
          fault(
            "missingEntity", step.position,
            "domain '\(domain.name)' doesn't say where its '\(crossing.entity)' comes from",
            "Add '\(crossing.entity)' with its class and fields under 'legacy'.")
        }
        continue
      }
      if let entity = entity(crossing, mapping, step, domain) { entities.append(entity) }
    }
    // Not the tables: those may change after the crossing, and the store keeps count of that by itself.
    let freeze = StableHash.of(step.canonicalText)
    return Plan.Step(
      domain: domain, isEnabled: step.isEnabled, isCore: step.isCore, strategy: step.strategy.value,
      entities: entities, position: step.position, freeze: freeze)
  }

  // MARK: Words

  /// Whether an unknown one of the names was meant to be this one. Then that is the fault, told where it is, and
  /// not that this one is missing.
  func isMisspelt(_ name: String, _ written: [String], _ known: [String]) -> Bool {
    written.contains { !known.contains($0) && NearestName.of($0, among: [name]) != nil }
  }

  mutating func fault(_ rule: String, _ position: SourcePosition, _ message: String, _ remedy: String) {
    faults.append(roadmap.fault(rule, at: position, message, remedy: remedy))
  }
  func hint(_ name: String, _ known: [String]) -> String { NearestName.hint(for: name, among: known) }
  func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
