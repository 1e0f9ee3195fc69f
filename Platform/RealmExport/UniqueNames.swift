/// Gives out names that differ from each other, also where case or Unicode composition makes no difference, as in
/// SQLite's schemas and many file systems.
struct UniqueNames {
  private var taken: Set<String> = []

  /// `wanted`, or `wanted_2`, `wanted_3`, … with `suffix` behind it.
  mutating func claim(_ wanted: String, suffix: String = "") -> String {
    var name = wanted
    var count = 1
    while !taken.insert(name.lowercased()).inserted {
      count += 1
      name = "\(wanted)_\(count)"
    }
    return name + suffix
  }

  /// A name for what the output has and the file hasn't: with `_` before it, as often as it takes.
  mutating func claimOwn(_ wanted: String) -> String {
    var name = wanted
    while !taken.insert(name.lowercased()).inserted { name = "_" + name }
    return name
  }
}

/// Names that a file or a schema can bear.
enum SafeName {
  /// A file name from a class's name: no separators, wildcards, quotes or control characters, no dot in front, of
  /// bounded length.
  static func file(_ name: String) -> String {
    var safe = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: safe.append("_")
      default: safe.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
      }
    }
    if safe.isEmpty || safe.first == "." || safe.first == "-" { safe.insert("_", at: safe.startIndex) }
    var text = String(safe)
    while text.utf8.count > 180 { text.removeLast() }
    return text
  }

  /// A name for a table or column of SQLite: anything goes within quotes but NUL, and but the prefix that SQLite
  /// keeps for itself.
  static func sqlite(_ name: String) -> String {
    if name.isEmpty { return "_" }
    let visible = name.replacing("\0", with: "\u{2400}")
    return visible.lowercased().hasPrefix("sqlite_") ? "_" + visible : visible
  }
}
