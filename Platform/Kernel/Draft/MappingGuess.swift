import FerryStore

/// Which class an entity's rows most likely come from, and which properties are its fields.
struct MappingGuess {
  /// A property that is likely a field.
  struct Match {
    let property: String
    let conversion: Conversion
  }

  let className: String
  let properties: [String]
  let rowCount: Int64
  private let found: LegacyClass
  /// By field.
  private(set) var matches: [String: Match]
  /// From 0 to 1.
  let likeness: Double

  /// Below this a class only happens to have a property of the same name.
  static let threshold = 0.5

  init(_ crossing: Crossing, from found: LegacyClass) {
    let candidates = crossing.fields.flatMap { field in
      zip(found.properties, found.kinds).compactMap { property, kind -> Candidate? in
        guard let conversion = MappingGuess.conversion(from: kind, to: field.kinds), property.isNameable
        else {
          return nil
        }
        let likeness = NameWords(field.name).likeness(to: NameWords(property))
        // A property that fits as it is is likelier than one that must be converted.
        return Candidate(
          field: field, property: property, conversion: conversion,
          likeness: conversion == .none ? likeness : likeness * 0.9)
      }
    }
    var matches: [String: Match] = [:]
    var taken: Set<String> = []
    var sum = 0.0
    for candidate in candidates.sorted(by: Candidate.isLikelier) where candidate.likeness >= 0.5 {
      guard matches[candidate.field.name] == nil, !taken.contains(candidate.property) else { continue }
      matches[candidate.field.name] = Match(property: candidate.property, conversion: candidate.conversion)
      taken.insert(candidate.property)
      sum += candidate.likeness * MappingGuess.weight(candidate.field)
    }
    self.found = found
    className = found.name
    properties = found.properties
    rowCount = found.rowCount
    self.matches = matches
    let all = crossing.fields.map(MappingGuess.weight).reduce(0, +)
    let fields = all == 0 ? 0 : sum / all
    let name = NameWords(crossing.entity).likeness(to: NameWords(found.name))
    // A class that is called as the entity is needs fewer of its fields, one that isn't needs nearly all.
    likeness = fields * 0.7 + name * 0.3
  }

  /// Takes for a field that is called as an entity is, and that no name was like, the one link that leads to that
  /// entity's class: an item's `folder` may well be called `container`.
  mutating func matchLink(_ field: FieldDeclaration, to target: String) {
    let taken = Set(matches.values.map(\.property))
    let links = found.properties.indices.filter { index in
      found.kinds[index] == .link && found.targets[index]?.hasSameBytes(as: target) == true
        && found.properties[index].isNameable && !taken.contains(found.properties[index])
    }
    guard matches[field.name] == nil, links.count == 1, let link = links.first,
      let conversion = MappingGuess.conversion(from: .link, to: field.kinds)
    else { return }
    matches[field.name] = Match(property: found.properties[link], conversion: conversion)
  }

  private struct Candidate {
    let field: FieldDeclaration
    let property: String
    let conversion: Conversion
    let likeness: Double

    static func isLikelier(_ left: Candidate, _ right: Candidate) -> Bool {
      left.likeness > right.likeness
    }
  }

  private static func weight(_ field: FieldDeclaration) -> Double { field.isOptional ? 0.5 : 1 }

  /// What makes a value of the property one of the field; nil where nothing does. A count of time is taken for
  /// seconds until somebody says otherwise.
  private static func conversion(from kind: LegacyKind?, to wanted: [LegacyKind]) -> Conversion? {
    guard let kind else { return Conversion.none }
    if wanted.contains(kind) { return Conversion.none }
    switch kind {
    case .integer where wanted.contains(.time), .number where wanted.contains(.time): return .time(.seconds)
    case .link where wanted.contains(.text) || wanted.contains(.integer): return .key
    default: return nil
    }
  }
}

extension String {
  /// Whether a mapping can name it: YAML would take some of these for the end of a line.
  var isNameable: Bool {
    !isEmpty
      && !unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
  }
}
