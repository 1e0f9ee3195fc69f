import FerryKernel
import Foundation
import Testing

/// What isn't JSON is refused at the byte where it stops to be.
@Suite struct JSONMalformedTests {
  static let malformed: [(String, Int, JSONProblem)] = [
    ("", 0, .empty), (" \n", 2, .empty), ("\u{FEFF}1", 0, .byteOrderMark),
    ("[", 1, .unexpectedEnd), ("[1", 2, .unexpectedEnd), ("[1,", 3, .unexpectedEnd), ("{", 1, .unexpectedEnd),
    (#"{"a""#, 4, .unexpectedEnd), (#"{"a":"#, 5, .unexpectedEnd), (#"{"a":1"#, 6, .unexpectedEnd),
    (#""abc"#, 4, .unexpectedEnd), (#""\"#, 2, .unexpectedEnd), (#""\u00"#, 5, .unexpectedEnd),
    ("tru", 3, .unexpectedEnd), ("-", 1, .unexpectedEnd), ("1.", 2, .unexpectedEnd),
    ("1e+", 3, .unexpectedEnd),
    ("[1,]", 3, .unexpectedByte(0x5D, expected: "a value")),
    ("[,1]", 1, .unexpectedByte(0x2C, expected: "a value")),
    ("[1 2]", 3, .unexpectedByte(0x32, expected: "',' or ']'")),
    ("[1}", 2, .unexpectedByte(0x7D, expected: "',' or ']'")),
    (#"{"a":1,}"#, 7, .unexpectedByte(0x7D, expected: "a name in double quotes")),
    ("{a:1}", 1, .unexpectedByte(0x61, expected: "a name in double quotes")),
    (#"{"a" 1}"#, 5, .unexpectedByte(0x31, expected: "':'")),
    (#"{"a":1 "b":2}"#, 7, .unexpectedByte(0x22, expected: "',' or '}'")),
    ("'a'", 0, .unexpectedByte(0x27, expected: "a value")),
    ("NaN", 0, .unexpectedByte(0x4E, expected: "a value")),
    ("nul1", 3, .unexpectedByte(0x31, expected: "'null'")),
    ("+1", 0, .unexpectedByte(0x2B, expected: "a value")),
    (".5", 0, .unexpectedByte(0x2E, expected: "a value")),
    ("\u{A0}1", 0, .unexpectedByte(0xC2, expected: "a value")),
    ("// x\n1", 0, .unexpectedByte(0x2F, expected: "a value")),
    ("1 2", 2, .trailingContent), ("nullx", 4, .trailingContent), ("{}]", 2, .trailingContent),
    ("1\u{0}", 1, .trailingContent), ("0x10", 1, .trailingContent), ("1_0", 1, .trailingContent),
    ("01", 0, .invalidNumber), ("[-01]", 1, .invalidNumber), ("-x", 0, .invalidNumber),
    ("[1.]", 1, .invalidNumber),
    ("[1e]", 1, .invalidNumber), ("[1.e1]", 1, .invalidNumber), ("-Infinity", 0, .invalidNumber),
    ("[1e400]", 1, .numberOutOfRange), ("-1e400", 0, .numberOutOfRange),
    (String(repeating: "9", count: 400), 0, .numberOutOfRange),
    (#""\x""#, 1, .invalidEscape), (#""\u00g0""#, 1, .invalidEscape), (#""\'""#, 1, .invalidEscape),
    (#""\ud800""#, 1, .loneSurrogate), (#""a\udc00""#, 2, .loneSurrogate),
    (#""\ud800\n""#, 1, .loneSurrogate),
    (#""\ud800\u0041""#, 1, .loneSurrogate), (#""\ud800\ud800""#, 1, .loneSurrogate),
    ("\"a\nb\"", 2, .controlCharacter(0x0A)), ("\"\\n\t\"", 3, .controlCharacter(0x09)),
    ("\"\u{0}\"", 1, .controlCharacter(0)),
    (#"{"a":1,"a":2}"#, 7, .duplicateName("a")), (#"{"a":1,"\u0061":2}"#, 7, .duplicateName("a")),
    (#"[{"a":{"":1,"":2}}]"#, 12, .duplicateName("")),
    (String(repeating: "[", count: 513), 512, .tooDeep),
    (String(repeating: #"{"a":"#, count: 100_000), 2560, .tooDeep),
  ]

  @Test("is refused with its offset", arguments: malformed)
  func refused(text: String, offset: Int, problem: JSONProblem) {
    #expect(throws: JSONFault.malformed(offset: offset, problem)) { try JSONValue.parse(text: text) }
  }

  @Test(
    "bytes that aren't UTF-8 are refused with their offset",
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC0, 0x80, 0x22], 1), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xE0, 0x80, 0x80, 0x22], 1), ([0x22, 0xC3], 1),
      ([0x22, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0x61, 0xE2, 0x82, 0x22], 9), ([0x80], 0),
      ([0x22, 0xF0, 0x9F, 0x98, 0x22], 1), ([0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], 1),
    ] as [([UInt8], Int)])
  func invalidUTF8(bytes: [UInt8], offset: Int) {
    #expect(throws: JSONFault.malformed(offset: offset, .invalidUTF8)) { try JSONValue.parse(bytes) }
  }

  @Test("a name that comes twice among thousands is noticed")
  func duplicateAmongMany() {
    let names = (0..<5_000).map { "\"n\($0)\":1" }
    #expect(throws: Never.self) { try JSONValue.parse(text: "{\(names.joined(separator: ","))}") }
    #expect {
      try JSONValue.parse(text: "{\(names.joined(separator: ",")),\"n4321\":2}")
    } throws: { error in
      guard case .malformed(_, .duplicateName("n4321"))? = error as? JSONFault else { return false }
      return true
    }
  }

  @Test(
    "a fault says where, what and what next",
    arguments: [
      (
        "[1 2]", "json.unexpectedByte",
        "JSON, byte 3: expected ',' or ']', found '2'. Correct the text where it is made."
      ),
      (
        "[1\u{1}]", "json.unexpectedByte",
        "JSON, byte 2: expected ',' or ']', found byte 0x01. Correct the text where it is made."
      ),
      (#"{"a":1,"a":2}"#, "json.duplicateName", "JSON, byte 7: member 'a' comes twice. Keep one of the two."),
      (
        "[", "json.unexpectedEnd",
        "JSON, byte 1: the text ends inside a value. Check that the text arrived whole, and fetch it again."
      ),
    ])
  func description(text: String, code: String, description: String) {
    let fault = #expect(throws: JSONFault.self) { try JSONValue.parse(text: text) }
    #expect(fault?.code == code)
    #expect(fault?.description == description)
    #expect(fault.map { "\($0.sentence) \($0.remedy)" } == description)
  }

  @Test("the deepest nesting fits the small stack of a background thread")
  func smallStack() async {
    let depth = JSONValue.deepestNesting
    let text =
      String(repeating: #"[{"a":"#, count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
    let survived = await withCheckedContinuation { continuation in
      let thread = Thread {
        let value = try? JSONValue.parse(text: text)
        continuation.resume(returning: (try? value?.text()) == text && value == value)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(survived)
  }
}
