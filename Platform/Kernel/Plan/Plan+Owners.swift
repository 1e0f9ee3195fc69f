import FerryStore

extension Plan {
  /// For each class, the property that says whose account a row is, where the roadmap names one.
  public var ownerProperties: [String: String] {
    var properties: [String: String] = [:]
    for entity in steps.flatMap(\.entities) {
      if let account = entity.mapping.account { properties[entity.className] = account.value }
    }
    return properties
  }

  /// Checks that rows of a file which several accounts share say whose they are, in every domain that is on.
  ///
  /// - Parameter shared: the path of such a file; nil where there is none.
  /// - Throws: `SourceFaults` for an entity of accounts that doesn't, and for two that read one class and say it
  ///   in different ways.
  public func checkOwners(shared: String?) throws {
    let properties = ownerProperties
    var faults: [SourceFault] = []
    for entity in enabled.flatMap(\.entities) {
      let property = properties[entity.className]
      if let property, !(entity.mapping.account?.value.hasSameBytes(as: property) ?? false) {
        faults.append(
          fault(
            "otherOwner", entity.mapping.account?.position ?? entity.mapping.position,
            "class \(entity.className) is read twice, and '\(property)' says elsewhere whose its rows are",
            "Say 'account: \(property)' here too."))
      } else if property == nil, let shared, entity.crossing.table.hasAccount {
        faults.append(
          fault(
            "missingAccount", entity.mapping.position,
            "'\(entity.crossing.entity)' doesn't say whose its rows are, and \(shared) holds several accounts",
            "Add 'account:' with the property that names the user."))
      }
    }
    guard faults.isEmpty else { throw SourceFaults(faults) }
  }

  private func fault(_ rule: String, _ position: SourcePosition, _ message: String, _ remedy: String)
    -> SourceFault
  {
    SourceFault(code: "roadmap.\(rule)", file: file, position: position, message: message, remedy: remedy)
  }
}
