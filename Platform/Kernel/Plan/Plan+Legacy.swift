import FerryStore

extension Plan {
  /// Checks the mapping of some steps against the legacy files as they are, before anything starts.
  ///
  /// A file without a single class is one that was made and never used; it has no rows and fits any mapping.
  ///
  /// - Throws: `SourceFaults` for a class or a property that a file doesn't have.
  public func check(against source: any LegacySource, steps: [Step]) throws {
    var faults: [SourceFault] = []
    for account in source.accounts {
      let classes = try source.classes(of: account)
      guard !classes.isEmpty else { continue }
      for entity in steps.flatMap(\.entities) {
        let fault = fault(of: entity, classes, account)
        if let fault, !faults.contains(where: { $0.position == fault.position }) { faults.append(fault) }
      }
    }
    guard faults.isEmpty else { throw SourceFaults(faults) }
  }

  private func fault(of entity: Entity, _ classes: [LegacyClass], _ account: AccountID) -> SourceFault? {
    let mapping = entity.mapping
    guard let found = classes.first(where: { $0.name == entity.className }) else {
      let names = classes.map(\.name)
      return SourceFault(
        code: "roadmap.unknownClass", file: file, position: mapping.className.position,
        message: "the file of \(account) has no class '\(entity.className)'"
          + NearestName.hint(for: entity.className, among: names),
        remedy: "It has \(names.map { "'\($0)'" }.joined(separator: ", ")).")
    }
    let missing = mapping.fields.first { !found.properties.contains($0.property.value) }
    guard let missing else { return misfit(entity, found) }
    return SourceFault(
      code: "roadmap.unknownProperty", file: file, position: missing.property.position,
      message: "class \(entity.className) has no property '\(missing.property.value)'"
        + NearestName.hint(for: missing.property.value, among: found.properties),
      remedy: "It has \(found.properties.map { "'\($0)'" }.joined(separator: ", ")).")
  }

  /// A field whose property can't hold what the field needs, in any row.
  private func misfit(_ entity: Entity, _ found: LegacyClass) -> SourceFault? {
    for field in entity.mapping.fields {
      guard let index = found.properties.firstIndex(of: field.property.value), let kind = found.kinds[index],
        let wanted = entity.crossing.fields.first(where: { $0.name == field.canonical.value })?.kinds,
        !wanted.contains(kind)
      else { continue }
      return SourceFault(
        code: "roadmap.wrongKind", file: file, position: field.property.position,
        message: "property '\(field.property.value)' of class \(found.name) holds \(kind.rawValue), and "
          + "'\(field.canonical.value)' needs \(wanted.map(\.rawValue).joined(separator: ", or "))",
        remedy: "Name a property that does.")
    }
    return nil
  }
}
