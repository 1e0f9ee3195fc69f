import RealmFile
import Testing

@testable import RealmExport

@Suite("Times as text")
struct TimeTextTests {
  @Test(
    "A time is exact at both ends of what a file can hold",
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000000000Z"), (1_714_564_800, 1, "2024-05-01T12:00:00.000000001Z"),
      (951_782_400, 999_999_999, "2000-02-29T00:00:00.999999999Z"), (-1, 0, "1969-12-31T23:59:59.000000000Z"),
      (0, -1, "1969-12-31T23:59:59.999999999Z"), (-1, -500_000_000, "1969-12-31T23:59:58.500000000Z"),
      (-62_135_596_800, 0, "0001-01-01T00:00:00.000000000Z"),
      (-62_167_219_200, 0, "0000-01-01T00:00:00.000000000Z"),
      (-62_167_219_201, 0, "-0001-12-31T23:59:59.000000000Z"),
      (253_402_300_799, 0, "9999-12-31T23:59:59.000000000Z"),
      (253_402_300_800, 0, "+10000-01-01T00:00:00.000000000Z"),
      (Int64.max, 999_999_999, "+292277026596-12-04T15:30:07.999999999Z"),
      (Int64.min, -999_999_999, "-292277022657-01-27T08:29:51.000000001Z"),
    ] as [(Int64, Int32, String)])
  func text(seconds: Int64, nanoseconds: Int32, expected: String) {
    #expect(PlainText.time(seconds: seconds, nanoseconds: nanoseconds) == expected)
  }

  @Test(
    "Base64 has its padding",
    arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func base64(text: String, expected: String) {
    #expect(PlainText.base64(Array(text.utf8)) == expected)
  }

  @Test("The pieces of a JSON container are its values, whatever is in their texts")
  func pieces() {
    func values(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      return JSONPieces.values(of: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(values("[]").isEmpty && values("{}").isEmpty)
    #expect(values(#"[1,"a,]\"}",[2,{"x":3}],null]"#) == ["1", #""a,]\"}""#, #"[2,{"x":3}]"#, "null"])
    #expect(values(#"{"a:,\\":{"b":[1,2]},"\"":"}"}"#) == [#"{"b":[1,2]}"#, #""}""#])
  }
}
