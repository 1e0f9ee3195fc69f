import FerryConsole
import FerryScreen
import FolderDomain
import ItemDomain

extension BrowseModel {
  mutating func press(_ key: Key) -> [BrowseEffect] {
    switch key {
    case .control("l"): return [.redraw]
    case .control("z"): return [.suspend]
    default: break
    }
    if case .edit(var editor) = overlay { return write(key, &editor) }
    if key == .control("c") { return [.quit(code: ExitCode.interrupted.rawValue)] }
    // Until the core domains are over there is nothing to be done here but to wait, or to leave.
    guard gate.state.admitsInput else { return key == .text("q") ? [.quit(code: 0)] : [] }
    if overlay != nil { return choose(key) }
    if searchField != nil { return search(key) }
    message = nil
    return command(key) ?? acting(key) ?? moving(key)
  }

  /// Keys that mean the same wherever the focus is.
  private mutating func command(_ key: Key) -> [BrowseEffect]? {
    switch key {
    case .text("q"): return [.quit(code: 0)]
    case .text("?"): overlay = .help(scroll: 0)
    case .text("a"), .text("A"): chooseAccount()
    case .tab: focus = next(after: focus)
    case .backTab: focus = next(after: next(after: focus))
    case .text("/"):
      guard let list, list.place != .drafts else { return [] }
      focus = .list
      searchField = TextBuffer(list.request.search)
    case .text("u"), .control("r"): return undoable > 0 ? [.undo] : refused("There is nothing to undo.")
    case .text("n"):
      overlay = .edit(DraftEditor(DraftText(title: "", body: "")))
    case .text("R"): return [.refresh]
    case .escape: return escape()
    default: return nil
    }
    return []
  }

  private mutating func escape() -> [BrowseEffect] {
    if reader != nil, focus == .reader { return closeReader() }
    if list?.isSearching == true, focus == .list {
      return withList { $0.search("", height: $1) }.map { [.look($0)] } ?? []
    }
    if case .skeleton = list?.phase { return [.cancelLoading] }
    if reader != nil { return closeReader() }
    focus = focus == .list ? .folders : .list
    return []
  }

  /// Keys that change something.
  private mutating func acting(_ key: Key) -> [BrowseEffect]? {
    switch key {
    case .text("e"), .text("r"), .text("s"), .text("m"), .text("d"), .delete: break
    default: return nil
    }
    guard let target else { return [] }
    if let gate = status.gate { return refused("Nothing can be written: \(gate).") }
    switch (target.content, key) {
    case (.item(let item), .text("r")): return [.change(.mark([item.id], isRead: !item.isRead))]
    case (.item(let item), .text("s")):
      return [.change(.star([item.id], isStarred: item.isStarred != true))]
    case (.item(let item), .text("d")), (.item(let item), .delete):
      return (reader == nil ? [] : closeReader()) + [.change(.delete([item.id]))]
    case (.item(let item), .text("m")): chooseFolder(for: item)
    case (.item(let item), .text("e")):
      overlay = .edit(DraftEditor(DraftText(item: item.id, title: "Re: \(item.title)", body: "")))
    case (.draft(let draft), .text("e")): overlay = .edit(DraftEditor(draft))
    case (.draft(let draft), .text("d")), (.draft(let draft), .delete): return [.discard(draft.id)]
    case (.draft, _): return refused("A draft is edited with e and discarded with d.")
    default: break
    }
    return []
  }

  private mutating func moving(_ key: Key) -> [BrowseEffect] {
    let height = self.listHeight
    switch (key, focus) {
    case (.left, .folders), (.text("h"), .folders): return []
    case (.left, .list), (.text("h"), .list): focus = .folders
    case (.left, .reader), (.text("h"), .reader): return closeReader()
    case (.enter, .folders), (.right, .folders), (.text("l"), .folders): return visit()
    case (.enter, .list), (.right, .list), (.text("l"), .list), (.text("o"), .list): return open()
    case (.up, _), (.text("k"), _): return move(-1)
    case (.down, _), (.text("j"), _): return move(1)
    case (.pageUp, _), (.control("b"), _): return move(-height)
    case (.pageDown, _), (.control("f"), _), (.text(" "), _): return move(height)
    case (.control("u"), _): return move(-max(1, height / 2))
    case (.control("d"), _): return move(max(1, height / 2))
    case (.home, _), (.text("g"), _): return jump(toEnd: false)
    case (.end, _), (.text("G"), _): return jump(toEnd: true)
    default: break
    }
    return []
  }

  private mutating func move(_ count: Int) -> [BrowseEffect] {
    switch focus {
    case .folders: folderCursor = max(0, min(folders.count - 1, folderCursor + count))
    case .reader:
      let last = max(0, readerLines.count - listHeight)
      let scroll = reader?.scroll ?? 0
      reader?.scroll = max(0, min(scroll + count, last))
    case .list:
      withList { $0.move(by: count, height: $1) }
      return [.select(list?.current?.id)] + lookAhead()
    }
    return []
  }

  private mutating func jump(toEnd: Bool) -> [BrowseEffect] {
    switch focus {
    case .folders: folderCursor = toEnd ? max(0, folders.count - 1) : 0
    case .reader:
      let last = max(0, readerLines.count - listHeight)
      reader?.scroll = toEnd ? last : 0
    case .list:
      let request = withList { $0.jump(toEnd: toEnd, height: $1) }
      return [.select(list?.current?.id)] + (request.map { [.look($0)] } ?? [])
    }
    return []
  }

  private mutating func visit() -> [BrowseEffect] {
    guard folders.indices.contains(folderCursor) else { return [] }
    let place = folders[folderCursor].place
    guard place != list?.place else {
      focus = .list
      return []
    }
    return [.visit(place)]
  }

  private mutating func open() -> [BrowseEffect] {
    guard let list, let row = list.current else { return [] }
    switch row.content {
    case .draft(let draft): overlay = .edit(DraftEditor(draft))
    case .item(let item):
      guard reader?.item.id != item.id else {
        focus = .reader
        return []
      }
      return (reader == nil ? [] : [.back]) + [.open(item.id, in: list.place)]
    }
    return []
  }

  private func next(after focus: Focus) -> Focus {
    switch focus {
    case .folders: .list
    case .list: reader == nil ? .folders : .reader
    case .reader: .folders
    }
  }

  mutating func refused(_ text: String) -> [BrowseEffect] {
    message = .refused(text)
    return []
  }
}
