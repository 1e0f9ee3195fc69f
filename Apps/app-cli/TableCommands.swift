import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// `app-cli folder list|show|count`, and so for the table of every entity and for the quarantine, from its
/// declaration alone.
enum TableCommands {
  static let all =
    RegisteredDomains.all.flatMap(commands) + [
      HistoryCommands.command,
      QuarantineCommand.command,
      command(
        "conflict", "Server records that differ from unsent rows",
        SyncConflict.table.declaration, of: nil),
    ]

  /// What some have of their own besides, or instead.
  private static let own: [String: [Command]] = [
    "folder": FolderCommands.all,
    "item": ItemCommands.all,
    "draft": DraftCommands.all,
    "attachment": AttachmentCommands.all,
    "setting": SettingCommands.all,
    "log": LogCommands.all,
  ]

  private static func commands(of domain: Domain) -> [Command] {
    let tables = domain.tables.filter { table in
      domain.crossings.contains { $0.table.name == table.name || $0.deviceTable?.name == table.name }
    }
    return tables.map { table in
      let name = table.name.replacing("_", with: "-")
      let summary = name == domain.name ? domain.summary : "Part of \(domain.name)"
      return command(name, summary, table, of: domain)
    }
  }

  /// A cell of a list is cut here, so that one long text doesn't pad every row; `show` and `--json` cut nothing.
  private static let listWidth = 80

  private static func command(
    _ name: String, _ summary: String, _ table: TableDeclaration, of domain: Domain?
  )
    -> Command
  {
    let commands = subcommands(table, of: domain).with(own[name] ?? [])
    let names = commands.map(\.name).joined(separator: ", ")
    return Command(name, "\(summary): \(names).", subcommands: commands)
  }

  /// What can be looked up in any table.
  static func subcommands(_ table: TableDeclaration, of domain: Domain?) -> [Command] {
    let options = table.hasAccount ? [AccountWork.account] : []
    return [
      Command(
        "list", "List rows by key.",
        options: options + [
          .option("limit", value: "N", "At most this many rows.", short: "n", default: "50"),
          .option("after", value: "KEY", "Begin after the row with this key."),
        ]
      ) { call in try list(call, domain, table) },
      Command(
        "show", "Show one row with all it has.", options: options,
        arguments: [.required("KEY", "The row's key, here or in the legacy file.")]
      ) { call in try show(call, domain, table) },
      Command("count", "Count the rows.", options: options) { call in try count(call, domain, table) },
    ]
  }

  private static func list(_ call: Invocation, _ domain: Domain?, _ table: TableDeclaration) throws
    -> ExitCode
  {
    let limit = try call.integer("limit", in: 1...1_000_000) ?? 50
    let after = call.value("after").map { StoredValue.text($0) }
    // One more than asked for tells whether there is more.
    let (rows, account) = try read(call, domain, table) {
      try $0.rows(of: table, after: after, limit: limit + 1)
    }
    let shown = rows.prefix(limit)
    if call.wantsJSON {
      try call.document([
        "table": .string(table.name), "account": account.map { .string($0.description) } ?? .null,
        "more": .bool(rows.count > limit), "rows": .array(shown.map { .object(RowForm.json($0, table)) }),
      ])
      return .ok
    }
    var list = TextTable(
      table.columns.map { column in RowForm.isNumber(column) ? .right(column.name) : .left(column.name) })
    for row in shown { list.add(RowForm.cells(row, table).map { truncated($0, to: listWidth) }) }
    try call.print(list)
    if rows.count > limit, let last = shown.last, case .text(let key) = last[table.keyIndex] {
      call.note(visible("There are more: --limit shows more of them, --after \(key) goes on."))
    } else if rows.isEmpty {
      call.note("There are none.")
    }
    return .ok
  }

