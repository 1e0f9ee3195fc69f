/// A mapping whose keys are known to the program: none unknown, none missing.
///
///     let step = try node.mapping(required: ["domain", "strategy"], optional: ["enabled"])
///     let name = try step.value("domain").text()
///     let isEnabled = try step.valueIfPresent("enabled")?.bool() ?? true
public struct YAMLMapping: Sendable, Equatable {
  private let node: YAMLNode
  private let entries: [YAMLNode.Entry]

  fileprivate init(_ node: YAMLNode, _ entries: [YAMLNode.Entry]) {
    self.node = node
    self.entries = entries
  }

  /// Where the mapping begins.
  public var position: SourcePosition { node.position }

  /// The value of a key that must be there.
  public func value(_ key: String) throws(SourceFault) -> YAMLNode {
    guard let value = valueIfPresent(key) else {
      throw node.fault("missingKey", "key \(QuotedText(key)) is missing", remedy: "Add '\(key): …' here.")
    }
    return value
  }

  /// The value of a key that may be left out.
  public func valueIfPresent(_ key: String) -> YAMLNode? {
    entries.first { $0.key.value.utf8.elementsEqual(key.utf8) }?.value
  }
}

extension YAMLNode {
  /// The node as a mapping with exactly the `required` keys and any of the `optional` ones.
  public func mapping(
    required: [String], optional: [String] = []
  ) throws(SourceFault) -> YAMLMapping {
    let entries = try entries()
    let known = required + optional
    for entry in entries where !known.contains(where: { $0.utf8.elementsEqual(entry.key.value.utf8) }) {
      throw source.fault(
        "unknownKey", at: entry.key.position,
        "unknown key \(QuotedText(entry.key.value))\(NearestName.hint(for: entry.key.value, among: known))",
        remedy: "The keys here are \(known.map { "'\($0)'" }.joined(separator: ", ")).")
    }
    let mapping = YAMLMapping(self, entries)
    for key in required { _ = try mapping.value(key) }
    return mapping
  }
}
