import FerryStore

/// A first roadmap for a legacy file: every registered domain, with the classes and properties that its names and
/// types suggest. What couldn't be guessed is `"?"`, which the check then names, or a comment.
public struct RoadmapDraft: Sendable {
  /// What a gap is called.
  public static let gap = "?"
  /// The content of a `roadmap.yaml`.
  public let text: String
  /// The fields that may be left out and are, since no property looked like them, as `item.score`.
  public let leftOut: [String]

  /// - Parameters:
  ///   - domains: in an order in which each comes after those that it depends on.
  ///   - classes: those of the file.
  ///   - file: how the comments call it.
  ///   - core: the names of the domains without which the app is of no use.
  public init(_ domains: [Domain], classes: [LegacyClass], file: String, core: Set<String> = []) {
    let guesses = RoadmapDraft.guesses(domains, classes)
    leftOut = domains.flatMap(\.crossings).flatMap { crossing in
      crossing.fields.filter { field in
        field.isOptional && guesses[crossing.entity].map { $0.matches[field.name] == nil } ?? false
      }.map { "\(crossing.entity).\($0.name)" }
    }
    var lines = [
      "# A first roadmap, guessed from \(file.onOneLine) by names and types. Check every line.",
      "# \"\(RoadmapDraft.gap)\" stands where nothing looked like it. `app-cli migrate --dry-run` names what is left",
      "# to do. Where a server has the rows, strategy resync lets it fill them in again.", "version: 1",
      "domains:",
    ]
    for domain in domains {
      lines.append("  - domain: \(domain.name)")
      if core.contains(domain.name) { lines.append("    core: true") }
      lines += ["    strategy: copy", "    legacy:"]
      if domain.crossings.isEmpty { lines[lines.count - 1] = "    legacy: {}" }
      for crossing in domain.crossings { lines += RoadmapDraft.lines(of: crossing, guesses[crossing.entity]) }
      lines.append("")
    }
    let taken = Set(guesses.values.map(\.className))
    let rest = classes.filter { !taken.contains($0.name) }
    if !rest.isEmpty { lines.append("# Classes that no domain takes:") }
    for found in rest { lines.append("#   \(found.name.onOneLine), \(found.rowCount) rows") }
    while lines.last == "" { lines.removeLast() }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// The likeliest class of each entity, the surest first, each class once.
  private static func guesses(_ domains: [Domain], _ classes: [LegacyClass]) -> [String: MappingGuess] {
    var candidates: [(entity: String, guess: MappingGuess)] = []
    for crossing in domains.flatMap(\.crossings) {
      for found in classes where found.name.isNameable {
        candidates.append((crossing.entity, MappingGuess(crossing, from: found)))
      }
    }
    var guesses: [String: MappingGuess] = [:]
    var taken: Set<String> = []
    for (entity, guess) in candidates.sorted(by: { $0.guess.likeness > $1.guess.likeness })
    where guess.likeness >= MappingGuess.threshold && guesses[entity] == nil
      && !taken.contains(guess.className)
    {
      guesses[entity] = guess
      taken.insert(guess.className)
    }
    return linked(guesses, domains.flatMap(\.crossings))
  }

  /// The guesses with what only their links tell.
  private static func linked(_ guesses: [String: MappingGuess], _ crossings: [Crossing])
    -> [String: MappingGuess]
  {
    var linked = guesses
    for crossing in crossings {
      for field in crossing.fields {
        let entity = guesses.keys.first { NameWords($0) == NameWords(field.name) }
        guard let target = entity.flatMap({ guesses[$0]?.className }) else { continue }
        linked[crossing.entity]?.matchLink(field, to: target)
      }
    }
    return linked
  }

  private static func lines(of crossing: Crossing, _ guess: MappingGuess?) -> [String] {
    var lines = ["      \(crossing.entity):"]
    guard let guess else {
      lines.append("        class: \"\(gap)\"   # no class looks like it")
      lines.append("        fields:")
      return lines + crossing.fields.map { "          " + line(of: $0, nil) }
    }
    lines.append("        class: \(guess.className.asYAML)   # \(guess.rowCount) rows")
    lines.append("        fields:")
    lines += crossing.fields.map { "          " + line(of: $0, guess.matches[$0.name]) }
    let mapped = Set(guess.matches.values.map(\.property))
    let rest = guess.properties.filter { !mapped.contains($0) }
    if !rest.isEmpty {
      lines.append("          # not carried: \(rest.map(\.onOneLine).joined(separator: ", "))")
    }
    return lines
  }

  private static func line(of field: FieldDeclaration, _ match: MappingGuess.Match?) -> String {
    let kinds = field.kinds.map(\.rawValue).joined(separator: ", or ")
    guard let match else {
      // What is optional is left out and reads as nil; the check must not ask for it.
      return field.isOptional
        ? "# \(field.name): \(kinds), may be left out" : "\(field.name): \"\(gap)\"   # \(kinds)"
    }
    let property = match.property.asYAML
    switch match.conversion {
    case .none, .map: return "\(field.name): \(property)"
    case .key: return "\(field.name): {property: \(property), key: true}"
    case .time(let unit):
      let others = Conversion.TimeUnit.allCases.filter { $0 != unit }.map(\.rawValue).joined(separator: ", ")
      return "\(field.name): {property: \(property), time: \(unit.rawValue)}   # or \(others)?"
    }
  }
}

extension String {
  /// The name plain where nothing can misread it, else in quotes.
  fileprivate var asYAML: String {
    let isWord = utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "_")
    }
    let startsAsWord = utf8.first.map { !(0x30...0x39).contains($0) } ?? false
    let isTaken = BooleanLookalike.meaning(of: self) != nil || lowercased() == "null"
    guard !(isWord && startsAsWord) || isTaken else { return self }
    var bytes: [UInt8] = []
    JSONWriter.write(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// As a comment shows it.
  fileprivate var onOneLine: String {
    var text = ""
    for scalar in unicodeScalars {
      text.unicodeScalars.append(String(scalar).isNameable ? scalar : "·")
    }
    return text
  }
}
