import Foundation
import Testing

@testable import FerryStore

@Suite struct `A value comes back as it was stored` {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  @Test(arguments: awkwardTexts) func `text, byte for byte`(text: String) throws {
    let row = try shelf.roundTrip { ($0.text, $0.note) = (text, text) }
    #expect(bytes(row.text) == bytes(text))
    #expect(row.note.map(bytes) == bytes(text))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max]) func `integers, to the ends`(number: Int64) throws {
    let row = try shelf.roundTrip {
      ($0.whole, $0.level, $0.time) = (Int(number), .unknown(number), Timestamp(nanoseconds: number))
    }
    #expect(row.whole == Int(number))
    #expect(row.level.rawValue == number)
    #expect(row.time.nanoseconds == number)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max]) func `keys, to the ends`(key: Int64) throws {
    try shelf.account.blockingWrite { try $0.insert(Everything(key)) }
    #expect(try shelf.account.blockingRead { try $0.find(Everything.self, key) }?.id == key)
  }

  @Test(arguments: [
    0, 1.5, -1, 1e300, -1e-300, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
    9_007_199_254_740_992, 0.1,
  ])
  func `numbers, infinities among them`(number: Double) throws {
    let row = try shelf.roundTrip { ($0.real, $0.score) = (number, number) }
    #expect(row.real.bitPattern == number.bitPattern)
    #expect(row.score?.bitPattern == number.bitPattern)
  }

  @Test func `negative zero as zero, which equals it: SQLite keeps whole reals as integers`() throws {
    let row = try shelf.roundTrip { $0.real = -0.0 }
    #expect(row.real == -0.0)
    #expect(row.real.sign == .plus)
  }

  @Test(arguments: [Data(), Data([0]), Data([0, 255, 0]), Data(repeating: 0xfe, count: 70_000)])
  func `bytes, none among them`(data: Data) throws {
    let row = try shelf.roundTrip { ($0.blob, $0.picture) = (data, data) }
    #expect(row.blob == data)
    #expect(row.picture == data)
  }

  @Test func `a slice of bytes, whose indices don't start at 0`() throws {
    let row = try shelf.roundTrip { $0.blob = Data([1, 2, 3, 4]).dropFirst(2) }
    #expect(row.blob == Data([3, 4]))
  }

  @Test(arguments: [Timestamp.min, .max]) func `times, to the ends`(time: Timestamp) throws {
    let row = try shelf.roundTrip { ($0.time, $0.due) = (time, time) }
    #expect(row.time == time)
    #expect(row.due == time)
  }

  @Test func `a UUID, as text in lower case`() throws {
    let uuid = UUID()
    #expect(try shelf.roundTrip { $0.uuid = uuid }.uuid == uuid)
    let text = try shelf.account.blockingRead {
      try $0.access.session.connection.text("SELECT uuid FROM everything", acrossAccounts: "a test")
    }
    #expect(text == uuid.uuidString.lowercased())
  }

  @Test(arguments: [true, false]) func `truth`(flag: Bool) throws {
    let row = try shelf.roundTrip { ($0.flag, $0.maybe) = (flag, flag) }
    #expect(row.flag == flag && row.maybe == flag)
  }

  @Test func `nil`() throws {
    let row = try shelf.roundTrip { _ in }
    #expect(row.note == nil && row.maybe == nil && row.score == nil && row.picture == nil)
    #expect(row.due == nil && row.folder == nil && row.kind == nil)
  }

  @Test func `an empty text, which isn't nil, and empty bytes, which aren't either`() throws {
    let row = try shelf.roundTrip { ($0.note, $0.picture) = ("", Data()) }
    #expect(row.note == "" && row.picture == Data())
  }

  @Test(arguments: ["primary", "archived", "", "Primary", "새것", "-1"])
  func `a choice, known or not`(raw: String) throws {
    let row = try shelf.roundTrip { $0.kind = FolderKind(rawValue: raw) }
    #expect(row.kind?.rawValue == raw)
  }

  @Test(arguments: ["-7", "0", "a\u{301}", "á", "🚢"]) func `an identifier, byte for byte`(text: String) throws
  {
    let row = try shelf.roundTrip { $0.folder = Identifier(text) }
    #expect(row.folder.map { bytes($0.rawValue) } == bytes(text))
  }

  @Test func `a list of texts, byte for byte`() throws {
    #expect(try shelf.roundTrip { $0.tags = awkwardTexts }.tags.map(bytes) == awkwardTexts.map(bytes))
    #expect(try shelf.roundTrip { $0.tags = [] }.tags == [])
    #expect(try shelf.roundTrip { $0.tags = [""] }.tags == [""])
  }

  @Test func `a list of every ASCII character, as JSON that SQLite takes`() throws {
    let all = String(String.UnicodeScalarView((0..<128).map { Unicode.Scalar(UInt8($0)) }))
    #expect(try shelf.roundTrip { $0.tags = [all] }.tags == [all])
  }

  @Test func `or is refused by name: NaN`() throws {
    #expect(throws: StoreError.notANumber(parameter: 8)) { try shelf.roundTrip { $0.real = .nan } }
    #expect(throws: StoreError.notANumber(parameter: 9)) { try shelf.roundTrip { $0.score = .signalingNaN } }
    #expect(throws: StoreError.notANumber(parameter: 2)) {
      try shelf.account.blockingRead { try $0.fetch(Everything.where { $0.real < .nan }) }
    }
    #expect(try shelf.account.blockingRead { try $0.count(Everything.all) } == 0)
  }
}
