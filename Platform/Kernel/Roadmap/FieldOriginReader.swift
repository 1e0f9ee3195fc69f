/// Reads what stands behind a field's name: a property's name, or a mapping that says more.
///
///     title: title
///     type: {property: kind, map: {0: inbox, 1: trash}}
///     updated-at: {property: changed, time: milliseconds}
///     folder: {property: container, key: true}
///     is-read: {property: seen, default: false}
///     source: {constant: legacy}
struct FieldOriginReader {
  private static let conversions = ["map", "time", "key"]

  func origin(_ node: YAMLNode) throws(SourceFault) -> FieldOrigin {
    guard case .mapping = node.content else { return FieldOrigin(try node.name("a property's name")) }
    let mapping = try node.mapping(
      required: [], optional: ["property", "constant", "default"] + FieldOriginReader.conversions)
    let given = FieldOriginReader.conversions.filter { mapping.valueIfPresent($0) != nil }
    if let constant = mapping.valueIfPresent("constant") {
      if let other = (["property", "default"] + given).first(where: { mapping.valueIfPresent($0) != nil }) {
        throw node.fault(
          "constantOnly", "'constant' gives every row its value, so '\(other)' has no meaning beside it",
          remedy: "Remove one of the two.")
      }
      return FieldOrigin(constant: Located(try constant.mappingValue(), at: constant.position))
    }
    let property = try mapping.value("property").name("a property's name")
    guard given.count < 2 else {
      throw node.fault(
        "oneConversion", "'\(given[0])' and '\(given[1])' can't both convert a value",
        remedy: "Remove one of the two.")
    }
    var conversion = Conversion.none
    var position = property.position
    if let name = given.first {
      let value = try mapping.value(name)
      (conversion, position) = (try self.conversion(name, value), value.position)
    }
    var fallback: Located<MappingValue>?
    if let node = mapping.valueIfPresent("default") {
      fallback = Located(try node.mappingValue(), at: node.position)
    }
    return FieldOrigin(property, conversion, at: position, fallback: fallback)
  }

  private func conversion(_ name: String, _ node: YAMLNode) throws(SourceFault) -> Conversion {
    switch name {
    case "map": .map(try translations(node))
    case "time": .time(try unit(node))
    default: try isKey(node)
    }
  }

  private func translations(_ node: YAMLNode) throws(SourceFault) -> [Conversion.Translation] {
    var translations: [Conversion.Translation] = []
    for entry in try node.entries() {
      translations.append(
        Conversion.Translation(
          old: entry.key, new: Located(try entry.value.mappingValue(), at: entry.value.position)))
    }
    guard !translations.isEmpty else {
      throw node.fault("emptyMap", "the map names no value", remedy: "Write 'old: new' pairs in it.")
    }
    return translations
  }

  private func unit(_ node: YAMLNode) throws(SourceFault) -> Conversion.TimeUnit {
    let text = try node.text()
    guard let unit = Conversion.TimeUnit(rawValue: text) else {
      let known = Conversion.TimeUnit.allCases.map(\.rawValue)
      throw node.fault(
        "unknownUnit", "unknown unit \(QuotedText(text))\(NearestName.hint(for: text, among: known))",
        remedy: "Write \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "").")
    }
    return unit
  }

  private func isKey(_ node: YAMLNode) throws(SourceFault) -> Conversion {
    guard try node.bool() else {
      throw node.fault("keyFalse", "'key: false' says nothing", remedy: "Remove it.")
    }
    return .key
  }
}
