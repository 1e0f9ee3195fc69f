import FerryConsole
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain
import Testing

@testable import app_cli

@Suite struct `The browser's keys` {
  private let first = Samples.made(ItemID("0"))

  @Test func `open, read, star, move and delete the row under the cursor`() {
    var model = Samples.model()
    #expect(model.press([.enter]) == [.open(first, in: .folder(Samples.inbox))])
    #expect(model.type("s") == [.change(.star([first], isStarred: true))])
    #expect(model.type("r") == [.change(.mark([first], isRead: false))])
    #expect(model.type("d") == [.change(.delete([first]))])
    #expect(model.type("m").isEmpty)
    #expect(model.press([.down, .enter]) == [.change(.move([first], to: Samples.folder("work")))])
    #expect(model.type("m").isEmpty && model.press([.enter]).isEmpty, "where it is already")
    #expect(
      model.type("m").isEmpty && model.press([.text("G"), .enter]) == [.change(.move([first], to: nil))])
  }

  @Test func `mark what is opened as read, once`() {
    var model = Samples.model()
    let item = Samples.item("0", isRead: false)
    let pushed = BrowseEvent.pushed(item, in: .folder(Samples.inbox), link: "ferry://…")
    #expect(model.handle(pushed) == [.change(.open(first))])
    #expect(model.focus == .reader && model.reader?.item == item)
    #expect(model.handle(.pushed(Samples.item("0"), in: .folder(Samples.inbox), link: nil)).isEmpty)
    #expect(model.handle(.pushed(item, in: .drafts, link: nil)).isEmpty, "of a list that isn't there")
  }

  @Test func `keep what is read as it is in the store, and leave it when it is gone`() {
    var model = Samples.model()
    _ = model.handle(.pushed(Samples.item("0"), in: .folder(Samples.inbox), link: nil))
    _ = model.handle(.detail(Samples.item("0", "Another title"), []))
    #expect(model.screen().contains { $0.contains("Another title") })
    #expect(model.handle(.detail(nil, [])) == [.back] && model.reader == nil && model.focus == .list)
    #expect(model.message?.text == "The item is gone.")
  }

  @Test func `undo only what there is to be undone`() {
    var model = Samples.model()
    #expect(model.type("u").isEmpty && model.message?.kind == .refused)
    _ = model.handle(.undoable(1))
    #expect(model.type("u") == [.undo] && model.message == nil)
  }

  @Test func `write nothing while the store's gate is shut, and say why`() {
    var model = Samples.model()
    _ = model.handle(.sync(SyncStatus(gate: "a crossing is under way")))
    for key in ["s", "r", "d", "m", "e"] {
      #expect(model.type(key).isEmpty)
      #expect(model.message?.text == "Nothing can be written: a crossing is under way.")
    }
    #expect(model.press([.enter]) == [.open(first, in: .folder(Samples.inbox))], "reading is allowed")
    #expect(
      model.handle(.pushed(Samples.item("0", isRead: false), in: .folder(Samples.inbox), link: nil)).isEmpty)
  }

  @Test func `visit folders, and switch accounts`() {
    var model = Samples.model()
    #expect(model.press([.left, .down, .enter]) == [.visit(.folder(Samples.folder("work")))])
    #expect(model.type("a").isEmpty)
    #expect(model.press([.down, .enter]) == [.switchAccount(Samples.bob)])
    #expect(model.type("a").isEmpty && model.press([.enter]).isEmpty, "it is alice's already")
  }

  @Test func `do nothing until the core domains are over, but leave`() {
    var model = BrowseModel(rows: 24, columns: 80)
    var gate = CrossingGate()
    gate.hear(.core(["item"]))
    gate.hear(.progress(.init(phase: "restoring", domain: "item", done: 20, of: 80)))
    _ = model.handle(.gate(gate))
    for key: Key in [.text("?"), .text("a"), .text("n"), .text("/"), .enter, .down, .tab] {
      #expect(model.press([key]).isEmpty && model.overlay == nil && model.searchField == nil)
    }
    #expect(model.screen().contains { $0.contains("item: restoring, 20 of 80 rows") })
    #expect(model.type("q") == [.quit(code: 0)])
    #expect(model.press([.control("c")]) == [.quit(code: 130)])
    gate.hear(.over(domain: "item"))
    _ = model.handle(.gate(gate))
    #expect(model.press([.text("?")]).isEmpty && model.overlay != nil)
    #expect(!model.screen().contains { $0.contains("restoring") })
  }

  @Test func `write a draft, and ask before anything is thrown away`() {
    var model = Samples.model()
    model.type("n")
    model.type("제목")
    model.press([.enter])
    model.type("first")
    model.press([.enter])
    model.type("second")
    #expect(model.press([.escape]).isEmpty)
    #expect(model.screen().contains { $0.contains("Save it?") })
    #expect(model.press([.escape]).isEmpty && model.overlay != nil)
    #expect(
      model.press([.control("s")]) == [.save(DraftText(title: "제목", body: "first\nsecond"))])
    _ = model.handle(.saved(true))
    #expect(model.overlay == nil)
    model.type("n")
    model.type("x")
    #expect(model.press([.escape, .text("n")]).isEmpty && model.overlay == nil, "thrown away")
    model.type("n")
    #expect(model.press([.escape]).isEmpty && model.overlay == nil, "nothing was written")
    model.type("nx")
    _ = model.handle(.sync(SyncStatus(gate: "a crossing")))
    #expect(model.press([.control("s")]).isEmpty && model.overlay != nil, "not lost where it can't be saved")
  }

  @Test func `keep what was written until it is in the store`() {
    var model = Samples.model()
    model.type("nx")
    #expect(model.unsaved == DraftText(title: "x", body: ""))
    #expect(model.press([.control("s")]) == [.save(DraftText(title: "x", body: ""))])
    #expect(model.press([.text("y"), .control("s")]).isEmpty && model.unsaved == nil, "it is on its way")
    _ = model.handle(.saved(false))
    #expect(model.unsaved == DraftText(title: "x", body: ""))
    #expect(model.press([.control("s")]).count == 1)
    _ = model.handle(.saved(true))
    #expect(model.overlay == nil && model.unsaved == nil)
  }

  @Test func `answer an item with a draft about it`() {
    var model = Samples.model()
    model.type("e")
    model.type("yes")
    #expect(
      model.press([.control("s")]) == [.save(DraftText(item: first, title: "Re: Item 0", body: "yes"))])
  }

  @Test func `go where a person presses, and nowhere else`() {
    var model = Samples.model()
    #expect(model.press([.tab]).isEmpty && model.focus == .folders)
    #expect(model.press([.tab]).isEmpty && model.focus == .list)
    _ = model.handle(.pushed(Samples.item("0"), in: .folder(Samples.inbox), link: nil))
    #expect(model.press([.backTab]).isEmpty && model.focus == .list)
    #expect(model.press([.tab]).isEmpty && model.focus == .reader)
    #expect(model.press([.left]) == [.back] && model.focus == .list && model.reader == nil)
    #expect(model.press([.control("l")]) == [.redraw])
    #expect(model.press([.control("z")]) == [.suspend])
    #expect(model.press([.unknown]).isEmpty)
    #expect(model.press([.paste("qqq")]).isEmpty, "what is pasted is no key")
  }
}
