import AttachmentDomain
import FerryConsole
import FerryStore
import ItemDomain

/// A line of what is read.
struct ReaderLine: Equatable {
  enum Kind { case title, fact, text }
  let text: String
  let kind: Kind
}

extension BrowseModel {
  /// What the reading pane says, in lines as wide as it is.
  var readerLines: [ReaderLine] {
    if let reader { return lines(of: ListRow(reader.item), reader.attachments, link: reader.link) }
    // Where there is room for it, the row under the cursor shows what opening it would.
    return list?.current.map { lines(of: $0, [], link: nil) } ?? []
  }

  private func lines(of row: ListRow, _ attachments: [AttachmentEntry], link: String?) -> [ReaderLine] {
    var lines = wrapped(row.title, .title) + [ReaderLine(text: "", kind: .text)]
    var text: String
    switch row.content {
    case .item(let item):
      for fact in facts(of: item) + attachments.map(BrowseModel.fact) { lines += wrapped(fact, .fact) }
      // Of what is only passed by, no more is laid out than a screen may have.
      text = link == nil && reader == nil ? String((item.preview ?? "").prefix(8000)) : item.preview ?? ""
    case .draft(let draft):
      lines += wrapped("Draft, last written \(BrowseModel.time(draft.updatedAt.description))", .fact)
      text = draft.body
    }
    lines += [ReaderLine(text: "", kind: .text)] + wrapped(text, .text)
    if let link { lines += [ReaderLine(text: "", kind: .text)] + wrapped(link, .fact) }
    return lines
  }

  private func facts(of item: Item) -> [String] {
    var marks = [item.isRead ? "read" : "unread"]
    if item.isStarred == true { marks.append("starred") }
    if item.remoteID == nil { marks.append("never sent") }
    let folder = item.folder.map { id in folders.first { $0.place == .folder(id) }?.name ?? id.rawValue }
    var facts = [
      "\(folder ?? "(no folder)") · \(BrowseModel.time(item.updatedAt.description))",
      marks.joined(separator: ", "),
    ]
    let tags = item.tags.filter { !$0.isEmpty }
    if !tags.isEmpty { facts.append(tags.map { "#\($0)" }.joined(separator: " ")) }
    if let score = item.score { facts.append("score \(score)") }
    return facts
  }

  private static func fact(of entry: AttachmentEntry) -> String {
    let place =
      switch entry.state {
      case .remote: "on the server"
      case .downloading: "on its way"
      case .local: "here"
      case .failed: "failed"
      }
    return "+ \(entry.attachment.fileName) · \(grouped(Int(entry.attachment.byteSize))) bytes · \(place)"
  }

  private func wrapped(_ text: String, _ kind: ReaderLine.Kind) -> [ReaderLine] {
    // Line breaks are the text's own; all else that isn't to be seen becomes it.
    let shown = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { visible($0.replacing("\t", with: "  ")) }.joined(separator: "\n")
    let wrapped = WrappedText(shown, columns: layout.readerColumns)
    return wrapped.lines.map { ReaderLine(text: String(shown[$0]), kind: kind) }
  }

  /// A time in UTC to the minute.
  static func time(_ description: String) -> String {
    description.prefix(16).replacing("T", with: " ") + " UTC"
  }
}

extension BrowseView {
  mutating func drawReader() {
    guard let pane = layout.reader else { return }
    let isFocused = model.focus == .reader
    drawHeading(model.reader == nil ? "Preview" : "Reading", in: pane, isFocused: isFocused)
    let lines = model.readerLines
    guard !lines.isEmpty else { return }
    let scroll = model.reader == nil ? 0 : min(model.reader?.scroll ?? 0, max(0, lines.count - 1))
    let terms = model.list?.terms ?? SearchTerms("")
    for (row, line) in zip(layout.content, lines[scroll...]) {
      let style: CellStyle =
        switch line.kind {
        case .title: .bold
        case .fact: theme.dim
        case .text: .plain
        }
      grid.put(line.text, row: row, column: pane.lowerBound + 1, width: pane.count - 1, style: style)
      if line.kind != .fact { mark(terms, in: line.text, row: row, column: pane.lowerBound + 1) }
    }
    let below = lines.count - scroll - layout.listHeight
    if below > 0 {
      putRight(
        "↓ \(grouped(below)) more", row: layout.headingRow, from: pane.lowerBound + 10,
        to: pane.upperBound - 1,
        style: theme.dim)
    }
  }
}
