import FerryKernel
import Testing

/// Reading members with faults that say which member of what.
@Suite struct JSONReaderTests {
  private let record: JSONReader

  init() throws {
    record = JSONReader(
      try JSONValue.parse(
        text:
          #"{"title":7,"name":"x","n":1,"x":1.5,"ok":true,"none":null,"tags":["a",2],"meta":{"at":{"by":[]}}}"#
      ),
      of: "record", named: "i3")
  }

  @Test("members are read as what they are")
  func members() throws {
    #expect(try record.text("name") == "x")
    #expect(try record.integer("n") == 1)
    #expect(try record.number("x") == 1.5)
    #expect(try record.number("n") == 1)
    #expect(try record.bool("ok"))
    #expect(try record.items("tags")[0].text() == "a")
    #expect(try record.member("meta").member("at").object().count == 1)
  }

  @Test("a member that may be left out may be null too")
  func optional() throws {
    #expect(try record.ifPresent("none") == nil)
    #expect(try record.ifPresent("absent") == nil)
    #expect(try record.ifPresent("n")?.integer() == 1)
  }

  @Test("a member of another kind is named with its record")
  func mismatch() {
    let fault = #expect(throws: JSONFault.self) { try record.text("title") }
    #expect(fault?.code == "json.unexpectedKind")
    #expect(fault?.sentence == "member 'title' of record 'i3': expected text, found number.")
    #expect(fault?.remedy == "Correct the record where it is kept, or update this program.")
  }

  struct WrongTurn: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let read: @Sendable (JSONReader) throws -> Void

    init(_ sentence: String, _ read: @escaping @Sendable (JSONReader) throws -> Void) {
      testDescription = sentence
      self.read = read
    }
  }

  @Test(
    "the way to an inner value is spelt out",
    arguments: [
      WrongTurn("member 'tags[1]' of record 'i3': expected text, found number.") {
        _ = try $0.items("tags")[1].text()
      },
      WrongTurn("member 'meta.at.by' of record 'i3': expected a whole number, found a list.") {
        _ = try $0.member("meta").member("at").integer("by")
      },
      WrongTurn("member 'meta.to' of record 'i3' is missing.") { _ = try $0.member("meta").text("to") },
      WrongTurn("member 'x' of record 'i3': expected a whole number, found number.") {
        _ = try $0.integer("x")
      },
      WrongTurn("member 'none' of record 'i3': expected true or false, found null.") {
        _ = try $0.bool("none")
      },
      WrongTurn("member 'n' of record 'i3': expected an object, found number.") {
        _ = try $0.member("n").text("a")
      },
      WrongTurn("record 'i3': expected a list, found an object.") { _ = try $0.items() },
    ])
  func paths(turn: WrongTurn) {
    let fault = #expect(throws: JSONFault.self) { try turn.read(record) }
    #expect(fault?.sentence == turn.testDescription)
  }

  @Test("what only the caller can judge is stated the same way")
  func callersFault() throws {
    let fault = try record.member("name").mismatch(expected: "a UUID", found: "'x'")
    #expect(fault.sentence == "member 'name' of record 'i3': expected a UUID, found 'x'.")
  }

  @Test("accessors give nil for another kind")
  func accessors() {
    let value = record.value
    #expect(value["name"]?.stringValue == "x")
    #expect(value["name"]?.integerValue == nil)
    #expect(value["n"]?.integerValue == 1)
    #expect(value["n"]?.numberValue == 1)
    #expect(value["x"]?.integerValue == nil)
    #expect(value["ok"]?.boolValue == true)
    #expect(value["none"]?.isNull == true)
    #expect(value["tags"]?.arrayValue?.count == 2)
    #expect(value["tags"]?["x"] == nil)
    #expect(value["absent"] == nil)
  }
}
