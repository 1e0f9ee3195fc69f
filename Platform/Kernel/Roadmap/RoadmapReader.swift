/// Reads `roadmap.yaml` into a ``Roadmap`` and throws the first fault of its structure.
struct RoadmapReader {
  let file: String

  static func source(_ file: String) -> YAMLSource { YAMLSource(file: file, vocabulary: "roadmap") }

  func roadmap(_ bytes: [UInt8]) throws(SourceFault) -> Roadmap {
    let root = try YAMLDocument.parse(bytes, file: file, vocabulary: Self.source(file).vocabulary)
    let version = try root.formatVersion(Roadmap.currentVersion)
    let node = try root.mapping(required: ["version", "domains"]).value("domains")
    var steps: [Roadmap.Step] = []
    var lines: [String: Int] = [:]
    for item in try node.sequence() {
      let step = try step(item)
      if let first = lines.updateValue(step.domain.position.line, forKey: step.domain.value) {
        throw node.source.fault(
          "duplicateDomain", at: step.domain.position,
          "domain \(QuotedText(step.domain.value)) is named twice, first on line \(first)",
          remedy: "Remove one of the two.")
      }
      steps.append(step)
    }
    guard !steps.isEmpty else {
      throw node.fault("noDomains", "the roadmap names no domain", remedy: "List at least one domain.")
    }
    return Roadmap(file: file, version: version, steps: steps)
  }

  private func step(_ node: YAMLNode) throws(SourceFault) -> Roadmap.Step {
    let mapping = try node.mapping(
      required: ["domain", "strategy"], optional: ["enabled", "core", "legacy"])
    let domain = try mapping.value("domain").kebabCaseName("a domain's name")
    let strategy = try strategy(mapping.value("strategy"))
    let enabled = mapping.valueIfPresent("enabled")
    return Roadmap.Step(
      domain: domain,
      isEnabled: try enabled?.bool() ?? true,
      enabledPosition: enabled?.position,
      isCore: try mapping.valueIfPresent("core")?.bool() ?? false,
      strategy: strategy,
      legacy: try legacy(mapping.valueIfPresent("legacy"), strategy.value),
      position: mapping.position)
  }

  private func strategy(_ node: YAMLNode) throws(SourceFault) -> Located<Strategy> {
    let text = try node.text()
    guard let strategy = Strategy(rawValue: text) else {
      let known = Strategy.allCases.map(\.rawValue)
      throw node.fault(
        "unknownStrategy", "unknown strategy \(QuotedText(text))\(NearestName.hint(for: text, among: known))",
        remedy: "Write copy, resync or discard.")
    }
    return Located(strategy, at: node.position)
  }

  private func legacy(_ node: YAMLNode?, _ strategy: Strategy) throws(SourceFault) -> [LegacyMapping] {
    var mappings: [LegacyMapping] = []
    for entry in try node?.entries() ?? [] {
      mappings.append(try LegacyMappingReader(strategy: strategy).mapping(entry))
    }
    return mappings
  }
}
