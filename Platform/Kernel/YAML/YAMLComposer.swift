/// Builds nodes from events and refuses what Ferry's configuration files may not hold.
struct YAMLComposer: ~Copyable {
  private var events: YAMLEvents
  private let source: YAMLSource

  init(_ events: consuming YAMLEvents, _ source: YAMLSource) {
    self.events = events
    self.source = source
  }

  /// The root of the stream's one document.
  mutating func document() throws(SourceFault) -> YAMLNode {
    _ = try events.next()  // the stream's start says nothing: the encoding is known
    let start = try events.next()
    guard case .documentStart(let hasDirective) = start.kind else { throw source.emptyFile() }
    if hasDirective {
      throw source.syntaxFault(
        "directive", at: start.position, "directives ('%YAML', '%TAG') aren't allowed",
        remedy: "Remove the line that starts with '%'.")
    }
    let root = try node(try events.next(), depth: 0)
    if root.isNothing { throw source.emptyFile() }
    _ = try events.next()  // the document's end
    let end = try events.next()
    guard case .streamEnd = end.kind else {
      throw source.syntaxFault(
        "severalDocuments", at: end.position, "a second document begins here",
        remedy: "Keep one document in a file.")
    }
    return root
  }

  private mutating func node(_ event: YAMLEvent, depth: Int) throws(SourceFault) -> YAMLNode {
    try refuseDecoration(event)
    switch event.kind {
    case .scalar(let text, let isPlain):
      return YAMLNode(.scalar(text: text, isPlain: isPlain), at: event.position, in: source)
    case .sequenceStart:
      try refuseDepth(depth, at: event.position)
      return YAMLNode(.sequence(try items(depth: depth + 1)), at: event.position, in: source)
    case .mappingStart:
      try refuseDepth(depth, at: event.position)
      return YAMLNode(.mapping(try entries(depth: depth + 1)), at: event.position, in: source)
    default:
      throw source.syntaxFault(
        "syntax", at: event.position, "a value is missing here",
        remedy: "Check the indentation, quotes and brackets around this place.")
    }
  }

  private mutating func items(depth: Int) throws(SourceFault) -> [YAMLNode] {
    var items: [YAMLNode] = []
    while true {
      let event = try events.next()
      if case .sequenceEnd = event.kind { return items }
      items.append(try node(event, depth: depth))
    }
  }

  private mutating func entries(depth: Int) throws(SourceFault) -> [YAMLNode.Entry] {
    var entries: [YAMLNode.Entry] = []
    // Bytes, because Swift's `==` on strings takes composed and decomposed letters for the same.
    var lines: [[UInt8]: Int] = [:]
    while true {
      let event = try events.next()
      if case .mappingEnd = event.kind { return entries }
      let key = try key(event)
      if let first = lines.updateValue(key.position.line, forKey: Array(key.value.utf8)) {
        throw source.syntaxFault(
          "duplicateKey", at: key.position,
          "key \(QuotedText(key.value)) is given twice, first on line \(first)",
          remedy: "Remove one of the two.")
      }
      entries.append(YAMLNode.Entry(key: key, value: try node(try events.next(), depth: depth)))
    }
  }

  private func key(_ event: YAMLEvent) throws(SourceFault) -> Located<String> {
    try refuseDecoration(event)
    guard case .scalar(let text, let isPlain) = event.kind else {
      throw source.syntaxFault(
        "keyNotText", at: event.position, "a list or a mapping can't be a key",
        remedy: "Write the key as text.")
    }
    if isPlain, text == "<<" {
      throw source.syntaxFault(
        "mergeKey", at: event.position, "the merge key '<<' isn't allowed",
        remedy: "Write the keys out where they belong.")
    }
    if text.isEmpty {
      throw source.syntaxFault(
        "emptyKey", at: event.position, "a key is missing before ':'",
        remedy: "Write the key before the colon.")
    }
    return Located(text, at: event.position)
  }
}

extension YAMLComposer {
  private func refuseDecoration(_ event: YAMLEvent) throws(SourceFault) {
    if case .alias(let name) = event.kind {
      throw source.syntaxFault(
        "alias", at: event.position, "alias \(QuotedText("*\(name)")) isn't allowed",
        remedy: "Write the value out where it is used.")
    }
    if let anchor = event.anchor {
      throw source.syntaxFault(
        "anchor", at: event.position, "anchor \(QuotedText("&\(anchor)")) isn't allowed",
        remedy: "Remove it and write each value out where it is used.")
    }
    if let tag = event.tag {
      throw source.syntaxFault(
        "tag", at: event.position, "tag \(QuotedText(shortened(tag))) isn't allowed",
        remedy: "Remove it; the key says which type its value has.")
    }
  }

  /// libyaml spells `!!str` out; a person should see what stands in the file.
  private func shortened(_ tag: String) -> String {
    let standard = "tag:yaml.org,2002:"
    return tag.hasPrefix(standard) ? "!!\(tag.dropFirst(standard.count))" : tag
  }

  private func refuseDepth(_ depth: Int, at position: SourcePosition) throws(SourceFault) {
    guard depth >= YAMLDocument.deepestNesting else { return }
    throw source.syntaxFault(
      "tooDeep", at: position, "lists and mappings are nested more than \(YAMLDocument.deepestNesting) deep",
      remedy: "Check that this is the right file.")
  }
}
