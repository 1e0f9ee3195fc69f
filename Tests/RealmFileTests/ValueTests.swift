import Foundation
import Testing

@testable import RealmFile

@Suite("Values")
struct ValueTests {
  private func strings(_ values: [[UInt8]?]) throws -> [RealmValue] {
    var file = HandmadeFile()
    let leaf = file.strings(values)
    file.table(
      "class_A", [.init(name: "x", type: 2, attributes: 16)],
      root: file.cluster(rows: values.count, leaves: [leaf]))
    let rows = try #require(try RealmFile(source: MemorySource(file.finish())).tables.first).rows()
    var read: [RealmValue] = []
    while let row = try rows.next() { read.append(try row.value(at: 0)) }
    return read
  }

  @Test("NFC and NFD forms of a text are different values")
  func normalForms() throws {
    let (composed, decomposed) = ("한글", "한글".decomposedStringWithCanonicalMapping)
    #expect(composed == decomposed)
    let values = try strings([Array(composed.utf8), Array(decomposed.utf8)])
    #expect(values == [.string(composed), .string(decomposed)])
    #expect(values[0] != values[1])
  }

  @Test("Null, empty, NUL characters and bytes that are not UTF-8 are kept apart")
  func unusualText() throws {
    let values = try strings([nil, [], [0], [0x61, 0, 0x62], [0xFF], [0xED, 0xA0, 0x80], Array("�".utf8)])
    #expect(
      values == [
        .null, .string(""), .string("\0"), .string("a\0b"), .invalidUTF8([0xFF]),
        .invalidUTF8([0xED, 0xA0, 0x80]), .string("\u{FFFD}"),
      ])
  }

  @Test("A split value is put together")
  func splitBlob() throws {
    var file = HandmadeFile()
    let parts = [file.blob([1, 2, 3]), file.blob([4, 5])]
    let split = file.refs(parts, flags: 0x20)
    let whole = file.blob([9])
    let leaf = file.refs([split, whole, 0], flags: 0x20)
    file.table(
      "class_A", [.init(name: "x", type: 4, attributes: 16)], root: file.cluster(rows: 3, leaves: [leaf]))
    let table = try #require(try RealmFile(source: MemorySource(file.finish())).tables.first)
    for (key, expected) in [(Int64(0), RealmValue.binary([1, 2, 3, 4, 5])), (1, .binary([9])), (2, .null)] {
      #expect(try table.row(key: key)?.value(at: 0) == expected)
    }
  }

  @Test("Interned strings are looked up in one leaf or in a tree of leaves")
  func interned() throws {
    var file = HandmadeFile()
    let keys = file.inner([
      HandmadeFile.tagged(2), file.strings(["a", "b"]), file.strings([Array("c".utf8), nil]),
      HandmadeFile.tagged(4),
    ])
    let leaf = file.integers([3, 2, 0, 1, 4])
    file.table(
      "class_A", [.init(name: "x", type: 2, attributes: 16, enumerated: keys)],
      root: file.cluster(rows: 5, leaves: [leaf]))
    let table = try #require(try RealmFile(source: MemorySource(file.finish())).tables.first)
    let rows = table.rows()
    for expected in [RealmValue.null, .string("c"), .string("a"), .string("b")] {
      #expect(try rows.next()?.value(at: 0) == expected)
    }
    let last = try #require(try rows.next())
    #expect(throws: RealmFileError.self) { _ = try last.value(at: 0) }
  }

  @Test(
    "Decimals print as the library prints them",
    arguments: [
      (UInt64(0), 0, false, "0"), (0, 0, true, "-0"), (110, -2, false, "1.10"), (1, -6176, false, "1E-6176"),
      (1, 2, false, "1E2"), (10, 2, false, "1.0E3"), (100, 0, false, "100"), (12345, -2, true, "-123.45"),
      (12345, -7, false, "1.2345E-3"), (5, -1, false, "5E-1"),
    ])
  func decimals(coefficient: UInt64, exponent: Int, isNegative: Bool, text: String) {
    let high = UInt64(exponent + 6176) << 49 | (isNegative ? 1 << 63 : 0)
    let decimal = RealmDecimal128(high: high, low: coefficient)
    #expect(decimal.description == text)
    #expect(decimal.coefficient == (0, coefficient) && decimal.exponent == exponent)
    #expect(decimal.isNegative == isNegative)
  }

  @Test("Decimals of more than 64 bits, infinities and NaN print as the library prints them")
  func specialDecimals() {
    // 1234567890123456789012345678901234 in two halves.
    let exponent: UInt64 = 6174 << 49
    let long = RealmDecimal128(high: exponent | 0x3CDE_6FFF_9732, low: 0xDE82_5CD0_7E96_AFF2)
    #expect(long.description == "+1234567890123456789012345678901234E-2")
    #expect(RealmDecimal128(high: 0x7800 << 48, low: 0).description == "Inf")
    #expect(RealmDecimal128(high: 0xF800 << 48, low: 0).description == "-Inf")
    #expect(RealmDecimal128(high: 0x7C00 << 48, low: 0).description == "NaN")
    #expect(RealmDecimal128(high: 0x6000 << 48, low: 5).coefficient == (0, 0))
  }

  @Test("Narrow decimals are the same values as wide ones")
  func narrowDecimals() {
    let wide = RealmDecimal128(high: UInt64(6176 - 3) << 49, low: 123_456)
    #expect(RealmDecimal128(bid32: 98 << 23 | 123_456) == wide)
    #expect(RealmDecimal128(bid64: 395 << 53 | 123_456) == wide)
    #expect(RealmDecimal128(bid32: 0x7800_0000).isInfinite)
    #expect(RealmDecimal128(bid64: 0xFC00_0000_0000_0000).isNaN)
    // The large form: binary 100 and 21 bits, here 8,388,608 + 7 times 10 to the power of 1.
    #expect(RealmDecimal128(bid32: 3 << 29 | 102 << 21 | 7).description == "8.388615E7")
    #expect(RealmDecimal128(bid32: 3 << 29 | 102 << 21 | 0x1F_FFFF).coefficient == (0, 0))
  }

  @Test(
    "Floating-point numbers are laid out as Python does",
    arguments: [
      (1.0, "1.0"), (0.1, "0.1"), (1e22, "1e+22"), (.leastNonzeroMagnitude, "5e-324"), (-0.0, "-0.0"),
      (0.0, "0.0"), (1e16, "1e+16"),
      (123456789012345680.0, "1.2345678901234568e+17"), (9007199254740993.0, "9007199254740992.0"),
      (1e-4, "0.0001"),
      (1e-5, "1e-05"), (1.5e-7, "1.5e-07"), (-12.5, "-12.5"), (1e15, "1000000000000000.0"), (100.0, "100.0"),
      (.nan, "\"NaN\""), (.infinity, "\"Infinity\""), (-.infinity, "\"-Infinity\""),
      (1.7976931348623157e308, "1.7976931348623157e+308"),
    ])
  func numbers(value: Double, text: String) {
    #expect(PythonNumbers.text(value) == text)
  }

  @Test("A 32-bit number has the digits it needs")
  func floats() {
    #expect(PythonNumbers.text(Float(3.1415927)) == "3.1415927")
    #expect(PythonNumbers.text(Float(16_777_216)) == "16777216.0")
  }

  @Test("Equality is that of stored bytes")
  func equality() {
    #expect(RealmValue.double(.nan) == .double(.nan))
    #expect(RealmValue.double(0) != .double(-0.0))
    #expect(RealmValue.int(1) != .bool(true))
    let dictionary = RealmDictionary(entries: [.init(key: "a", value: .int(1))])
    #expect(dictionary["a"] == .int(1) && dictionary["b"] == nil)
  }
}
