import FerryConsole
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain

@testable import app_cli

/// Rows, folders and a model that has them.
enum Samples {
  static let inbox = folder("inbox")
  static let alice = account("alice")
  static let bob = account("bob")

  /// What is there for these samples.
  static func made<Value>(_ value: Value?) -> Value {
    guard let value else { fatalError("not a name") }
    return value
  }

  static func account(_ user: String) -> LinkAccount { made(LinkAccount(server: "home", user: user)) }
  static func folder(_ id: String) -> FolderID { made(FolderID(id)) }

  static func item(
    _ id: String, _ title: String? = nil, at time: Int64 = 0, isRead: Bool = true, isStarred: Bool? = nil,
    preview: String? = nil, folder: FolderID? = inbox
  ) -> Item {
    Item(
      id: made(ItemID(id)), remoteID: 1, folder: folder, title: title ?? "Item \(id)", preview: preview,
      isRead: isRead, isStarred: isStarred, updatedAt: Timestamp(nanoseconds: time * 1_000_000_000),
      score: nil,
      tags: [])
  }

  static func rows(_ range: Range<Int>) -> [ListRow] { range.map { ListRow(item("\($0)")) } }

  static func content(_ rows: [ListRow]) -> ListPhase<ListRow> {
    rows.isEmpty ? .empty : .content(ListRows(rows))
  }

  static let folders = [
    FolderLine(place: .folder(inbox), name: "받은 편지함", total: 300, unread: 12),
    FolderLine(place: .folder(folder("work")), name: "Work", total: 3),
    FolderLine(place: .folder(folder("plans")), name: "Plans 🧳", depth: 1, total: 2, unread: 1),
    FolderLine(place: .everything, name: "All items", total: 305, unread: 13),
    FolderLine(place: .drafts, name: "Drafts", total: 1),
  ]

  /// A browser whose gate is open and whose inbox shows rows.
  static func model(
    rows: Int = 24, columns: Int = 100, showing list: [ListRow] = Samples.rows(0..<10), total: Int? = nil
  ) -> BrowseModel {
    var model = BrowseModel(rows: rows, columns: columns)
    var gate = CrossingGate()
    gate.hear(.core([]))
    _ = model.handle(.gate(gate))
    _ = model.handle(.accounts([alice, bob], active: alice))
    _ = model.handle(.folders(folders))
    _ = model.handle(.attached(.folder(inbox)))
    _ = show(list, total: total, in: &model)
    return model
  }

  /// - Returns: what is to be done about it.
  @discardableResult static func show(
    _ rows: [ListRow], offset: Int = 0, total: Int? = nil, selection: ListRow.ID? = nil,
    in model: inout BrowseModel
  ) -> [BrowseEffect] {
    let frame = ListFrame(offset: offset, total: total ?? rows.count, request: model.list?.request)
    return model.handle(
      .list(
        content(rows), selection: selection ?? model.list?.current?.id, frame, isLoading: false, problem: nil)
    )
  }
}

extension BrowseModel {
  /// Presses keys one after the other.
  ///
  /// - Returns: what the last one wants done.
  @discardableResult mutating func press(_ keys: [Key]) -> [BrowseEffect] {
    var effects: [BrowseEffect] = []
    for key in keys { effects = handle(.key(key)) }
    return effects
  }

  @discardableResult mutating func type(_ text: String) -> [BrowseEffect] { press(text.map { .text($0) }) }

  /// The screen's rows as text, without blanks at their ends.
  func screen(hasColour: Bool = true) -> [String] {
    let grid = BrowseView.grid(of: self, hasColour: hasColour)
    return (0..<grid.rows).map { grid.text($0).trimmingSpacesAtEnd }
  }
}
