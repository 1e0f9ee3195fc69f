import FerryStore
import Testing

@Suite struct `An error of the store` {
  static let all: [StoreError] = [
    .sqlite(code: 5, message: "m", doing: "d"), .badValue(column: "c", expected: "e"),
    .notANumber(parameter: 1),
    .duplicateKey(table: "t", key: "k"), .keyCollision(table: "t", key: "k", first: "a", second: "b"),
    .notEncodable(type: "T", why: "w"), .noSuchRow(table: "t", key: "k"), .changedKey(table: "t", key: "k"),
    .notAColumn(table: "t", path: "p"), .notSearchable(table: "t"), .searchTooLong(limit: 1),
    .queryTooLarge(why: "w"), .notAReference(table: "t", column: "c", to: "o"), .outOfScope(table: "t"),
    .unknownPlace(table: "t", by: "o"), .sumOutOfRange(table: "t"),
    .badDeclaration(table: "t", why: "w"),
    .unknownTable("t"), .gateShut(reason: "r"), .tableShut(table: "t", reason: "r"), .nestedWrite,
    .unknownAccount(alice),
    .badAccountName("a/b"), .noStore(path: "/p"), .notAStore(path: "/p", why: "w"),
    .newerStore(owner: "o", stored: 2, known: 1), .olderStore(owner: "o", stored: 1, known: 2),
    .closed, .lagged(limit: 1), .unsentChanges(table: "t", count: 1), .editedSchema(owner: "o", version: 1),
    .differentSchema(table: "t"),
    .diskFull(path: "/p"), .readOnly(path: "/p"), .damaged(path: "/p", why: "w"),
    .badBackup(path: "/p", why: "w"), .file(path: "/p", doing: "Making", message: "m"),
  ]

  @Test func `has a code of its own`() { #expect(Set(Self.all.map(\.code)).count == Self.all.count) }

  @Test(arguments: all) func `says what is wrong and what to do, each in a sentence`(error: StoreError) {
    #expect(error.code.hasPrefix("store."))
    #expect(error.sentence.hasSuffix(".") && error.remedy.hasSuffix("."))
    #expect(error.description == "\(error.sentence) \(error.remedy)")
  }

  @Test func `says of a busy, a full and a read-only disk what to do about each`() {
    let remedies = [5, 261, 13, 8, 1032, 11].map {
      StoreError.sqlite(code: $0, message: "", doing: "").remedy
    }
    #expect(remedies[0] == remedies[1] && remedies[3] == remedies[4])
    #expect(Set(remedies).count == 4)
  }

  @Test func `says of a newer store what it has and what this build knows`() {
    let unknown = StoreError.newerStore(owner: "mail", stored: 3, known: 0).sentence
    #expect(unknown == "The store has version 3 of mail; this build knows none.")
    let known = StoreError.newerStore(owner: "mail", stored: 3, known: 2).sentence
    #expect(known == "The store has version 3 of mail; this build knows up to 2.")
  }
}
