import AttachmentDomain
import FerryConsole
import FerryScreen
import FerryStore
import ItemDomain
import Testing

@testable import app_cli

@Suite struct `The browser's picture` {
  private func width(_ text: String) -> Int { displayWidth(of: text) }

  private var models: [BrowseModel] {
    var models: [BrowseModel] = []
    let nasty = Samples.item(
      "1", "\u{1B}[2Jred\u{202E}txet \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} 한글", isRead: false,
      isStarred: true,
      preview: "a\u{9B}31m\r\n\tb\u{7}\u{2028}c")
    for (rows, columns) in [
      (10, 40), (24, 80), (24, 64), (50, 200), (6, 20), (7, 25), (30, 110), (3, 10), (1, 1),
    ] {
      var model = Samples.model(
        rows: rows, columns: columns, showing: [ListRow(nasty)] + Samples.rows(2..<90))
      models.append(model)
      _ = model.handle(
        .pushed(nasty, in: .folder(Samples.inbox), link: "ferry://alice@home/folder/inbox/item/1"))
      models.append(model)
      model.press([.tab])
      models.append(model)
      for key: Key in [.text("?"), .text("a"), .text("m"), .text("/"), .text("n")] {
        var other = Samples.model(rows: rows, columns: columns)
        other.press([key])
        models.append(other)
      }
    }
    return models
  }

