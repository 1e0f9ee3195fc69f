import FerryStore

/// One entity's mapping, checked against the fields that its crossing wants.
extension PlanCheck {
  mutating func entity(
    _ crossing: Crossing, _ mapping: LegacyMapping, _ step: Roadmap.Step, _ domain: Domain
  ) -> Plan.Entity? {
    let before = faults.count
    let names = crossing.fields.map(\.name)
    for field in mapping.fields where !names.contains(field.canonical.value) {
      fault(
        "unknownField", field.canonical.position,
        "'\(crossing.entity)' has no field '\(field.canonical.value)'\(hint(field.canonical.value, names))",
        "It has \(list(names)).")
    }
    var places = PropertyPlaces()
    let isCarried =
      step.strategy.value != .discard || mapping.preserve != .none || !mapping.pendingDeletes.isEmpty
    let fields = crossing.fields.map { field in
      source(of: field, crossing, mapping, isCarried: isCarried, &places)
    }
    checkFeed(crossing, mapping, step, domain)
    let preserve = preservation(mapping, crossing.fields, &places)
    let deletes = mapping.pendingDeletes.compactMap { comparison($0, mapping, crossing.fields, &places) }
    guard faults.count == before else { return nil }
    return Plan.Entity(
      crossing: crossing, className: mapping.className.value, properties: places.names, fields: fields,
      preserve: preserve, pendingDeletes: deletes, mapping: mapping)
  }

  private mutating func checkFeed(
    _ crossing: Crossing, _ mapping: LegacyMapping, _ step: Roadmap.Step, _ domain: Domain
  ) {
    if step.strategy.value == .resync, mapping.preserve != .all,
      !domain.feeds.contains(where: { $0.table.name == crossing.table.name })
    {
      fault(
        "noFeed", mapping.position, "'\(crossing.entity)' has no feed, so no server can send it again",
        "Say 'preserve: all'.")
    }
    if let first = mapping.pendingDeletes.first, !crossing.table.isTracked {
      fault(
        "noOutbox", first.name.position,
        "'\(crossing.entity)' never leaves the device, so no server is to hear of its deletions",
        "Remove 'pending-deletes'.")
    }
    if step.strategy.value == .copy, case .matching(let conditions) = mapping.preserve,
      let first = conditions.first, !crossing.table.isTracked
    {
      fault(
        "preserveWithCopy", first.name.position,
        "'\(crossing.entity)' never leaves the device, and strategy copy carries every row of it",
        "Remove 'preserve'.")
    }
  }

  // MARK: Fields

  private mutating func source(
    of field: FieldDeclaration, _ crossing: Crossing, _ mapping: LegacyMapping, isCarried: Bool,
    _ places: inout PropertyPlaces
  ) -> Plan.FieldSource {
    guard let origin = mapping.fields.first(where: { $0.canonical.value == field.name })?.origin else {
      let names = crossing.fields.map(\.name)
      if !field.isOptional, isCarried, !isMisspelt(field.name, mapping.fields.map(\.canonical.value), names) {
        fault(
          "missingField", mapping.position, "'\(crossing.entity)' needs the field '\(field.name)'",
          "Name the property that has it.")
      }
      return .absent
    }
    if let constant = origin.constant { return value(constant, for: field).map { .constant($0) } ?? .absent }
    guard let property = origin.property else { return .absent }
    return .property(
      places.index(of: property.value), conversion(origin, for: field),
      fallback: origin.fallback.flatMap { value($0, for: field) })
  }

  private mutating func conversion(_ origin: FieldOrigin, for field: FieldDeclaration) -> ValueConversion {
    switch origin.conversion {
    case .none: return .none
    case .map(let translations):
      return .map(
        translations.compactMap { translation in
          value(translation.new, for: field).map { .init(old: translation.old.value, new: $0) }
        })
    case .time(let unit):
      check(makes: [.time], origin, for: field)
      return .time(unit)
    case .key:
      check(makes: [.integer, .text, .uuid, .objectID], origin, for: field)
      return .key
    }
  }

  /// A conversion whose outcome the field can never hold.
  private mutating func check(makes made: [LegacyKind], _ origin: FieldOrigin, for field: FieldDeclaration) {
    guard !made.contains(where: field.kinds.contains) else { return }
    fault(
      "wrongKind", origin.conversionPosition,
      "this conversion makes \(words(made)), and '\(field.name)' needs \(words(field.kinds))",
      "Remove the conversion, or name another one.")
  }

  private mutating func value(_ value: Located<MappingValue>, for field: FieldDeclaration) -> LegacyValue? {
    if let legacy = value.value.legacy(as: field.kinds) { return legacy }
    fault(
      "wrongKind", value.position,
      "'\(field.name)' can't be \(value.value.words): it needs \(words(field.kinds))",
      "Write a value that it can have.")
    return nil
  }

  // MARK: Conditions

  private mutating func preservation(
    _ mapping: LegacyMapping, _ fields: [FieldDeclaration], _ places: inout PropertyPlaces
  ) -> Plan.Preservation {
    switch mapping.preserve {
    case .none: .none
    case .all: .all
    case .matching(let conditions):
      .matching(conditions.compactMap { comparison($0, mapping, fields, &places) })
    }
  }

  private mutating func comparison(
    _ condition: Condition, _ mapping: LegacyMapping, _ fields: [FieldDeclaration],
    _ places: inout PropertyPlaces
  ) -> Plan.Comparison? {
    let value = condition.value.value
    switch condition.subject {
    case .property(let name): return .property(places.index(of: name.value), value.legacy)
    case .field(let name):
      let names = fields.map(\.name)
      guard let index = names.firstIndex(of: name.value),
        mapping.fields.contains(where: { $0.canonical.value == name.value })
      else {
        fault(
          "unknownField", name.position, "no field '\(name.value)' is mapped\(hint(name.value, names))",
          "Name a field that 'fields' maps.")
        return nil
      }
      guard let legacy = value.legacy(as: fields[index].kinds) else {
        fault(
          "wrongKind", name.position,
          "'\(name.value)' is compared with \(value.words), and holds \(words(fields[index].kinds))",
          "Compare it with a value that it can have.")
        return nil
      }
      return .field(index, legacy)
    }
  }

  private func words(_ kinds: [LegacyKind]) -> String { kinds.map(\.rawValue).joined(separator: ", or ") }
}

/// The properties that a mapping reads, each with its place.
struct PropertyPlaces {
  private(set) var names: [String] = []

  mutating func index(of name: String) -> Int {
    if let index = names.firstIndex(where: { $0.hasSameBytes(as: name) }) { return index }
    names.append(name)
    return names.count - 1
  }
}

extension FieldOrigin {
  /// The last line that belongs to it, as far as the roadmap tells.
  var lastLine: Int {
    var lines = [conversionPosition.line]
    if let property { lines.append(property.position.line) }
    if let fallback { lines.append(fallback.position.line) }
    if case .map(let translations) = conversion { lines += translations.map(\.new.position.line) }
    return lines.max() ?? conversionPosition.line
  }
}
