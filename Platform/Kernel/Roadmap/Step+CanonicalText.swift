/// What a step means, as text that is the same for every way to write it. Its checksum freezes a step once it
/// has been applied.
extension Roadmap.Step {
  /// One line: domain, strategy, and per entity (sorted) its class, its fields (sorted) and what it
  /// preserves. What doesn't change which rows arrive is left out: comments, layout, order of keys, `core`,
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
      .map { "\(quoted($0.canonical.value)):\(quoted($0.property.value))" }
      .joined(separator: ",")
    return #"{"class":\#(quoted(mapping.className.value)),"fields":{\#(fields)},"#
      + #""preserve":\#(text(mapping.preserve))}"#
  }

  private func text(_ preserve: Preserve) -> String {
    switch preserve {
    case .none: "\"none\""
    case .all: "\"all\""
    case .matching(let field, let value): "{\"where\":{\(quoted(field.value)):\(text(value))}}"
    }
  }

  private func text(_ value: PreserveValue) -> String {
    switch value {
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
