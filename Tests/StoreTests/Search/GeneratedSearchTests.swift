import Foundation
import Testing

@testable import FerryStore

/// What a search is to find, said a second time and in another way: words are written between bars, and whoever
/// searches looks for a piece of that writing.
private enum Reference {
  private static let letters: [Character: String] = {
    var letters: [Character: String] = [
      "ß": "ss", "é": "e", "É": "e", "ü": "u", "Ü": "u", "ế": "e", "ñ": "n",
    ]
    letters.merge(["σ": "σ", "ς": "σ", "Σ": "σ", "ή": "η", "Ή": "η", "ё": "е", "е": "е", "ø": "ø"]) { $1 }
    for letter in "abcdefghijklmnopqrstuvwxyz0123456789" {
      letters[letter] = String(letter)
      letters[Character(letter.uppercased())] = String(letter)
    }
    return letters
  }()

  private static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    ["가"..."힣", "一"..."龥", "ぁ"..."ん", "ァ"..."ヶ", "𠀀"..."𪛖"].contains { $0.contains(scalar) }
  }

  /// `|東|京|tower|`
  static func written(_ text: String) -> String {
    var written = "|"
    var isOpen = false
    for scalar in text.precomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar == "\u{301}" || scalar == "\u{308}" { continue }
      let letter = letters[Character(scalar)]
      if isOpen, letter == nil {
        written += "|"
        isOpen = false
      }
      if let letter {
        written += letter
        isOpen = true
      } else if isCharacter(scalar) {
        written += "\(scalar)|"
      }
    }
    return isOpen ? written + "|" : written
  }

  static func finds(_ search: String, in texts: [String]) -> Bool {
    let pieces = search.components(separatedBy: .whitespacesAndNewlines).map(written).filter { $0 != "|" }
    return !pieces.isEmpty
      && pieces.allSatisfy { piece in
        let last = piece.unicodeScalars.dropLast().last
        let sought = last.map(isCharacter) == true ? piece : String(piece.dropLast())
        return texts.contains { Array(written($0).utf8).contains(Array(sought.utf8)) }
      }
  }
}

@Suite struct `A generated search` {
  private static let pieces = [
    "caf", "café", "CAFE\u{301}", "Über", "u\u{308}ber", "ñ", "Straße", "strasse", "ế", "e", "x1", "1", "Σ",
    "ς", "ή", "ё",
    "ø", "한", "글", "한글", "\u{1112}\u{1161}\u{11ab}", "\u{1100}\u{1173}\u{11af}", "東", "京", "東京", "𠮷", "が",
    "か",
    "カ", "tower", "東京tower", "a", "b", "ab", "🚢", "👩‍👩‍👧", ",", "-", ".", "\"", "*", "NEAR(", ")", "AND", "'",
    "\0", ":", "|",
  ]

  private static func text(_ generator: inout Seeded) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      text += pieces.pick(&generator) + ["", "", " ", " ", "\u{3000}", "\n"].pick(&generator)
    }
    return text
  }

  private static func memo(_ generator: inout Seeded) -> Memo {
    Memo(
      "m\(Int.random(in: 1...8, using: &generator))", title: text(&generator),
      preview: Bool.random(using: &generator) ? nil : text(&generator),
      tags: (0..<Int.random(in: 0...3, using: &generator)).map { _ in text(&generator) })
  }

  private static func change(_ transaction: borrowing Transaction<AccountScope>, _ generator: inout Seeded)
    throws
  {
    let memo = memo(&generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: try transaction.delete(Memo.self, memo.id)
    case 1:
      try transaction.delete(Memo.self, memo.id)
      try transaction.insert(memo)
    case 2: try transaction.update(Memo.where { $0.title >= memo.title }) { $0.preview = memo.preview }
    case 3: try transaction.delete(Memo.matching(memo.title))
    case 4: if memo.tags.isEmpty { try transaction.deleteAll(Memo.self) }
    default: try transaction.upsert([memo, self.memo(&generator)])
    }
  }

  @Test func `finds what a plain reading of the texts finds, whatever was written before, in each account`()
    throws
  {
    let environment = ProcessInfo.processInfo.environment
    let rounds = environment["FERRY_ROUNDS"].flatMap(Int.init) ?? 500
    let first = environment["FERRY_SEED"].flatMap(UInt64.init) ?? 1
    let desk = try Desk()
    for seed in first..<first + UInt64(environment["FERRY_SEED"] == nil ? rounds : 1) {
      var generator = Seeded(seed: seed)
      // A failing seed must not depend on those before it.
      for account in [desk.account, desk.other] {
        try account.blockingWrite { transaction in
          try transaction.deleteAll(Memo.self)
          for _ in 0..<6 { try Self.change(transaction, &generator) }
        }
      }
      for account in [desk.account, desk.other] {
        let memos = try account.blockingRead { try $0.fetch(Memo.all) }
        for _ in 0..<4 {
          let search = Self.text(&generator)
          let expected = memos.filter { Reference.finds(search, in: [$0.title, $0.preview ?? ""] + $0.tags) }
          let hits = try account.blockingRead { try $0.search(Memo.self, search) }
          let condition = Columns<Memo>().matches(search)
          let evaluated = try memos.filter { try condition.evaluate($0) }
          let isRight =
            hits.map(\.record) == expected && evaluated == expected
            && hits.allSatisfy { hit in
              // What is marked is itself something that the search finds a part of.
              !hit.matches.isEmpty && hit.matches.allSatisfy { !$0.ranges.isEmpty }
            }
          #expect(isRight, "FERRY_SEED=\(seed): \(search.debugDescription) in \(memos.map(\.title))")
          if !isRight { return }
        }
        let tag = memos.flatMap(\.tags).randomElement(using: &generator) ?? "none"
        let tagged = memos.filter { $0.tags.contains { bytes($0) == bytes(tag) } }
        let found = try account.blockingRead { try $0.fetch(Memo.where { $0.tags.contains(tag) }) }
        #expect(found == tagged, "FERRY_SEED=\(seed): \(tag.debugDescription)")
        if found != tagged { return }
      }
      if seed.isMultiple(of: 10) { try #require(try desk.faults() == [], "FERRY_SEED=\(seed)") }
    }
    #expect(try desk.faults() == [])
  }
}
