import FerryConsole
import FerryScreen
import ItemDomain

extension BrowseModel {
  /// Takes what happened.
  ///
  /// - Returns: what is to be done about it, in this order.
  mutating func handle(_ event: BrowseEvent) -> [BrowseEffect] {
    switch event {
    case .key(let key): return press(key)
    case .resized(let rows, let columns):
      (self.rows, self.columns) = (rows, columns)
      withList { $0.show(height: $1) }
      return [.redraw] + lookAhead()
    case .gate(let gate): self.gate = gate
    case .accounts(let accounts, let active): (self.accounts, self.active) = (accounts, active)
    case .folders(let lines): takeFolders(lines)
    case .attached(let place): attach(place)
    case .list(let phase, let selection, let frame, let isLoading, let problem):
      guard list != nil else { return [] }
      let current = withList { list, height in
        (list.isLoading, list.problem) = (isLoading, problem)
        return list.take(phase, selection: selection, frame, height: height)
      }
      return (current == selection ? [] : [.select(current)]) + lookAhead()
    case .frame(let frame):
      let before = list?.current?.id
      withList { $0.take(frame, height: $1) }
      let current = list?.current?.id
      return (current == before ? [] : [.select(current)]) + lookAhead()
    case .pushed(let item, let place, let link):
      guard list?.place == place else { return [] }
      reader = Reader(item: item, link: link)
      focus = .reader
      return item.isRead || status.gate != nil ? [] : [.change(.open(item.id))]
    case .detail(let item?, let attachments):
      reader?.item = item
      reader?.attachments = attachments
    case .detail(nil, _):
      guard reader != nil else { return [] }
      message = .refused("The item is gone.")
      return closeReader()
    case .sync(let status): self.status = status
    case .said(let message): self.message = message
    case .saved(let isSaved):
      guard case .edit(var editor) = overlay, editor.isSaving else { return [] }
      editor.isSaving = false
      overlay = isSaved ? nil : .edit(editor)
    case .undoable(let count): undoable = count
    }
    return []
  }

  /// The rows that will be wanted next.
  mutating func lookAhead() -> [BrowseEffect] {
    withList { $0.requestNearEdge(height: $1) }.map { [.look($0)] } ?? []
  }

  mutating func closeReader() -> [BrowseEffect] {
    reader = nil
    if focus == .reader { focus = .list }
    return [.back]
  }

  private mutating func attach(_ place: ListPlace?) {
    list = place.map { ListState($0) }
    reader = nil
    searchField = nil
    if case .edit = overlay {} else { overlay = nil }
    if let index = folders.firstIndex(where: { $0.place == place }) { folderCursor = index }
    if focus == .reader || place != nil { focus = place == nil ? .folders : .list }
  }

  /// The tree is another one; the cursor stays on its folder.
  private mutating func takeFolders(_ lines: [FolderLine]) {
    let place = folders.indices.contains(folderCursor) ? folders[folderCursor].place : list?.place
    folders = lines
    folderCursor = lines.firstIndex { $0.place == place } ?? max(0, min(folderCursor, lines.count - 1))
  }
}
