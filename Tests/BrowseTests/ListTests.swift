import FerryConsole
import FerryScreen
import Testing

@testable import app_cli

@Suite struct `The browser's list` {
  private func shown(_ model: BrowseModel) -> [String] {
    guard let list = model.list else { return [] }
    return list.rows[list.top...].prefix(model.listHeight).map(\.title)
  }

  @Test func `moves its cursor with arrows and vi's keys, and keeps it on the screen`() {
    var model = Samples.model(rows: 10, showing: Samples.rows(0..<30))
    #expect(model.listHeight == 6 && model.list?.cursor == 0)
    #expect(model.press([.down]) == [.select(Samples.rows(1..<2)[0].id)])
    model.press([.text("j"), .text("j"), .text("k"), .up])
    #expect(model.list?.cursor == 1)
    model.press([.pageDown])
    #expect(model.list?.cursor == 7 && shown(model).last == "Item 7")
    model.press([.text("G")])
    #expect(model.list?.cursor == 29 && shown(model).last == "Item 29" && shown(model).count == 6)
    model.press([.text("j")])
    #expect(model.list?.cursor == 29)
    model.press([.text("g")])
    #expect(model.list?.cursor == 0 && shown(model).first == "Item 0")
    model.press([.control("d")])
    #expect(model.list?.cursor == 3)
  }

  @Test func `asks for the rows that come into view, and never for the whole list`() throws {
    var model = Samples.model(rows: 24, showing: Samples.rows(0..<120), total: 100_000)
    var asked: [ListRequest] = []
    for _ in 0..<5 {
      for case .look(let request) in model.press([.pageDown]) { asked.append(request) }
    }
    let request = try #require(asked.last)
    #expect(request.anchor == .around(Samples.rows(100..<101)[0]) && request.size == 160)
    // What was asked for comes: the cursor and the screen stay on their rows.
    let before = shown(model)
    Samples.show(Samples.rows(40..<160), offset: 40, total: 100_000, in: &model)
    #expect(model.list?.current?.title == "Item 100" && shown(model) == before)
    #expect(model.list?.cursor == 60)
  }

  @Test func `goes on where it was sent beyond the rows at hand, once they are there`() {
    var model = Samples.model(rows: 24, showing: Samples.rows(0..<160), total: 100_000)
    // Twelve pages of twenty rows, and nothing has come yet.
    for _ in 0..<12 { model.press([.pageDown]) }
    #expect(model.list?.current?.title == "Item 159")
    model.press([.up])
    let window = Samples.rows(79..<239)
    Samples.show(window, offset: 79, total: 100_000, in: &model)
    #expect(model.list?.current?.title == "Item 238", "as far as there are rows")
    model.press([.pageUp])
    #expect(model.list?.current?.title == "Item 218", "and what is owed isn't owed twice")
    // At the list's end there is nowhere to go on to.
    var short = Samples.model(rows: 24, showing: Samples.rows(0..<30))
    short.press([.pageDown, .pageDown, .pageDown, .up])
    #expect(short.list?.current?.title == "Item 28")
  }

  @Test func `jumps to the other end of a long list by asking for it`() throws {
    var model = Samples.model(showing: Samples.rows(0..<120), total: 100_000)
    let effects = model.press([.text("G")])
    #expect(effects.contains { if case .look(let request) = $0 { request.anchor == .end } else { false } })
    // A commit comes first, with the rows that were asked for before: they aren't the end.
    let old = ListFrame(offset: 0, total: 100_000, request: ListRequest())
    _ = model.handle(
      .list(Samples.content(Samples.rows(0..<120)), selection: nil, old, isLoading: false, problem: nil))
    #expect(model.list?.cursor == 0)
    let selected = Samples.show(Samples.rows(99_880..<100_000), offset: 99_880, total: 100_000, in: &model)
    #expect(model.list?.current?.title == "Item 99999")
    #expect(selected == [.select(Samples.rows(99_999..<100_000)[0].id)])
    #expect(shown(model).last == "Item 99999")
    #expect(
      model.press([.text("g")]).contains {
        if case .look(let request) = $0 { request.anchor == .start } else { false }
      })
    Samples.show(Samples.rows(0..<120), total: 100_000, in: &model)
    #expect(model.list?.current?.title == "Item 0" && shown(model).first == "Item 0")
  }

  @Test func `shows what comes at its top while that is looked at, and else moves nothing`() {
    var model = Samples.model(rows: 10, showing: Samples.rows(10..<40))
    Samples.show(Samples.rows(9..<39), in: &model)
    #expect(shown(model).first == "Item 9" && model.list?.current?.title == "Item 10")
    model.press([.pageDown, .pageDown])
    let (before, current) = (shown(model), model.list?.current?.title)
    Samples.show(Samples.rows(7..<37), in: &model)
    #expect(shown(model) == before && model.list?.current?.title == current)
  }

  @Test func `goes to the neighbour that the list model selects when its row is gone`() {
    var model = Samples.model(showing: Samples.rows(0..<5))
    model.press([.down, .down])
    let left = Samples.rows(0..<2) + Samples.rows(3..<5)
    let effects = Samples.show(left, selection: left[2].id, in: &model)
    #expect(model.list?.current?.title == "Item 3" && effects.isEmpty)
    Samples.show([], in: &model)
    #expect(model.list?.cursor == nil && model.press([.down]).isEmpty == false)
  }

  @Test func `can be narrowed by a search, while one writes, in Hangul too`() {
    var model = Samples.model()
    #expect(model.type("/").isEmpty && model.searchField != nil)
    // Composed and not: pieces join.
    let effects = model.press([.text("\u{1112}"), .text("\u{1161}"), .text("\u{11AB}"), .text("글")])
    guard case .look(let request)? = effects.first else {
      Issue.record("nothing was asked for")
      return
    }
    #expect(request.search == "한글" && request.anchor == .start)
    Samples.show([ListRow(Samples.item("7", "한글 노트"))], in: &model)
    #expect(model.screen().contains { $0.contains("“") && $0.contains("받은 편지함") })
    #expect(model.press([.enter]).isEmpty && model.searchField == nil && model.list?.isSearching == true)
    // r, s and q are letters while one writes, and keys afterwards.
    #expect(model.type("q") == [.quit(code: 0)])
    let ended = model.press([.escape])
    #expect(ended == [.look(model.list!.request)] && model.list?.isSearching == false)
  }
}
