/// Reads one entity's entry under `legacy:`.
struct LegacyMappingReader {
  let strategy: Strategy

  func mapping(_ entry: YAMLNode.Entry) throws(SourceFault) -> LegacyMapping {
    let node = entry.value
    let entity = try node.source.kebabCaseName(entry.key, "an entity's name")
    let mapping = try node.mapping(
      required: ["class"], optional: ["fields", "preserve", "pending-deletes", "account"])
    let fields = try fields(mapping.valueIfPresent("fields"))
    let conditions = ConditionReader(fields)
    let preserve = try preserve(mapping.valueIfPresent("preserve"), conditions)
    let deletes = try conditions.properties(mapping.valueIfPresent("pending-deletes"))
    let carriesRows = strategy != .discard || preserve != .none || !deletes.isEmpty
    if carriesRows, fields.isEmpty {
      throw node.source.fault(
        "missingFields", at: mapping.valueIfPresent("fields")?.position ?? mapping.position,
        "entity \(QuotedText(entity.value)) has rows to carry but no fields",
        remedy: "Add 'fields:' with a 'field: property' line for each field.")
    }
    return LegacyMapping(
      entity: entity, className: try mapping.value("class").name("a class's name"), fields: fields,
      preserve: preserve, pendingDeletes: deletes,
      account: try mapping.valueIfPresent("account")?.name("a property's name"), position: mapping.position)
  }

  private func fields(_ node: YAMLNode?) throws(SourceFault) -> [LegacyMapping.Field] {
    var fields: [LegacyMapping.Field] = []
    for entry in try node?.entries() ?? [] {
      fields.append(
        LegacyMapping.Field(
          canonical: try entry.value.source.kebabCaseName(entry.key, "a field's name"),
          origin: try FieldOriginReader().origin(entry.value)))
    }
    return fields
  }

  private func preserve(_ node: YAMLNode?, _ conditions: ConditionReader) throws(SourceFault) -> Preserve {
    guard let node else { return .none }
    switch node.content {
    case .scalar(text: "none", _), .scalar(text: "all", _):
      // A condition has: rows that it holds for were never sent, and wait to be pushed.
      guard strategy != .copy else {
        throw node.fault(
          "preserveWithCopy", "'preserve' has no meaning with strategy copy, which carries every row",
          remedy: "Remove 'preserve'.")
      }
      return try node.text() == "all" ? .all : .none
    case .mapping: return .matching(try conditions.conditions(node))
    default:
      throw node.fault(
        "expectedPreserve", "expected none, all or a condition, found \(node.kind)",
        remedy: "Write none, all, or {where: {field: value}}.")
    }
  }
}
