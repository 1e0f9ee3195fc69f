import FerryStore

extension Plan {
  /// Checks the mapping of some steps against the legacy files as they are, before anything starts.
  ///
  /// A file without a single class is one that was made and never used; it has no rows and fits any mapping.
  ///
  /// - Throws: `SourceFaults` with every class and property that a file doesn't have, and everything that a
  ///   property can't be.
  public func check(against source: any LegacySource, steps: [Step]) throws {
    // Once nothing is left to cross, the files may be on their way into the archive.
    guard !steps.isEmpty else { return }
    var faults: [SourceFault] = []
    for account in source.accounts {
      let classes = try source.classes(of: account)
      guard !classes.isEmpty else { continue }
      let fit = LegacyFit(roadmap: file, path: try source.path(of: account), classes: classes)
      for fault in steps.flatMap(\.entities).flatMap(fit.faults)
      where !faults.contains(where: { $0.position == fault.position }) { faults.append(fault) }
    }
    guard faults.isEmpty else { throw SourceFaults(faults) }
  }
}

extension Plan {
  /// A class of a legacy file that no step of the roadmap maps: its rows stay behind.
  public struct UnmappedClass: Sendable, Equatable {
    /// The legacy file.
    public let path: String
    public let name: String
    public let rows: Int64
  }

  /// The classes that have rows and that no step maps, of domains that are off neither.
  public func unmapped(in source: any LegacySource) throws -> [UnmappedClass] {
    let mapped = Set(steps.flatMap(\.entities).map { Array($0.className.utf8) })
    var paths: Set<[UInt8]> = []
    return try source.accounts.flatMap { account -> [UnmappedClass] in
      let path = try source.path(of: account)
      guard paths.insert(Array(path.utf8)).inserted else { return [] }
      return try source.classes(of: account).filter {
        $0.rowCount > 0 && !mapped.contains(Array($0.name.utf8))
      }.map { UnmappedClass(path: path, name: $0.name, rows: $0.rowCount) }
    }
  }
}

/// Holds mappings against the classes of one legacy file.
private struct LegacyFit {
  let roadmap: String
  let path: String
  let classes: [LegacyClass]

  func faults(of entity: Plan.Entity) -> [SourceFault] {
    let mapping = entity.mapping
    guard let found = classes.first(where: { $0.name.hasSameBytes(as: entity.className) }) else {
      let names = classes.map(\.name)
      return [
        fault(
          "unknownClass", mapping.className,
          "the file has no class '\(entity.className)'\(NearestName.hint(for: entity.className, among: names))",
          "\(path) has \(list(names)).")
      ]
    }
    var faults: [SourceFault] = []
    for field in mapping.fields {
      let wanted = entity.crossing.fields.first { $0.name == field.canonical.value }?.kinds ?? []
      if let fault = fault(of: field, found, wanted) { faults.append(fault) }
    }
    var conditions = mapping.pendingDeletes
    if case .matching(let others) = mapping.preserve { conditions += others }
    faults += conditions.compactMap { fault(of: $0, found) }
    if let account = mapping.account {
      let kinds: [LegacyKind] = [.text, .integer, .uuid, .objectID, .link]
      let fault = kind(account, found) { kind in
        kinds.contains(kind) ? nil : "and an account's user needs \(words(kinds))"
      }
      if let fault { faults.append(fault) }
    }
    return faults
  }

  private func fault(of field: LegacyMapping.Field, _ found: LegacyClass, _ wanted: [LegacyKind])
    -> SourceFault?
  {
    guard let property = field.property else { return nil }
    let fault = kind(property, found) { kind in
      let convertible: [LegacyKind]
      switch field.origin.conversion {
      case .none:
        return wanted.contains(kind) ? nil : "and '\(field.canonical.value)' needs \(words(wanted))"
      case .map: convertible = [.integer, .text, .flag]
      case .time: convertible = [.integer, .number]
      case .key: convertible = [.link]
      }
      return convertible.contains(kind) ? nil : "and the conversion needs \(words(convertible))"
    }
    if let fault { return fault }
    guard case .map(let translations) = field.origin.conversion, let kind = kind(of: property.value, found)
    else { return nil }
    let stranger = translations.first { !isValue($0.old.value, of: kind) }
    return stranger.map { translation in
      self.fault(
        "wrongKind", translation.old,
        "property '\(property.value)' of class \(found.name) holds \(kind.rawValue), and can't be "
          + "'\(translation.old.value)'",
        "Write values that it can have in \(path).")
    }
  }

  private func fault(of condition: Condition, _ found: LegacyClass) -> SourceFault? {
    guard case .property(let name) = condition.subject else { return nil }
    let value = condition.value.value
    return kind(name, found) { kind in
      value.legacy(as: [kind]) == nil ? "and can't be \(value.words)" : nil
    }
  }

  /// A fault of a property that the class doesn't have, or that `why` says something against.
  private func kind(_ property: Located<String>, _ found: LegacyClass, _ why: (LegacyKind) -> String?)
    -> SourceFault?
  {
    guard let index = index(of: property.value, found) else {
      return fault(
        "unknownProperty", property,
        "class \(found.name) has no property '\(property.value)'"
          + NearestName.hint(for: property.value, among: found.properties),
        "In \(path) it has \(list(found.properties)).")
    }
    guard let kind = found.kinds[index], let why = why(kind) else { return nil }
    return fault(
      "wrongKind", property,
      "property '\(property.value)' of class \(found.name) holds \(kind.rawValue), \(why)",
      "Name a property of \(path) that fits, or a conversion that does.")
  }

  private func kind(of property: String, _ found: LegacyClass) -> LegacyKind? {
    index(of: property, found).flatMap { found.kinds[$0] }
  }

  private func index(of property: String, _ found: LegacyClass) -> Int? {
    found.properties.firstIndex { $0.hasSameBytes(as: property) }
  }

  private func isValue(_ text: String, of kind: LegacyKind) -> Bool {
    switch kind {
    case .integer: DecimalInteger.value(of: text) != nil
    case .flag: text == "true" || text == "false"
    default: true
    }
  }

  private func fault(_ rule: String, _ name: Located<String>, _ message: String, _ remedy: String)
    -> SourceFault
  {
    SourceFault(
      code: "roadmap.\(rule)", file: roadmap, position: name.position, message: message, remedy: remedy)
  }

  private func words(_ kinds: [LegacyKind]) -> String { kinds.map(\.rawValue).joined(separator: ", or ") }
  private func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
