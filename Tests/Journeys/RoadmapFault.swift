import TestKit
import Testing

/// An edit of the committed roadmap, and what must be said of it.
struct RoadmapFault: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let code: String
  /// A text of the edited file, with a bar in it where the fault stands; its last occurrence counts.
  let mark: String
  let mentions: String
  let edit: @Sendable (String) throws -> String

  static let all = [
    RoadmapFault("log first", "notLast", "domain: |log  ", "'log'") { text in
      try text.moving(step: "log", above: "search-history")
    },
    RoadmapFault("an unknown domain", "unknownDomain", "domain: |atachment", "'attachment'") { text in
      try text.changing("domain: attachment", to: "domain: atachment")
    },
    RoadmapFault("a duplicate key", "yaml.duplicateKey", "|core: false", "core") { text in
      try text.changing(
        "domain: setting\n    core: true", to: "domain: setting\n    core: true\n    core: false")
    },
    RoadmapFault("a duplicate field", "yaml.duplicateKey", "|value: other", "value") { text in
      try text.changing("          value: value\n", to: "          value: value\n          value: other\n")
    },
    RoadmapFault("a missing dependency", "missingDependency", "domain: |item", "'folder'") { text in
      text.replacing(try text.step("folder"), with: "")
    },
    RoadmapFault("a dependency that is off", "missingDependency", "domain: |item", "'folder'") { text in
      try text.changing("domain: folder\n", to: "domain: folder\n    enabled: false\n")
    },
    RoadmapFault("a dependency below", "order", "domain: |item", "'folder'") { text in
      try text.moving(step: "item", above: "folder")
    },
    RoadmapFault("a domain twice", "duplicateDomain", "domain: |setting", "'setting'") { text in
      text.replacing("  - domain: folder", with: try text.step("setting") + "  - domain: folder")
    },
    RoadmapFault("no log at the end", "noQueue", "domain: |attachment", "queue") { text in
      text.replacing(try text.step("log"), with: "")
    },
    RoadmapFault("a truth value of another dialect", "expectedBool", "enabled: |yes", "yes") { text in
      try text.changing("domain: attachment\n", to: "domain: attachment\n    enabled: yes\n")
    },
    RoadmapFault("a class that no file has", "unknownClass", "class: |NoteContaine\n", "'NoteContainer'") {
      text in
      try text.changing("class: NoteContainer\n", to: "class: NoteContaine\n")
    },
    RoadmapFault("a property that no class has", "unknownProperty", "title: |titel", "'title'") { text in
      try text.changing("title: title\n", to: "title: titel\n")
    },
  ]

  private init(
    _ description: String, _ code: String, _ mark: String, _ mentions: String,
    edit: @escaping @Sendable (String) throws -> String
  ) {
    (testDescription, self.code, self.mark) = (
      description, code.contains(".") ? code : "roadmap.\(code)", mark
    )
    (self.mentions, self.edit) = (mentions, edit)
  }

  /// Where the fault stands in the edited roadmap.
  func position(in text: String) throws -> String {
    let parts = mark.split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 2, let range = text.ranges(of: parts.joined()).last else {
      throw GoldenFault("the roadmap has no \(mark)")
    }
    let before = text[..<range.lowerBound] + parts[0]
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    return "roadmap.yaml:\(lines.count):\((lines.last?.unicodeScalars.count ?? 0) + 1)"
  }
}

extension String {
  /// The lines of one domain's step, up to the next.
  fileprivate func step(_ domain: String) throws -> String {
    guard let start = firstRange(of: "  - domain: \(domain)")?.lowerBound else {
      throw GoldenFault("no step \(domain)")
    }
    let rest = self[start...].dropFirst(4)
    return String(self[start..<(rest.firstRange(of: "  - domain: ")?.lowerBound ?? endIndex)])
  }

  fileprivate func moving(step: String, above other: String) throws -> String {
    let moved = try self.step(step)
    let rest = replacing(moved, with: "")
    return try rest.changing("  - domain: \(other)", to: moved + "\n  - domain: \(other)")
  }

  fileprivate func changing(_ old: String, to new: String) throws -> String {
    guard contains(old) else { throw GoldenFault("the roadmap has no \(old)") }
    return replacing(old, with: new, maxReplacements: 1)
  }
}
