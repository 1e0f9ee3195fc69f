internal import CYAML

/// One event of libyaml's parser, with everything that Ferry cares for copied out of C.
struct YAMLEvent {
  enum Kind {
    case streamStart, streamEnd, documentEnd, sequenceEnd, mappingEnd, none
    case documentStart(hasDirective: Bool)
    case alias(String)
    case scalar(text: String, isPlain: Bool)
    case sequenceStart, mappingStart
  }

  let kind: Kind
  let position: SourcePosition
  var anchor: String?
  var tag: String?
}

/// libyaml's event parser over a buffer that outlives it. The parser and every event are freed on all paths.
struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: SourceText
  private let source: YAMLSource
  private var cursor: CodePointCursor

  init(_ text: SourceText, _ source: YAMLSource) throws(SourceFault) {
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    guard yaml_parser_initialize(parser) == 1 else {
      parser.deallocate()
      throw Self.outOfMemory(source)
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.bytes.baseAddress, text.bytes.count)
    self.parser = parser
    self.text = text
    self.source = source
    cursor = CodePointCursor(text)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// The next event, or libyaml's complaint.
  mutating func next() throws(SourceFault) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw complaint() }
    defer { yaml_event_delete(&event) }
    return copy(event)
  }

  private mutating func copy(_ event: yaml_event_t) -> YAMLEvent {
    let position = SourcePosition(event.start_mark)
    switch event.type {
    case YAML_STREAM_START_EVENT: return YAMLEvent(kind: .streamStart, position: position)
    case YAML_STREAM_END_EVENT: return YAMLEvent(kind: .streamEnd, position: position)
    case YAML_DOCUMENT_END_EVENT: return YAMLEvent(kind: .documentEnd, position: position)
    case YAML_SEQUENCE_END_EVENT: return YAMLEvent(kind: .sequenceEnd, position: position)
    case YAML_MAPPING_END_EVENT: return YAMLEvent(kind: .mappingEnd, position: position)
    case YAML_DOCUMENT_START_EVENT:
      let start = event.data.document_start
      let hasDirective =
        start.version_directive != nil || start.tag_directives.start != start.tag_directives.end
      return YAMLEvent(kind: .documentStart(hasDirective: hasDirective), position: position)
    case YAML_ALIAS_EVENT:
      return YAMLEvent(kind: .alias(string(event.data.alias.anchor) ?? ""), position: position)
    case YAML_SCALAR_EVENT:
      return scalar(event)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return YAMLEvent(
        kind: .sequenceStart, position: position, anchor: string(start.anchor), tag: string(start.tag))
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return YAMLEvent(
        kind: .mappingStart, position: position, anchor: string(start.anchor), tag: string(start.tag))
    default:
      return YAMLEvent(kind: .none, position: position)
    }
  }

  private mutating func scalar(_ event: yaml_event_t) -> YAMLEvent {
    let scalar = event.data.scalar
    let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    var copy = YAMLEvent(
      kind: .scalar(text: text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE),
      position: SourcePosition(event.start_mark), anchor: string(scalar.anchor), tag: string(scalar.tag))
    // libyaml swallows the tag "!" before a scalar. The source still shows it: no scalar begins with one.
    if copy.tag == nil, cursor.byte(atCodePoint: Int(event.start_mark.index)) == UInt8(ascii: "!") {
      copy.tag = "!"
    }
    return copy
  }

  private func string(_ characters: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    characters.map { String(cString: $0) }
  }
}

extension SourcePosition {
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}

extension YAMLEvents {
  private func complaint() -> SourceFault {
    let state = parser.pointee
    switch state.error {
    case YAML_MEMORY_ERROR:
      return Self.outOfMemory(source)
    case YAML_READER_ERROR:
      // The reader runs ahead of the scanner, so only its byte offset says where the trouble is.
      return source.syntaxFault(
        "syntax", at: text.position(ofByte: Int(state.problem_offset)), words(state.problem),
        remedy: "Remove the character, or write it as an escape in double quotes.")
    default:
      return syntaxFault(state)
    }
  }

  private func syntaxFault(_ state: yaml_parser_t) -> SourceFault {
    var message = words(state.problem)
    if let context = state.context {
      message += " \(String(cString: context)) that begins on line \(state.context_mark.line + 1)"
    }
    var cursor = CodePointCursor(text)
    let isTab = cursor.byte(atCodePoint: Int(state.problem_mark.index)) == UInt8(ascii: "\t")
    return source.syntaxFault(
      isTab ? "tab" : "syntax", at: SourcePosition(state.problem_mark),
      isTab ? "\(message) (it is a tab)" : message,
      remedy: isTab
        ? "Indent with spaces." : "Check the indentation, quotes and brackets around this place.")
  }

  private func words(_ problem: UnsafePointer<CChar>?) -> String {
    problem.map { String(cString: $0) } ?? "the text isn't YAML"
  }

  private static func outOfMemory(_ source: YAMLSource) -> SourceFault {
    source.syntaxFault(
      "outOfMemory", at: .start, "there isn't enough memory to read the file",
      remedy: "Close other programs and try again.")
  }
}
