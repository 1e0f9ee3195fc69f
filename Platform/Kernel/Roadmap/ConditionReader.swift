/// Reads what `preserve` and `pending-deletes` say: a condition, or a list of which any is enough.
///
///     preserve: {where: {remote-id: 0}}
///     preserve: {where: [{remote-id: 0}, {remote-id: null}], where-property: {isDirty: true}}
///     pending-deletes: {isDeleted: true}
struct ConditionReader {
  private let fields: [LegacyMapping.Field]

  init(_ fields: [LegacyMapping.Field]) { self.fields = fields }

  /// `where` and `where-property`.
  func conditions(_ node: YAMLNode) throws(SourceFault) -> [Condition] {
    let mapping = try node.mapping(required: [], optional: ["where", "where-property"])
    var conditions: [Condition] = []
    for item in try items(mapping.valueIfPresent("where")) {
      let entry = try entry(item)
      try check(entry.key, item.source)
      conditions.append(Condition(.field(entry.key), equals: try value(entry)))
    }
    conditions += try properties(mapping.valueIfPresent("where-property"))
    guard !conditions.isEmpty else {
      throw node.fault(
        "missingCondition", "there is no condition here",
        remedy: "Write {where: {field: value}} or {where-property: {property: value}}.")
    }
    return conditions
  }

  /// Conditions on properties of the class.
  func properties(_ node: YAMLNode?) throws(SourceFault) -> [Condition] {
    var conditions: [Condition] = []
    for item in try items(node) {
      let entry = try entry(item)
      let key = YAMLNode(
        .scalar(text: entry.key.value, isPlain: false), at: entry.key.position, in: item.source)
      conditions.append(
        Condition(.property(try key.name("a property's name")), equals: try value(entry)))
    }
    return conditions
  }

  private func items(_ node: YAMLNode?) throws(SourceFault) -> [YAMLNode] {
    guard let node else { return [] }
    guard case .sequence(let items) = node.content else { return [node] }
    guard !items.isEmpty else {
      throw node.fault(
        "missingCondition", "the list has no condition", remedy: "Write one, or remove the key.")
    }
    return items
  }

  private func entry(_ node: YAMLNode) throws(SourceFault) -> YAMLNode.Entry {
    let entries = try node.entries()
    guard let entry = entries.first, entries.count == 1 else {
      throw node.fault(
        "expectedOneField", "a condition compares one field, this one has \(entries.count)",
        remedy: "Write {field: value} with one field; a list of them, where any is enough.")
    }
    return entry
  }

  private func check(_ field: Located<String>, _ source: YAMLSource) throws(SourceFault) {
    let known = fields.map(\.canonical.value)
    guard known.contains(where: { $0.hasSameBytes(as: field.value) }) else {
      throw source.fault(
        "unknownField", at: field.position,
        "'fields' has no field \(QuotedText(field.value))\(NearestName.hint(for: field.value, among: known))",
        remedy: "Name a field that 'fields' lists, or add it there.")
    }
  }

  private func value(_ entry: YAMLNode.Entry) throws(SourceFault) -> Located<MappingValue> {
    Located(try entry.value.mappingValueOrNull(), at: entry.value.position)
  }
}
