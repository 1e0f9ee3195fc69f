import Testing

@testable import FerryScreen

@Suite struct `A deep link` {
  static func link(_ user: String, _ server: String, _ folder: String, _ item: String?) throws -> DeepLink {
    let account = try #require(LinkAccount(server: server, user: user))
    return DeepLink(
      place: Place(account: account, folder: try #require(LinkID(folder))),
      item: try item.map { try #require(LinkID($0)) })
  }

  @Test(
    arguments: [
      ("ferry://alice@home/folder/inbox", "alice", "home", "inbox", nil),
      ("ferry://alice@home/folder/inbox/item/42", "alice", "home", "inbox", "42"),
      ("FERRY://alice@home/folder/-7/item/0", "alice", "home", "-7", "0"),
      ("ferry://alice@home/folder/%EC%96%B8%EC%96%B4/item/언어", "alice", "home", "언어", "언어"),
      ("ferry://bob@mail.example@home/folder/a", "bob@mail.example", "home", "a", nil),
      ("ferry://bob%40mail.example%40home/folder/a", "bob@mail.example", "home", "a", nil),
      ("ferry://%eb%af%bc@%EC%A7%91/folder/a%2Fb/item/%25+%20", "민", "집", "a/b", "%+ "),
      ("ferry://alice@home/folder/folder/item/item", "alice", "home", "folder", "item"),
    ] as [(String, String, String, String, String?)]) func `is read`(
      text: String, user: String, server: String, folder: String, item: String?
    ) throws
  {
    #expect(try DeepLink(text) == Self.link(user, server, folder, item))
  }

  @Test(
    arguments: [
      ("", .scheme), ("ferry:/alice@home/folder/a", .scheme), ("https://alice@home/folder/a", .scheme),
      ("ferry://", .account), ("ferry:///folder/a", .account), ("ferry://alice/folder/a", .account),
      ("ferry://@home/folder/a", .account), ("ferry://alice@/folder/a", .account),
      ("ferry://alice@home:80/folder/a", .account), ("ferry://a%2Fb@home/folder/a", .account),
      ("ferry://a%00@home/folder/a", .account), ("ferry://..@home/folder/a", .account),
      ("ferry://alice@home", .path), ("ferry://alice@home/", .path), ("ferry://alice@home/folder", .path),
      ("ferry://alice@home/item/1", .path), ("ferry://alice@home/folder/a/", .path),
      ("ferry://alice@home/folder/a/item", .path), ("ferry://alice@home/folder/a/items/1", .path),
      ("ferry://alice@home/folder/a/item/1/more", .path), ("ferry://alice@home//folder/a", .path),
      ("ferry://alice@home/folder/", .identifier("")), ("ferry://alice@home/folder/-1", .identifier("-1")),
      ("ferry://alice@home/folder/%2D1", .identifier("-1")),
      ("ferry://alice@home/folder/a/item/-1", .identifier("-1")),
      ("ferry://alice@home/folder/%", .encoding), ("ferry://alice@home/folder/%4", .encoding),
      ("ferry://alice@home/folder/%GG", .encoding), ("ferry://alice@home/folder/%+1", .encoding),
      ("ferry://alice@home/folder/%FF", .encoding), ("ferry://alice@home/folder/%ED%A0%80", .encoding),
      ("ferry://alice@home/folder/a?b", .queryOrFragment),
      ("ferry://alice@home/folder/a#b", .queryOrFragment),
    ] as [(String, RouteRefusal.LinkFault)]) func `is refused, saying why`(
      text: String, fault: RouteRefusal.LinkFault
    )
  {
    #expect(throws: RouteRefusal.malformed(text, fault)) { try DeepLink(text) }
  }

  @Test func `is refused if it is longer than anybody writes one, without being repeated whole`() {
    let longest = "ferry://alice@home/folder/" + String(repeating: "a", count: 4096 - 26)
    #expect(throws: Never.self) { try DeepLink(longest) }
    do throws(RouteRefusal) {
      _ = try DeepLink(longest + "a")
      Issue.record("it should have been refused")
    } catch {
      #expect(error.sentence.contains("4096") && error.sentence.utf8.count < 200)
    }
  }

  @Test func `reads back as it was from its text, whatever its names are made of`() throws {
    var random = Seeded(Seeded.seed)
    print("FERRY_SEED=\(Seeded.seed)")
    let scalars = Array("aZ09-._~%/?#@:+ 언어é\u{301}👨‍👩‍👧\u{0}\n".unicodeScalars)
    func name() -> String {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        text.append(scalars.randomElement(using: &random) ?? "a")
      }
      return String(text)
    }
    var count = 0
    for number in 0..<2_000 {
      guard let account = LinkAccount(server: name(), user: name()), let folder = LinkID(name()) else {
        continue
      }
      count += 1
      let link = DeepLink(
        place: Place(account: account, folder: folder),
        item: Bool.random(using: &random) ? LinkID(name()) : nil)
      #expect(try DeepLink(link.description) == link, "case \(number): \(link)")
      #expect(link.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }, "case \(number): \(link)")
    }
    #expect(count > 200)
  }

  @Test func `survives any bytes`() {
    var random = Seeded(Seeded.seed)
    let start = Array("ferry://alice@home/folder/a/item/b".utf8)
    for _ in 0..<5_000 {
      var bytes = start
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do throws(RouteRefusal) {
        let link = try DeepLink(String(decoding: bytes, as: UTF8.self))
        #expect((try? DeepLink(link.description)) == link)  // why: nil is a difference
      } catch {
        #expect(!error.sentence.isEmpty)
      }
    }
  }

  @Test func `tells names apart by their bytes`() throws {
    #expect(LinkID("e\u{301}") != LinkID("\u{e9}"))
    #expect(LinkAccount(server: "home", user: "e\u{301}") != LinkAccount(server: "home", user: "\u{e9}"))
  }

  @Test func `is refused in sentences that say what to do`() throws {
    let link = try Self.link("alice", "home", "inbox", "42")
    let account = link.place.account
    let all: [RouteRefusal] = [
      .malformed("x", .scheme), .unknownAccount(account), .otherAccount(account, active: nil),
      .otherAccount(account, active: LinkAccount("bob@home")), .unknownFolder(link.place), .unknownItem(link),
      .failed("It broke."), .listGone(link.place), .accountSwitched(to: account), .superseded, .crossing,
      .ended,
    ]
    for refusal in all {
      #expect(refusal.sentence.hasSuffix(".") && refusal.remedy.hasSuffix("."), "\(refusal)")
      #expect(refusal.code.hasPrefix("screen."))
    }
    #expect(Set(all.map(\.code)).count == all.count - 1)
    #expect(
      "\(RouteRefusal.otherAccount(account, active: LinkAccount("bob@home")))"
        == "The link is for alice@home, and bob@home is active. Switch to alice@home and open the link again."
    )
  }
}
