/// Names of a file as names of Swift: letters, digits and underscores, no keyword, none twice.
struct SwiftNames {
  /// Types that generated code uses; a class of that name gets another.
  static let types: Set<String> = [
    "Record", "Table", "Column", "Identifier", "Index", "Timestamp", "Data", "UUID", "String", "Int64",
    "Bool", "Double",
    "Equatable", "Optional", "Array", "Tracking", "Type", "Protocol", "Self", "Any",
  ]

  private static let keywords: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
    "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
    "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
    "true", "try",
    "typealias", "var", "where", "while",
  ]

  private var taken: Set<String>

  init(reserved: Set<String>) { taken = reserved }

  /// The name, with a number behind it where it is taken.
  mutating func claim(_ wanted: String) -> String {
    var name = wanted
    var count = 1
    while !taken.insert(name).inserted {
      count += 1
      name = "\(wanted)\(count)"
    }
    return name
  }

  static func type(_ name: String) -> String {
    let word = identifier(name, or: "Class")
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  static func property(_ name: String) -> String {
    let word = identifier(name, or: "property")
    let start = word.prefix { $0 == "_" }
    let rest = word.dropFirst(start.count)
    // A private-looking name (`_id`) loses its underscores; what is left must still begin with a letter.
    let plain = rest.first?.isLetter == true ? String(rest) : word
    return plain.prefix(1).lowercased() + plain.dropFirst()
  }

  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// `remoteItemID` as `remote_item_id`.
  static func snakeCase(_ name: String) -> String {
    var words = ""
    let letters = Array(name)
    for (index, letter) in letters.enumerated() {
      let isStart =
        index > 0 && letter.isUppercase
        && (!letters[index - 1].isUppercase || (index + 1 < letters.count && letters[index + 1].isLowercase))
      if isStart, words.last != "_" { words += "_" }
      words += letter.lowercased()
    }
    return words
  }

  /// A name that may stand in a comment of one line.
  static func comment(_ name: String) -> String {
    String(name.map { $0.isNewline || $0 == "`" || $0 == "\0" ? "_" : $0 })
  }

  private static func identifier(_ name: String, or fallback: String) -> String {
    let word = String(name.map { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) ? $0 : "_" })
    guard let first = word.first, word.contains(where: { $0 != "_" }) else { return fallback }
    return first.isNumber ? "_" + word : word
  }
}
