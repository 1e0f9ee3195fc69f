import FerryConsole
import ItemDomain

/// A draft that is being written.
struct DraftEditor: Equatable {
  enum Field { case title, body }

  enum Step: Equatable {
    case goOn
    case save(DraftText)
    case leave
  }

  private let original: DraftText
  var title: TextBuffer
  var body: TextBuffer
  var field: Field
  /// Whether it is being written to the store. It stays open until it is there.
  var isSaving = false
  /// Whether a person is asked what becomes of what they wrote.
  private(set) var isAsking = false

  init(_ draft: DraftText) {
    original = draft
    title = TextBuffer(draft.title)
    body = TextBuffer(draft.body, isMultiline: true)
    field = draft.title.isEmpty ? .title : .body
  }

  init(_ draft: Draft) {
    self.init(DraftText(id: draft.id, item: draft.item, title: draft.title, body: draft.body))
  }

  var isNew: Bool { original.id == nil }
  var isChanged: Bool { text != original }

  var text: DraftText {
    DraftText(id: original.id, item: original.item, title: title.text, body: body.text)
  }

  mutating func handle(_ key: Key, columns: Int) -> Step {
    if isSaving { return .goOn }
    if isAsking {
      switch key {
      case .text("y"), .text("Y"), .enter, .control("s"): return .save(text)
      case .text("n"), .text("N"): return .leave
      case .escape, .control("c"): isAsking = false
      default: break
      }
      return .goOn
    }
    switch key {
    case .control("s"): return isChanged || isNew ? .save(text) : .leave
    case .escape, .control("c"):
      guard isChanged else { return .leave }
      isAsking = true
    case .tab, .backTab: field = field == .title ? .body : .title
    case .enter where field == .title, .down where field == .title: field = .body
    default:
      switch field {
      case .title: _ = title.handle(key, columns: columns)
      case .body: _ = body.handle(key, columns: columns)
      }
    }
    return .goOn
  }
}
