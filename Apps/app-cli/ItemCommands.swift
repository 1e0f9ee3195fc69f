import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FolderDomain
import ItemDomain

/// `app-cli item`: what can be found among items.
enum ItemCommands {
  static let all: [Command] =
    [
      Command(
        "list", "List items, the newest first.", options: paging + ItemSelection.options
      ) { call in try await list(call) },
      Command(
        "search", "List items in which words are found, the newest first.",
        discussion: """
          What stands between spaces is looked for in titles, previews and tags; of a word its beginning is enough, and \
          neither case nor accents count. Every word must be found.
          """,
        options: paging + ItemSelection.options,
        arguments: [.rest("WORD", "What is looked for.")]
      ) { call in try await search(call) },
      Command(
        "count", "Count the items.", options: [AccountWork.account] + ItemSelection.options
      ) { call in try await count(call) },
    ] + ItemChangeCommands.all

  private static let paging: [CommandOption] = [
    AccountWork.account, .option("limit", value: "N", "At most this many items.", short: "n", default: "50"),
    .option("after", value: "KEY", "Begin after the item with this key."),
  ]

  private static func list(_ call: Invocation) async throws -> ExitCode {
    try await found(call) { reader, filter, last, limit in
      try ItemDAO.list(reader, filter, after: last, limit: limit).map { ($0, []) }
    }
  }

  private static func search(_ call: Invocation) async throws -> ExitCode {
    let text = call.remainingArguments("WORD").joined(separator: " ")
    let terms = SearchTerms(text)
    let ignored = terms.ignored.map { visible($0) }.joined(separator: " ")
    guard !terms.isEmpty else {
      throw UsageError(
        ignored.isEmpty
          ? "It isn't said what to search for." : "Only letters and digits are searched for, not \(ignored).",
        suggestion: "Say at least one word.")
    }
    if !ignored.isEmpty { call.note("Only letters and digits are searched for, not \(ignored).") }
    return try await found(call, isSearch: true) { reader, filter, last, limit in
      try ItemDAO.search(reader, text, filter, after: last, limit: limit).map { ($0.record, $0.matches) }
    }
  }

  private static func count(_ call: Invocation) async throws -> ExitCode {
    let selection = try ItemSelection(call)
    return try await AccountWork.reading(call, .item) { account in
      let count = try await account.read { snapshot in
        try ItemDAO.count(snapshot, selection.filter(snapshot, account.id))
      }
      let table = JSONValue.string(Item.table.name)
      return try call.answer(account, "\(count)", ["table": table, "count": .integer(Int64(count))])
    }
  }

  private typealias Found = (item: Item, matches: [SearchMatch])

  /// Shows a page of items.
  ///
  /// - Parameter fetch: finds them: by which filter, after which item, how many.
  private static func found(
    _ call: Invocation, isSearch: Bool = false,
    _ fetch: @escaping @Sendable (borrowing Snapshot<AccountScope>, ItemFilter, Item?, Int) throws -> [Found]
  ) async throws -> ExitCode {
    let selection = try ItemSelection(call)
    let limit = try call.integer("limit", in: 1...1_000_000) ?? 50
    let after = call.value("after")
    let wantsJSON = call.wantsJSON
    return try await AccountWork.reading(call, .item) { account in
      let (shown, rows, isMore) = try await account.read { snapshot in
        let last = try after.map { try AccountWork.find(Item.self, $0, snapshot, of: account.id) }
        // One more than asked for tells whether there is more.
        let found = try fetch(snapshot, try selection.filter(snapshot, account.id), last, limit + 1)
        var rows: [JSONValue] = []
        for (item, matches) in found.prefix(limit) where wantsJSON {
          var row = try AccountWork.json(item, snapshot)
          if isSearch { row["matches"] = .array(matches.map(json)) }
          rows.append(.object(row))
        }
        return (found.prefix(limit).map { Line($0.item, $0.matches) }, rows, found.count > limit)
      }
      if wantsJSON {
        return try call.answer(
          account, "",
          ["table": .string(Item.table.name), "more": .bool(isMore), "rows": .array(rows)])
      }
      try call.print(table(shown, isSearch))
      if isMore, let last = shown.last {
        call.note(
          visible("There are more: --limit shows more of them, --after \(last.item.id) goes on."))
      } else if shown.isEmpty {
        call.note("There are none.")
      }
      return .ok
    }
  }

  /// What a person sees of an item.
  private struct Line: Sendable {
    let item: Item
    let matches: [SearchMatch]

    init(_ item: Item, _ matches: [SearchMatch]) { (self.item, self.matches) = (item, matches) }
  }

  private static func table(_ lines: [Line], _ isSearch: Bool) -> TextTable {
    var table = TextTable(["Key", "Time", "", "Title", isSearch ? "Found" : "Tags"])
    for line in lines {
      let item = line.item
      let marks = (item.isRead ? " " : "•") + (item.isStarred == true ? "★" : " ")
      let last =
        isSearch ? line.matches.map(snippet).joined(separator: " | ") : item.tags.joined(separator: ", ")
      table.add(
        item.id.rawValue, item.updatedAt.description, marks, truncated(item.title, to: 60),
        truncated(last, to: 60))
    }
    return table
  }

  /// A piece of a text with what was found in it between « and ».
  private static func snippet(_ match: SearchMatch) -> String {
    let excerpt = match.excerpt(length: 40)
    return (excerpt.isCutAtStart ? "…" : "")
      + pieces(excerpt).map { $0.isFound ? "«\($0.text)»" : $0.text }.joined()
      + (excerpt.isCutAtEnd ? "…" : "")
  }

  /// A snippet as a script gets it: pieces of the text in their order.
  private static func json(_ match: SearchMatch) -> JSONValue {
    let excerpt = match.excerpt()
    return .object([
      "column": .string(match.column), "member": match.member.map { .integer(Int64($0)) } ?? .null,
      "cutAtStart": .bool(excerpt.isCutAtStart), "cutAtEnd": .bool(excerpt.isCutAtEnd),
      "snippet": .array(
        pieces(excerpt).map { .object(["text": .string($0.text), "found": .bool($0.isFound)]) }),
    ])
  }

  private static func pieces(_ excerpt: SearchMatch.Excerpt) -> [(text: String, isFound: Bool)] {
    var pieces: [(text: String, isFound: Bool)] = []
    var place = excerpt.text.startIndex
    func add(upTo end: String.Index, isFound: Bool) {
      if place < end { pieces.append((String(excerpt.text[place..<end]), isFound)) }
      place = end
    }
    for range in excerpt.ranges {
      add(upTo: range.lowerBound, isFound: false)
      add(upTo: range.upperBound, isFound: true)
    }
    add(upTo: excerpt.text.endIndex, isFound: false)
    return pieces
  }
}
