import FerryConsole
import FerryKernel
import FerryStore
import FolderDomain
import Foundation
import ItemDomain
import TestKit
import Testing

@Suite(.waitsOnThreads) struct BrowseJourneys {
  /// A browser that shows alice's inbox.
  private func browser(_ demo: Demo, columns: Int = 100, rows: Int = 24) throws -> BrowsePane {
    let pane = try BrowsePane(demo, columns: columns, rows: rows)
    try pane.wait(for: "1 of 45")
    return pane
  }

  private func item(_ demo: Demo, _ key: String) throws -> JSONValue {
    try #require(try demo.cli("item", "show", key, "--json").json["row"])
  }

  @Test func `A person opens an item, reads it, gives it a star, and takes that back`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    // The newest item was written on a tablet and hasn't been read.
    try pane.wait(for: "the unread item") { $0.line("Written on the tablet")?.contains("●") == true }
    try pane.press("Enter")
    try pane.wait(for: "Reading", "ferry://alice@home/folder/i1/item/")
    try pane.press("Escape")
    try pane.wait(for: "the item read") { screen in
      screen.line("Written on the tablet").map { !$0.contains("●") } ?? false
    }
    try pane.press("s")
    try pane.wait(for: "It is starred")
    try pane.wait(for: "the star") { $0.line("Written on the tablet")?.contains("★") == true }
    let id = try demo.store().activeAccount()?.blockingRead {
      try $0.first(Item.where { $0.title == "Written on the tablet" })
    }
    let key = try #require(id?.id.rawValue)
    #expect(try item(demo, key)["is_starred"]?.boolValue == true)
    #expect(try item(demo, key)["is_read"]?.boolValue == true)
    try pane.press("u")
    try pane.wait(for: "Undone: the star")
    #expect(try item(demo, key)["is_starred"]?.boolValue != true)
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
  }

  @Test func `What is deleted or moved is where it was after an undo`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let pane = try browser(demo)
    try pane.press("Down", "d")
    try pane.wait(for: "It is deleted")
    try pane.wait(for: "of 44")
    #expect(try demo.cli("item", "count").output == "300\n")
    try pane.press("u")
    try pane.wait(for: "of 45")
    try pane.press("m")
    try pane.wait(for: "Move to a folder")
    try pane.press("j", "Enter")
    try pane.wait(for: "It is moved")
    try pane.wait(for: "of 44")
    try pane.press("u")
    try pane.wait(for: "of 45")
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
    #expect(try demo.content()["alice@home/item"] == before["alice@home/item"])
  }

  @Test func `A search finds Hangul while it is written, and its end brings all rows back`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    let inbox = try #require(FolderID("i1"))
    let found = try demo.store().activeAccount()?.blockingRead { snapshot in
      try snapshot.fetch(
        Item.where { $0.folder == inbox }.matching("한글").order { $0.updatedAt.descending })
    }
    // tmux keeps no more than 21 bytes of a character: of a family of four it shows three.
    let titles = try #require(found).map(\.title).filter { !$0.contains("👩") }.map { String($0.prefix(8)) }
    #expect(titles.count > 5)
    try pane.press("/")
    try pane.type("한")
    try pane.type("글")
    try pane.wait(for: "the search") { screen in
      screen.contains("“한글”") && screen.contains("1 of 13") && titles.allSatisfy(screen.contains)
    }
    try pane.press("Enter")
    try pane.press("Escape")
    try pane.wait(for: "1 of 45")
    try pane.press("/")
    try pane.type("nothing has this word")
    try pane.wait(for: "Nothing here has these words")
  }

  @Test func `Switching the account shows the other's folders and moves no row`() throws {
    let demo = try Demo.migrated()
    let before = try demo.content()
    let pane = try browser(demo)
    try pane.press("a")
    try pane.wait(for: "Switch to an account")
    try pane.press("j", "Enter")
    try pane.wait(for: "bob@home", "1 of 52", "› bob inbox", without: ["alice inbox"])
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
    #expect(try demo.cli("account", "list").output.contains("*  bob@home"))
    #expect(try demo.content() == before)
  }

  @Test func `A commit of another process appears by itself`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    let record = #"{"title":"방금 왔습니다","folder":"i1","isRead":true,"updatedAt":1790000000000000000,"tags":[]}"#
    try demo.append(#"{"id":"n1","revision":1001,"record":\#(record)}"#, to: "remote/alice/items.ndjson")
    #expect(try demo.worker().status == 0)
    // It is the newest, and the list is at its top.
    try pane.wait(for: "the item") { $0.lines.count > 2 && $0.lines[2].contains("방금 왔습니다") }
    try pane.wait(for: "last sync 20")
    try pane.wait(for: "2 of 46")
    // What is read goes with it as well.
    try pane.press("k", "Enter")
    try pane.wait(for: "Reading")
    try demo.append(
      #"{"id":"n1","revision":9002,"record":\#(record.replacing("방금", with: "조금 전에"))}"#,
      to: "remote/alice/items.ndjson")
    _ = try demo.worker()
    try pane.wait(for: "조금 전에 왔습니다")
  }

  @Test func `A draft is written, saved, found again and discarded`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    try pane.press("n")
    try pane.wait(for: "New draft")
    try pane.type("여행 준비")
    try pane.press("Enter")
    try pane.type("첫 줄")
    try pane.press("Enter")
    try pane.type("second line")
    try pane.wait(for: "second line")
    try pane.press("C-s")
    try pane.wait(for: "The draft is saved")
    #expect(try demo.cli("draft", "count").output == "9\n")
    try pane.press("h", "G", "Enter")
    try pane.wait(for: "the newest draft") { $0.contains("1 of 9") && $0.lines[2].contains("여행 준비") }
    try pane.press("Enter")
    try pane.wait(for: "second line")
    try pane.press("Escape")
    try pane.wait(for: "1 of 9")
    try pane.press("d")
    try pane.wait(for: "1 of 8")
    #expect(try demo.cli("draft", "count").output == "8\n")
    try pane.press("u")
    try pane.wait(for: "of 9")
  }

  @Test func `Columns line up in any window, whatever the rows are written in`() throws {
    let demo = try Demo.migrated()
    let pane = try browser(demo)
    for (columns, rows) in [(100, 24), (200, 50), (40, 10), (64, 12), (120, 30)] {
      try pane.resize(columns: columns, rows: rows)
      let screen = try pane.wait(for: "\(columns) columns, \(rows) rows") { screen in
        screen.lines.count >= rows && screen.lines[rows - 1].contains("unsent")
          && screen.lines[0].hasSuffix("alice inbox") && displayWidth(of: screen.lines[0]) == columns - 1
          && screen.contains("1 of 45")
      }
      let dates = screen.lines[2..<rows - 2].compactMap { line -> Int? in
        line.firstRange(of: #/20\d\d-\d\d-\d\d( |$)/#).map {
          displayWidth(of: String(line[..<$0.lowerBound]))
        }
      }
      #expect(Set(dates).count == (columns < 70 ? 0 : 1), "\(screen)")
      #expect(screen.lines.allSatisfy { displayWidth(of: $0) <= columns })
    }
  }

  @Test func `What a stranger writes drives no terminal`() throws {
    let demo = try Demo.migrated()
    let record =
      #"{"title":"\u001b[2J\u001b]0;owned\u0007\u202Etxet\u009b31m","folder":"i1","isRead":false,"#
      + #""preview":"one\u001b[H\ntwo","updatedAt":1790000000000000000,"tags":["\u001b[7m"]}"#
    try demo.append(#"{"id":"n1","revision":1001,"record":\#(record)}"#, to: "remote/alice/items.ndjson")
    try demo.append(
      #"{"id":"n2","revision":1001,"record":{"name":"\u001b[31mred","type":"primary","sortOrder":99}}"#,
      to: "remote/alice/folders.ndjson")
    #expect(try demo.worker().status == 0)
    let pane = try BrowsePane(demo)
    let screen = try pane.wait(for: "1 of 46", "␛[2J␛]0;owned␇\\u{202E}txet\\u{9B}31m", "␛[31mred")
    #expect(screen.lines[0].contains("Ferry  alice@home"))
    try pane.press("Enter")
    try pane.wait(for: "Reading", "one␛[H", "#␛[7m")
  }

  @Test func `Without colour the cursor and what is new can still be told`() throws {
    let demo = try Demo.migrated()
    let pane = try BrowsePane(demo, environment: ["NO_COLOR": "1"])
    try pane.wait(for: "1 of 45")
    let codes = try pane.colours()
    #expect(codes.contains("\u{1B}[7m") || codes.contains(";7m"))
    #expect(codes.firstRange(of: #/\u{1B}\[([0-9]+;)*(3[0-7]|4[0-7]|9[0-7]|10[0-7])(;[0-9]+)*m/#) == nil)
    let coloured = try browser(demo)
    #expect(try coloured.colours().contains("\u{1B}[36m") || coloured.colours().contains(";36m"))
  }

  @Test func `Help lists the keys, in a small window too`() throws {
    let demo = try Demo.migrated()
    let pane = try BrowsePane(demo, columns: 40, rows: 10)
    try pane.wait(for: "1 of 45")
    try pane.press("?")
    try pane.wait(for: "up and down")
    try pane.press(
      "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j", "j")
    try pane.wait(for: "quit")
    try pane.press("q")
    try pane.wait(for: "the list") { !$0.contains("suspend") && $0.contains("1 of 45") }
  }

  @Test func `One visit is one mount, whatever asks for it`() throws {
    let demo = try Demo.migrated()
    let pane = try BrowsePane(demo, ["--trace", "trace.txt"])
    try pane.wait(for: "1 of 45")
    // Twice to the next folder, an item of it, and to the other account.
    try pane.press("h", "j", "Enter", "Enter")
    try pane.wait(for: "the next folder") { !$0.contains("of 45") && $0.contains("1 of ") }
    try pane.press("Enter")
    try pane.wait(for: "Reading")
    try pane.press("a")
    try pane.wait(for: "Switch to an account")
    try pane.press("j", "Enter")
    try pane.wait(for: "1 of 52")
    try pane.press("q")
    #expect(try pane.end().code == "exit 0")
    let lines = try demo.text("trace.txt").split(separator: "\n")
    func count(_ kind: String) -> Int { lines.count { $0.hasPrefix("[\(kind)]") } }
    #expect(count("attach") == 3 && count("mount") == 3 && count("unmount") == 2, "\(lines)")
    #expect(lines.contains { $0.contains("pushed ferry://alice@home/folder/") }, "\(lines)")
  }
}
