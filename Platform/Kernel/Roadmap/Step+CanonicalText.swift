/// What a step means, as text that is the same for every way to write it. Its checksum freezes a step once it
/// has been applied.
extension Roadmap.Step {
  /// One line: domain, strategy, and per entity (sorted) its class, its fields (sorted), their
  /// conversions, what it preserves, and whose rows are whose. What doesn't change which rows arrive is left out: comments, layout, order of keys, `core`,
  /// `enabled`.
  ///
  /// The form is compact JSON, because its quoting keeps any two meanings apart whatever the names hold.
  public var canonicalText: String {
    let entities = legacy.sorted { $0.entity.value.utf8.lexicographicallyPrecedes($1.entity.value.utf8) }
    let mappings = entities.map { "\(quoted($0.entity.value)):\(text($0))" }.joined(separator: ",")
    return #"{"domain":\#(quoted(domain.value)),"legacy":{\#(mappings)},"#
      + #""strategy":\#(quoted(strategy.value.rawValue))}"#
  }

  private func text(_ mapping: LegacyMapping) -> String {
    let fields = mapping.fields
      .sorted { $0.canonical.value.utf8.lexicographicallyPrecedes($1.canonical.value.utf8) }
      .map { "\(quoted($0.canonical.value)):\(text($0.origin))" }
      .joined(separator: ",")
    // What came later is left out where it says nothing, so that steps which are done stay as they were.
    let account = mapping.account.map { "\"account\":\(quoted($0.value))," } ?? ""
    let deletes =
      mapping.pendingDeletes.isEmpty ? "" : ",\"pending-deletes\":\(list(mapping.pendingDeletes))"
    return #"{\#(account)"class":\#(quoted(mapping.className.value)),"fields":{\#(fields)}"#
      + "\(deletes),\"preserve\":\(text(mapping.preserve))}"
  }

  private func text(_ origin: FieldOrigin) -> String {
    guard let property = origin.property else {
      return #"{"constant":\#(origin.constant.map { text($0.value) } ?? "null")}"#
    }
    var members: [String] = []
    if let fallback = origin.fallback { members.append(#""default":\#(text(fallback.value))"#) }
    switch origin.conversion {
    case .none: break
    case .key: members.append(#""key":true"#)
    case .map(let translations):
      let pairs = translations.sorted { $0.old.value.utf8.lexicographicallyPrecedes($1.old.value.utf8) }
        .map { "\(quoted($0.old.value)):\(text($0.new.value))" }
      members.append(#""map":{\#(pairs.joined(separator: ","))}"#)
    case .time(let unit): members.append(#""time":\#(quoted(unit.rawValue))"#)
    }
    guard !members.isEmpty else { return quoted(property.value) }
    return "{\(members.joined(separator: ",")),\"property\":\(quoted(property.value))}"
  }

  private func text(_ preserve: Preserve) -> String {
    switch preserve {
    case .none: "\"none\""
    case .all: "\"all\""
    case .matching(let conditions): conditions.count == 1 ? text(conditions[0]) : list(conditions)
    }
  }

  private func list(_ conditions: [Condition]) -> String {
    let texts = conditions.map { text($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return "[\(texts.joined(separator: ","))]"
  }

  private func text(_ condition: Condition) -> String {
    let comparison = "{\(quoted(condition.name.value)):\(text(condition.value.value))}"
    return switch condition.subject {
    case .field: "{\"where\":\(comparison)}"
    case .property: "{\"where-property\":\(comparison)}"
    }
  }

  private func text(_ value: MappingValue) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): "\(integer)"
    case .bool(let isTrue): "\(isTrue)"
    case .text(let text): quoted(text)
    }
  }

  private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONWriter.write(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
