/// Reads one entity's entry under `legacy:`.
struct LegacyMappingReader {
  let strategy: Strategy

  func mapping(_ entry: YAMLNode.Entry) throws(SourceFault) -> LegacyMapping {
    let node = entry.value
    let entity = try node.source.kebabCaseName(entry.key, "an entity's name")
    let mapping = try node.mapping(required: ["class"], optional: ["fields", "preserve"])
    let fields = try fields(mapping.valueIfPresent("fields"))
    let preserve = try preserve(mapping.valueIfPresent("preserve"), fields)
    let carriesRows = strategy != .discard || preserve != .none
    if carriesRows, fields.isEmpty {
      throw node.source.fault(
        "missingFields", at: mapping.valueIfPresent("fields")?.position ?? mapping.position,
        "entity \(QuotedText(entity.value)) has rows to carry but no fields",
        remedy: "Add 'fields:' with a 'field: property' line for each field.")
    }
    return LegacyMapping(
      entity: entity, className: try mapping.value("class").name("a class's name"), fields: fields,
      preserve: preserve, position: mapping.position)
  }

  private func fields(_ node: YAMLNode?) throws(SourceFault) -> [LegacyMapping.Field] {
    var fields: [LegacyMapping.Field] = []
    for entry in try node?.entries() ?? [] {
      fields.append(
        LegacyMapping.Field(
          canonical: try entry.value.source.kebabCaseName(entry.key, "a field's name"),
          property: try entry.value.name("a property's name")))
    }
    return fields
  }

  private func preserve(_ node: YAMLNode?, _ fields: [LegacyMapping.Field]) throws(SourceFault) -> Preserve {
    guard let node else { return .none }
    guard strategy != .copy else {
      throw node.fault(
        "preserveWithCopy", "'preserve' has no meaning with strategy copy, which carries every row",
        remedy: "Remove 'preserve'.")
    }
    switch node.content {
    case .scalar(text: "none", _): return .none
    case .scalar(text: "all", _): return .all
    case .mapping: return try condition(node.mapping(required: ["where"]).value("where"), fields)
    default:
      throw node.fault(
        "expectedPreserve", "expected none, all or a condition, found \(node.kind)",
        remedy: "Write none, all, or {where: {field: value}}.")
    }
  }

  private func condition(_ node: YAMLNode, _ fields: [LegacyMapping.Field]) throws(SourceFault) -> Preserve {
    let entries = try node.entries()
    guard let entry = entries.first, entries.count == 1 else {
      throw node.fault(
        "expectedOneField", "a condition compares one field, this one has \(entries.count)",
        remedy: "Write {where: {field: value}} with one field.")
    }
    let known = fields.map(\.canonical.value)
    let field = entry.key.value
    guard known.contains(where: { $0.hasSameBytes(as: field) }) else {
      throw node.source.fault(
        "unknownField", at: entry.key.position,
        "'fields' has no field \(QuotedText(field))\(NearestName.hint(for: field, among: known))",
        remedy: "Name a field that 'fields' lists, or add it there.")
    }
    return .matching(field: entry.key, value: try value(entry.value))
  }

  /// What is plain must be unmistakable: a number, a truth value or a text, in every dialect of YAML.
  private func value(_ node: YAMLNode) throws(SourceFault) -> PreserveValue {
    let text = try node.text()
    guard case .scalar(_, isPlain: true) = node.content else { return .text(text) }
    if text == "true" || text == "false" { return .bool(text == "true") }
    if let integer = DecimalInteger.value(of: text) { return .integer(integer) }
    if let meant = BooleanLookalike.meaning(of: text) {
      throw node.fault(
        "ambiguousValue", "\(QuotedText(text)) could be a truth value or text",
        remedy: "Write \(meant), or put the text in quotes.")
    }
    guard !looksLikeNumber(text) else {
      throw node.fault(
        "ambiguousValue", "\(QuotedText(text)) could be a number or text",
        remedy: "Write a whole number in decimal digits, or put the text in quotes.")
    }
    return .text(text)
  }

  private func looksLikeNumber(_ text: String) -> Bool {
    let body = text.utf8.drop {
      $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
    }
    return body.first.map { (0x30...0x39).contains($0) } ?? false
  }
}