  @Test func `holds nothing that could drive a terminal, in any size`() {
    for model in models {
      for row in model.screen() {
        let isSafe = row.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && !(0x202A...0x202E).contains($0.value)
            && !(0x2066...0x2069).contains($0.value) && !(0x2028...0x2029).contains($0.value)
        }
        #expect(isSafe && width(row) <= model.columns, "\(model.rows)×\(model.columns): \(row)")
      }
    }
  }

  @Test func `needs no colour to show the cursor and what is new`() {
    for model in models where !model.layout.isTooSmall {
      let grid = BrowseView.grid(of: model, hasColour: false)
      #expect(grid.cells.allSatisfy { $0.style.foreground == nil && $0.style.background == nil })
    }
    let grid = BrowseView.grid(of: Samples.model(), hasColour: false)
    #expect((0..<grid.columns).contains { grid[2, $0].style.isReversed })
  }

  @Test func `has three panes where there is room, two or one where there is less`() {
    #expect(Samples.model(rows: 24, columns: 140).screen()[1].contains("Preview"))
    let two = Samples.model(rows: 24, columns: 80).screen()[1]
    #expect(two.contains("Folders") && two.contains("1 of 10") && !two.contains("Preview"))
    let one = Samples.model(rows: 10, columns: 40).screen()[1]
    #expect(!one.contains("Folders") && one.contains("1 of 10"))
  }

  @Test func `lines its columns up whatever the titles are written in`() {
    let titles = ["plain", "받은 편지함", "👨‍👩‍👧‍👦 family", "e\u{301}te\u{301}", "漢字", "🇰🇷 flag", "ملاحظة"]
    let rows = titles.enumerated().map { ListRow(Samples.item("\($0)", $1, at: 1_700_000_000)) }
    let screen = Samples.model(rows: 24, columns: 80, showing: rows).screen()
    let places = screen[2..<2 + titles.count].map { row -> Int in
      let date = row.firstRange(of: "2023-11-14")
      return date.map { width(String(row[..<$0.lowerBound])) } ?? -1
    }
    #expect(Set(places).count == 1 && places[0] > 40, "\(places)")
  }

  @Test func `says of a list what is known of it`() {
    var model = Samples.model()
    _ = model.handle(.attached(.folder(Samples.inbox)))
    #expect(model.screen().contains { $0.contains("▒▒▒▒") })
    _ = model.handle(.list(.empty, selection: nil, ListFrame(), isLoading: false, problem: nil))
    #expect(model.screen().contains { $0.contains("There is nothing in here.") })
    model.type("/x")
    _ = model.handle(.list(.empty, selection: nil, ListFrame(), isLoading: false, problem: nil))
    #expect(model.screen().contains { $0.contains("Nothing here has these words.") })
  }

  @Test func `says in its last line how far the account is in step with its server`() {
    var model = Samples.model(columns: 120)
    #expect(model.screen().last == " all sent · no sync yet")
    let time = Timestamp(nanoseconds: 1_700_000_000_000_000_000)
    _ = model.handle(
      .sync(SyncStatus(lastSync: time, unsent: 1234, conflicts: 2, gate: "a crossing is under way")))
    #expect(
      model.screen().last
        == " no writing: a crossing is under way · 1,234 unsent · 2 in conflict · last sync 2023-11-14 22:13 UTC"
    )
  }

  @Test func `shows a long text from where one has read to`() {
    var model = Samples.model(rows: 12, columns: 60)
    let text = (0..<200).map { "line \($0)" }.joined(separator: "\n")
    _ = model.handle(.pushed(Samples.item("0", preview: text), in: .folder(Samples.inbox), link: nil))
    #expect(model.screen()[1].contains("more"))
    model.press([.text("G")])
    #expect(model.screen().contains { $0.contains("line 199") })
    model.press([.pageDown, .down])
    #expect(model.screen().contains { $0.contains("line 199") }, "there is nothing beyond the end")
    model.press([.text("g")])
    #expect(model.screen().contains { $0.contains("Item 0") })
  }

  @Test(arguments: [true, false]) func `shows what a search has found, in the list and in the text`(
    hasColour: Bool
  ) throws {
    let item = Samples.item("1", "Über 한글 notes", isRead: true, preview: "nothing")
    var model = Samples.model(columns: 140, showing: [ListRow(item)])
    #expect(!BrowseView.grid(of: model, hasColour: hasColour).marked(row: 2).contains("한"))
    model.press([.text("/"), .text("한"), .text("글"), .text(" "), .text("u"), .text("b"), .enter])
    Samples.show([ListRow(item)], in: &model)
    let grid = BrowseView.grid(of: model, hasColour: hasColour)
    // Once in each pane, and not in the tree.
    #expect(grid.marked(row: 2).hasSuffix("Über한글Über한글"))
  }

  @Test func `shows what hangs on the item that is read`() throws {
    let item = Samples.item("1")
    var model = Samples.model(columns: 140, showing: [ListRow(item)])
    _ = model.handle(.pushed(item, in: .folder(Samples.inbox), link: nil))
    let attachment = Attachment(
      id: Samples.made(AttachmentID("a1")), item: item.id, fileName: "plan\u{1B}[2J.pdf", byteSize: 12_345,
      mimeType: "application/pdf", checksum: nil)
    _ = model.handle(.detail(item, [AttachmentEntry(attachment: attachment, file: nil)]))
    #expect(
      model.screen().contains { $0.contains("plan") && $0.contains(".pdf · 12,345 bytes · on the server") })
  }

  @Test func `tells a failed crossing from one that waits`() {
    var model = BrowseModel(rows: 24, columns: 80)
    var gate = CrossingGate()
    gate.hear(.core(["item"]))
    gate.hear(.waitingForNetwork(domain: "item"))
    _ = model.handle(.gate(gate))
    #expect(model.screen().contains { $0.contains("waits for the network") })
    gate.hear(.failed(domain: "item", CrossingFailure(sentence: "Row 7 is broken.", remedy: "Mend it.")))
    _ = model.handle(.gate(gate))
    let screen = model.screen()
    #expect(
      screen.contains { $0.contains("Row 7 is broken.") } && screen.contains { $0.contains("Mend it.") })
  }
}

extension CellGrid {
  /// What of a row is underlined.
  fileprivate func marked(row: Int) -> String {
    (0..<columns).filter { self[row, $0].style.isUnderlined }.map { self[row, $0].text }.joined()
  }
}
