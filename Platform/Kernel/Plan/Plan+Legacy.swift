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
    return missing.map { field in
      SourceFault(
        code: "roadmap.unknownProperty", file: file, position: field.property.position,
        message: "class \(entity.className) has no property '\(field.property.value)'"
          + NearestName.hint(for: field.property.value, among: found.properties),
        remedy: "It has \(found.properties.map { "'\($0)'" }.joined(separator: ", ")).")
    }
  }
}