  private static func show(_ call: Invocation, _ domain: Domain?, _ table: TableDeclaration) throws
    -> ExitCode
  {
    let key = call.argument("KEY")
    let (row, account) = try read(call, domain, table) { reader -> [StoredValue]? in
      for candidate in candidates(key) {
        if let row = try reader.row(of: table, key: .text(candidate)) { return row }
      }
      return nil
    }
    guard let row else {
      throw Failure(
        "There is no \(call.commandNames.dropFirst().first ?? table.name) with the key \"\(key)\""
          + (account.map { " for \($0)." } ?? "."),
        code: "notFound",
        remedy: "`app-cli \(call.commandNames.dropFirst().first ?? "") list` lists the keys.")
    }
    if call.wantsJSON {
      try call.document([
        "table": .string(table.name), "account": account.map { .string($0.description) } ?? .null,
        "row": .object(RowForm.json(row, table)),
      ])
      return .ok
    }
    var list = TextTable(["Column", "Value"])
    for (column, cell) in zip(table.columns, RowForm.cells(row, table)) { list.add(column.name, cell) }
    try call.print(list)
    return .ok
  }

  private static func count(_ call: Invocation, _ domain: Domain?, _ table: TableDeclaration) throws
    -> ExitCode
  {
    let (count, account) = try read(call, domain, table) { try $0.count(of: table) }
    if call.wantsJSON {
      try call.document([
        "table": .string(table.name), "account": account.map { .string($0.description) } ?? .null,
        "count": .integer(Int64(count)),
      ])
    } else {
      try call.print("\(count)")
    }
    return .ok
  }

  /// Says so where rows are still to come: few of them, or none, would look like a loss (traps M4).
  private static func noteUnfinished(_ domain: Domain, _ store: Store, _ call: Invocation) throws {
    guard !call.wantsJSON else { return }
    let journal = try store.device.blockingRead { try $0.fetch(JournalEntry.all) }
    guard !journal.isDone(domain.name) else { return }
    call.note("\(domain.name) hasn't crossed yet; rows are still to come. `app-cli migrate` brings them.")
  }

  /// The identifiers that a person may mean by a key: itself, or a key of the legacy file.
  static func candidates(_ key: String) -> [String] {
    let legacy: [LegacyKey?] = [
      Int64(key).map { .integer($0) }, UUID(uuidString: key).map { .uuid($0) },
      LegacyKey(identifier: "o" + key),
      .text(key),
    ]
    return [key] + legacy.compactMap { $0?.identifier }
  }

  /// Reads through the handle that the table needs.
  private static func read<Result: Sendable>(
    _ call: Invocation, _ domain: Domain?, _ table: TableDeclaration,
    _ body: (any RowReading) throws -> Result
  ) throws -> (Result, AccountID?) {
    let ferry = try call.ferry()
    if let domain { try ferry.requireEnabled(domain) }
    let store = try ferry.existingStore()
    if let domain { try noteUnfinished(domain, store, call) }
    guard table.hasAccount else { return (try body(store.device), nil) }
    let named = try call.value("account").map { try ferry.account(named: $0, in: store) }
    guard let account = try named ?? store.activeAccount() else { throw try ferry.noAccount(in: store) }
    return (try body(account), account.id)
  }
}

extension [Command] {
  /// These and others, which take the place of those that are called the same.
  fileprivate func with(_ others: [Command]) -> [Command] {
    map { command in others.first { $0.name == command.name } ?? command }
      + others.filter { other in !contains { $0.name == other.name } }
  }
}

/// The readings that a table's commands need, of either handle.
private protocol RowReading {
  func rows(of table: TableDeclaration, after: StoredValue?, limit: Int) throws -> [[StoredValue]]
  func row(of table: TableDeclaration, key: StoredValue) throws -> [StoredValue]?
  func count(of table: TableDeclaration) throws -> Int
}

extension Handle {
  fileprivate func rows(of table: TableDeclaration, after: StoredValue?, limit: Int) throws -> [[StoredValue]]
  {
    try blockingRead { try $0.rows(of: table, after: after, limit: limit) }
  }
  fileprivate func row(of table: TableDeclaration, key: StoredValue) throws -> [StoredValue]? {
    try blockingRead { try $0.row(of: table, key: key) }
  }
  fileprivate func count(of table: TableDeclaration) throws -> Int {
    try blockingRead { try $0.count(of: table) }
  }
}

extension AccountStore: RowReading {}
extension DeviceStore: RowReading {}
