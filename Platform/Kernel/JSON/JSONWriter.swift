extension JSONValue {
  /// In which order an object's members are written.
  public enum MemberOrder: Sendable {
    /// As they are.
    case asGiven
    /// By the bytes of their names: the same value always gives the same text.
    case sorted
  }

  /// The compact text that Python's `json.dumps(value, ensure_ascii=False, separators=(',', ':'))` gives, as
  /// UTF-8 bytes.
  ///
  /// - Throws: ``JSONFault/notFinite(path:)`` for infinity and NaN, ``JSONFault/tooDeepToWrite``.
  public func bytes(order: MemberOrder = .asGiven) throws(JSONFault) -> [UInt8] {
    var bytes: [UInt8] = []
    try append(to: &bytes, order: order)
    return bytes
  }

  /// The same text as a string.
  public func text(order: MemberOrder = .asGiven) throws(JSONFault) -> String {
    String(decoding: try bytes(order: order), as: UTF8.self)
  }

  /// Appends the text to `bytes`, for whoever writes many values into one buffer. After a fault `bytes` ends
  /// in the middle of the value.
  public func append(to bytes: inout [UInt8], order: MemberOrder = .asGiven) throws(JSONFault) {
    var writer = JSONWriter(order: order)
    try writer.write(self, to: &bytes)
  }
}

/// Writes values as canonical bytes. Lists and objects that are still open wait on a stack of its own: what
/// the parser can read on a small thread can be written there too.
struct JSONWriter {
  private let order: JSONValue.MemberOrder
  private var open: [OpenContainer] = []

  init(order: JSONValue.MemberOrder) { self.order = order }

  mutating func write(_ value: JSONValue, to bytes: inout [UInt8]) throws(JSONFault) {
    try begin(value, to: &bytes)
    while let last = open.indices.last {
      guard let next = open[last].next(to: &bytes) else {
        open.removeLast()
        continue
      }
      try begin(next, to: &bytes)
    }
  }

  private mutating func begin(_ value: JSONValue, to bytes: inout [UInt8]) throws(JSONFault) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let isTrue): bytes.append(contentsOf: isTrue ? "true".utf8 : "false".utf8)
    case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
    case .wide(let digits): bytes.append(contentsOf: digits.utf8)
    case .number(let number):
      guard number.isFinite else { throw .notFinite(path: JSONPath(steps: open.map(\.step)).text) }
      bytes.append(contentsOf: DoubleText(number).description.utf8)
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let items): try enter(.list(items), UInt8(ascii: "["), to: &bytes)
    case .object(let object):
      let members = order == .sorted ? object.sortedMembers : object.members
      try enter(.object(members), UInt8(ascii: "{"), to: &bytes)
    }
  }

  private mutating func enter(
    _ content: OpenContainer.Content, _ opening: UInt8, to bytes: inout [UInt8]
  ) throws(JSONFault) {
    guard open.count < JSONValue.deepestNesting else { throw .tooDeepToWrite }
    bytes.append(opening)
    open.append(OpenContainer(content: content))
  }
}

/// A list or an object of which some elements are written.
private struct OpenContainer {
  enum Content {
    case list([JSONValue])
    case object([JSONObject.Member])
  }

  let content: Content
  private var index = 0

  init(content: Content) { self.content = content }

  /// Writes what stands before the next element and gives it; behind the last, writes the closing bracket.
  mutating func next(to bytes: inout [UInt8]) -> JSONValue? {
    defer { index += 1 }
    switch content {
    case .list(let items):
      guard index < items.count else {
        bytes.append(UInt8(ascii: "]"))
        return nil
      }
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      return items[index]
    case .object(let members):
      guard index < members.count else {
        bytes.append(UInt8(ascii: "}"))
        return nil
      }
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONWriter.write(members[index].name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      return members[index].value
    }
  }

  /// The way to the element that was given last.
  var step: JSONPath.Step {
    switch content {
    case .list: .item(index - 1)
    case .object(let members): .member(members[index - 1].name)
    }
  }
}

extension JSONWriter {
  /// Appends a text with its quotation marks.
  static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0, to: &bytes) }
    if isDone == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0, to: &bytes) } }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Copies stretches without escapes in one piece.
  private static func escape(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var start = 0
    for (index, byte) in text.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      bytes.append(contentsOf: text[start..<index])
      appendEscape(byte, to: &bytes)
      start = index + 1
    }
    bytes.append(contentsOf: text[start...])
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case ..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let low = byte & 0x0F
      bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: bytes.append(byte)
    }
  }
}
