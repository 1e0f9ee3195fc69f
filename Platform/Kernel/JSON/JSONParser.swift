extension JSONValue {
  /// The deepest nesting of lists and objects that is read or written.
  public static let deepestNesting = 512

  /// Reads one JSON text (RFC 8259) from UTF-8 bytes, strictly: nothing is repaired or guessed.
  ///
  /// Whole numbers that fit 64 bits are `.integer` (`-0` is `0`, as in Python), all others `.number`, rounded
  /// to the nearest `Double`.
  ///
  /// - Throws: ``JSONFault/malformed(offset:_:)`` with the offset of the byte at fault.
  public static func parse(_ bytes: some Collection<UInt8>) throws(JSONFault) -> JSONValue {
    let outcome =
      bytes.withContiguousStorageIfAvailable(Self.outcome)
      ?? Array(bytes).withUnsafeBufferPointer(Self.outcome)
    return try outcome.get()
  }

  /// Reads one JSON text.
  public static func parse(text: String) throws(JSONFault) -> JSONValue {
    try parse(text.utf8)
  }

  private static func outcome(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<JSONValue, JSONFault> {
    do throws(JSONFault) {
      var parser = JSONParser(bytes)
      return .success(try parser.document())
    } catch {
      return .failure(error)
    }
  }
}

/// A parser over bytes. Lists and objects that are still open wait on a stack of its own instead of the
/// thread's, so that the deepest text fits the smallest thread.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var offset = 0
  private var open: [OpenContainer] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func document() throws(JSONFault) -> JSONValue {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw fault(.byteOrderMark, at: 0) }
    // Once for the whole text: what follows may take every slice of it for UTF-8.
    if let invalid = bytes.firstInvalidUTF8Offset { throw fault(.invalidUTF8, at: invalid) }
    skipWhiteSpace()
    guard offset < bytes.count else { throw fault(.empty) }
    let value = try value()
    skipWhiteSpace()
    guard offset == bytes.count else { throw fault(.trailingContent) }
    return value
  }

  private mutating func value() throws(JSONFault) -> JSONValue {
    while true {
      guard var finished = try begin() else { continue }
      while let last = open.indices.last {
        open[last].append(finished)
        if try continues(last) { break }
        finished = open.removeLast().value
      }
      if open.isEmpty { return finished }
    }
  }

  /// Reads the value at hand; `nil` where it is a list or an object whose first element comes next.
  private mutating func begin() throws(JSONFault) -> JSONValue? {
    switch try current() {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try enter(OpenContainer(isObject: true))
    case UInt8(ascii: "["): return try enter(OpenContainer(isObject: false))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let other: throw fault(.unexpectedByte(other, expected: "a value"))
    }
  }

  /// Steps over the opening bracket; gives the empty list or object where the closing one follows.
  private mutating func enter(_ container: OpenContainer) throws(JSONFault) -> JSONValue? {
    guard open.count < JSONValue.deepestNesting else { throw fault(.tooDeep) }
    offset += 1
    skipWhiteSpace()
    if try current() == container.closing {
      offset += 1
      return container.value
    }
    open.append(container)
    if container.isObject { try name(open.count - 1) }
    return nil
  }

  /// Steps over the comma (and the next name) to the next element, or over the closing bracket.
  private mutating func continues(_ last: Int) throws(JSONFault) -> Bool {
    skipWhiteSpace()
    let byte = try current()
    guard byte == UInt8(ascii: ",") || byte == open[last].closing else {
      throw fault(.unexpectedByte(byte, expected: open[last].isObject ? "',' or '}'" : "',' or ']'"))
    }
    offset += 1
    guard byte == UInt8(ascii: ",") else { return false }
    skipWhiteSpace()
    if open[last].isObject { try name(last) }
    return true
  }

  /// Reads a member's name and steps over the colon.
  private mutating func name(_ last: Int) throws(JSONFault) {
    let start = offset
    try require(UInt8(ascii: "\""), "a name in double quotes")
    let name = try string()
    guard open[last].accepts(name) else { throw fault(.duplicateName(name), at: start) }
    skipWhiteSpace()
    try require(UInt8(ascii: ":"), "':'")
    offset += 1
    skipWhiteSpace()
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      try require(word.utf8Start[index], "'\(word)'")
      offset += 1
    }
    return value
  }
}

extension JSONParser {
  /// The byte at hand, or the fault that the text ends here.
  func current() throws(JSONFault) -> UInt8 {
    guard offset < bytes.count else { throw fault(.unexpectedEnd) }
    return bytes[offset]
  }

  private func require(_ byte: UInt8, _ expected: @autoclosure () -> String) throws(JSONFault) {
    let found = try current()
    guard found == byte else { throw fault(.unexpectedByte(found, expected: expected())) }
  }

  private mutating func skipWhiteSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  func fault(_ problem: JSONProblem, at place: Int? = nil) -> JSONFault {
    .malformed(offset: place ?? offset, problem)
  }
}

/// A list or an object whose closing bracket hasn't come yet.
private struct OpenContainer {
  private static let fewNames = 16

  let isObject: Bool
  private var items: [JSONValue] = []
  private var members: [JSONObject.Member] = []
  private var name = ""
  private var seen: Set<NameBytes> = []

  init(isObject: Bool) { self.isObject = isObject }

  var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

  var value: JSONValue { isObject ? .object(JSONObject(distinct: members)) : .array(items) }

  mutating func append(_ value: JSONValue) {
    if isObject {
      members.append(JSONObject.Member(name: name, value: value))
    } else {
      items.append(value)
    }
  }

  /// Takes the name of the next member unless it came before: compared while there are few, hashed once there
  /// are many, so that a hostile object costs no quadratic time.
  mutating func accepts(_ name: String) -> Bool {
    self.name = name
    guard members.count >= Self.fewNames else {
      return !members.contains { $0.name.hasSameBytes(as: name) }
    }
    if seen.isEmpty { seen = Set(members.map { NameBytes(name: $0.name) }) }
    return seen.insert(NameBytes(name: name)).inserted
  }
}
