import FerryKernel
import Foundation
import Testing

/// What is read is written again, byte for byte.
@Suite struct JSONRoundTripTests {
  @Test(
    "canonical text survives reading and writing",
    arguments: [
      "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "1.0", "-0.0", "0.1",
      "1e+22", "5e-324", "1.7976931348623157e+308", "2.2250738585072014e-308", "1e-05", "0.0001", "1e+16",
      "1000000000000000.0", "123456789012345.6", "1.8446744073709552e+19", "18446744073709551615",
      "-9223372036854775809",
      "100000000000000000000000000001", #""""#, "[]", "{}", "[[],{}]",
      #""\u0000""#, #""a\u0000b\u001f\b\t\n\f\r\"\\/""#, "\"\u{7F}\u{2028}\u{10FFFF}\"",
      "\"\u{E9}e\u{301}\"", "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"b":1,"a":[true,null,{"c":"x"}]}"#,
      "\"\u{FEFF}\"",
    ])
  func canonical(text: String) throws {
    #expect(try JSONValue.parse(text: text).bytes() == Array(text.utf8))
  }

  @Test(
    "other ways to write a value become the canonical one",
    arguments: [
      (" [ 1 ,\t2 ]\r\n", "[1,2]"), (#""\u0041\u00e9\/""#, "\"A\u{E9}/\""),
      (#""\ud83d\ude00""#, "\"\u{1F600}\""),
      (#""\uD83D\uDE00x""#, "\"\u{1F600}x\""), ("-0", "0"), ("1e22", "1e+22"), ("1E2", "100.0"),
      ("1.50", "1.5"),
      ("1e-400", "0.0"), ("-1e-400", "-0.0"),
      (#""\u001F\u007f""#, "\"\\u001f\u{7F}\""),
    ])
  func normalised(text: String, canonical: String) throws {
    #expect(try JSONValue.parse(text: text).bytes() == Array(canonical.utf8))
  }

  @Test("a name is its bytes: the composed and the decomposed form are two members")
  func names() throws {
    let value = try JSONValue.parse(text: "{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value.objectValue?.count == 2)
    #expect(value["\u{E9}"] == 1)
    #expect(value["e\u{301}"] == 2)
    #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
  }

  @Test("a dictionary would have merged them")
  func namesInADictionary() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(Dictionary([("\u{E9}", 1), ("e\u{301}", 2)]) { $1 }.count == 1)
  }

  @Test("members keep their order, and can be sorted by bytes")
  func order() throws {
    let value = try JSONValue.parse(
      text: "{\"b\":{\"z\":1,\"y\":2},\"\u{1F600}\":3,\"\u{FFFD}\":4,\"B\":5,\"\":6}")
    #expect(value.objectValue?.members.map(\.name) == ["b", "\u{1F600}", "\u{FFFD}", "B", ""])
    #expect(
      try value.text(order: .sorted)
        == "{\"\":6,\"B\":5,\"b\":{\"y\":2,\"z\":1},\"\u{FFFD}\":4,\"\u{1F600}\":3}")
  }

  @Test("objects are the same whatever the order of their members")
  func equality() throws {
    let first = try JSONValue.parse(text: #"{"a":1,"b":[{"c":1,"d":2}]}"#)
    #expect(try first == JSONValue.parse(text: #"{"b":[{"d":2,"c":1}],"a":1}"#))
    #expect(try first != JSONValue.parse(text: #"{"b":[{"d":2,"c":1}],"a":2}"#))
    #expect(try first != JSONValue.parse(text: #"{"a":1}"#))
    #expect(try first != JSONValue.parse(text: #"{"a":1,"x":[{"c":1,"d":2}]}"#))
    #expect(JSONValue.integer(1) != .number(1))
    #expect(JSONValue.number(0) != .number(-0.0))
  }

  @Test("a member is replaced in its place, appended, or removed")
  func members() throws {
    var object = try #require(JSONValue.parse(text: #"{"a":1,"b":2}"#).objectValue)
    object["a"] = "x"
    object["c"] = true
    object["b"] = nil
    object["d"] = nil
    #expect(try JSONValue.object(object).text() == #"{"a":"x","c":true}"#)
  }

  @Test("values can be written down in Swift")
  func literals() throws {
    let value: JSONValue = ["id": "i3", "n": 1, "x": 1.5, "ok": true, "list": [1, .null]]
    #expect(try value.text() == #"{"id":"i3","n":1,"x":1.5,"ok":true,"list":[1,null]}"#)
  }

  @Test("bytes are taken from arrays, slices, Data and collections without storage")
  func sources() throws {
    let bytes = Array("x[1]".utf8)
    #expect(try JSONValue.parse(bytes.dropFirst()) == [1])
    #expect(try JSONValue.parse(Data(bytes).dropFirst()) == [1])
    #expect(try JSONValue.parse(bytes.dropFirst().lazy.map { $0 }) == [1])
  }

  @Test(
    "infinity and NaN can't be written, and the fault says where they are",
    arguments: [Double.infinity, -.infinity, .nan])
  func notFinite(number: Double) {
    #expect(throws: JSONFault.notFinite(path: "a[1].b")) {
      try (["a": [1, ["b": .number(number)]]] as JSONValue).bytes()
    }
    #expect(throws: JSONFault.notFinite(path: "")) { try JSONValue.number(number).bytes() }
    #expect(
      JSONFault.notFinite(path: "a[1].b").description
        == "The number at 'a[1].b' isn't finite, and JSON has no form for it. "
        + "Leave the number out, or write null.")
  }

  @Test("a value nested too deep isn't written")
  func tooDeep() throws {
    var value: JSONValue = []
    for _ in 1..<JSONValue.deepestNesting { value = [value] }
    #expect(try JSONValue.parse(value.bytes()) == value)
    #expect(throws: JSONFault.tooDeepToWrite) { try JSONValue.array([value]).bytes() }
    #expect(throws: JSONFault.tooDeepToWrite) { try (["a": value] as JSONValue).bytes() }
  }
}
