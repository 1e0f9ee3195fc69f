import FerryConsole
import FerryScreen
import FolderDomain
import ItemDomain

// What lies over the panes, and takes the keys: help, the two pickers, the editor; and the search line.
extension BrowseModel {
  mutating func choose(_ key: Key) -> [BrowseEffect] {
    switch overlay {
    case .help(let scroll):
      switch key {
      case .down, .text("j"): overlay = .help(scroll: scroll + 1)
      case .up, .text("k"): overlay = .help(scroll: max(0, scroll - 1))
      default: overlay = nil
      }
    case .accounts(var picker):
      let step = picker.handle(key)
      overlay = step == .goOn ? .accounts(picker) : nil
      if case .chose(let account) = step, account != active { return [.switchAccount(account)] }
    case .move(var picker):
      let step = picker.handle(key)
      overlay = step == .goOn ? .move(picker) : nil
      guard case .chose(let folder) = step, let item = target?.item else { return [] }
      return folder == item.folder ? [] : [.change(.move([item.id], to: folder))]
    case .edit, nil: break
    }
    return []
  }

  mutating func write(_ key: Key, _ editor: inout DraftEditor) -> [BrowseEffect] {
    message = nil
    switch editor.handle(key, columns: layout.editorColumns) {
    case .goOn: overlay = .edit(editor)
    case .leave: overlay = nil
    case .save(let draft):
      // What was written isn't thrown away before it is in the store.
      editor.isSaving = status.gate == nil
      overlay = .edit(editor)
      if let gate = status.gate { return refused("It can't be saved: \(gate).") }
      return [.save(draft)]
    }
    return []
  }

  /// What a person has written and not saved.
  var unsaved: DraftText? {
    guard case .edit(let editor) = overlay, editor.isChanged, !editor.isSaving else { return nil }
    return editor.text
  }

  /// The list follows what is written, word by word.
  mutating func search(_ key: Key) -> [BrowseEffect] {
    switch key {
    case .enter, .down, .up:
      searchField = nil
      return []
    case .escape, .control("c"):
      searchField = nil
      return withList { $0.search("", height: $1) }.map { [.look($0)] } ?? []
    default:
      guard searchField?.handle(key, columns: columns) == true, let text = searchField?.text else {
        return []
      }
      let isBlank = text.allSatisfy(\.isWhitespace)
      return withList { $0.search(isBlank ? "" : text, height: $1) }.map { [.look($0)] } ?? []
    }
  }

  mutating func chooseAccount() {
    overlay = .accounts(
      Picker(
        "Switch to an account",
        accounts.map { .init(text: $0.description, choice: $0, isCurrent: $0 == active) }))
  }

  mutating func chooseFolder(for item: Item) {
    let lines = folders.compactMap { line -> Picker<FolderID?>.Line? in
      guard case .folder(let id) = line.place else { return nil }
      let indent = String(repeating: "  ", count: min(line.depth, 8))
      return .init(text: indent + line.name, choice: id, isCurrent: id == item.folder)
    }
    let unfiled = Picker<FolderID?>.Line(text: "(no folder)", choice: nil, isCurrent: item.folder == nil)
    overlay = .move(Picker("Move to a folder", lines + [unfiled]))
  }
}
