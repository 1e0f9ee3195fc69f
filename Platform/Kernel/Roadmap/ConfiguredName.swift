/// Names and versions in Ferry's configuration files.
extension YAMLNode {
  /// A name: text that isn't blank and holds no control characters, which no terminal could show.
  func name(_ what: String) throws(SourceFault) -> Located<String> {
    let text = try text()
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw fault("emptyName", "\(what) is empty", remedy: "Write the name.")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw fault(
        "controlCharacter", "\(what) holds a control character: \(QuotedText(text))",
        remedy: "Write the name on one line, without escapes.")
    }
    return Located(text, at: position)
  }

  /// A name that is kebab-case.
  func kebabCaseName(_ what: String) throws(SourceFault) -> Located<String> {
    try source.kebabCaseName(try name(what), what)
  }

  /// The `version` of the file's format. It is read before everything else, because a file of another version
  /// may have other keys.
  func formatVersion(_ current: Int64) throws(SourceFault) -> Int64 {
    let entry = try entries().first { $0.key.value == "version" }
    guard let node = entry?.value else {
      throw fault(
        "missingKey", "key 'version' is missing", remedy: "Add 'version: \(current)' as the first line.")
    }
    let version = try node.integer()
    guard version == current else {
      throw node.fault(
        "version", "this build reads version \(current) of the file's format, not version \(version)",
        remedy: version > current ? "Install a newer build." : "Write 'version: \(current)'.")
    }
    return version
  }
}

extension YAMLSource {
  /// The name, if it is lower-case words joined by single hyphens, the first beginning with a letter.
  func kebabCaseName(_ name: Located<String>, _ what: String) throws(SourceFault) -> Located<String> {
    let words = name.value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isKebabCase = words.allSatisfy { word in
      !word.isEmpty && word.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
    guard isKebabCase, let first = name.value.utf8.first, first >= 0x61 else {
      throw fault(
        "notKebabCase", at: name.position, "\(what) must be kebab-case, found \(QuotedText(name.value))",
        remedy: "Use lower-case letters, digits and single hyphens, such as 'search-history'.")
    }
    return name
  }
}
