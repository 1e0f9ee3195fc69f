import Composition
import FerryConsole
import FerryKernel
import FerryStore
import Foundation
import LogDomain

/// `app-cli log`: the log as it is, in the table and in the spill that isn't drained yet.
enum LogCommands {
  static let all = [
    Command(
      "query", "List the lines that are asked for, newest first.",
      options: filter + [.option("limit", value: "N", "At most this many.", short: "n", default: "50")]
    ) { call in try await query(call) },
    Command(
      "follow", "Print each new line as it comes, from whichever process, until it is stopped.",
      discussion: "With --json each is one line of JSON.",
      options: filter + [.option("count", value: "N", "End after this many.")]
    ) { call in try await follow(call) },
    Command(
      "export", "Write the lines that are asked for as NDJSON, oldest first.",
      discussion: "Each line is a JSON object, of the form that `log query --json` lists.",
      options: filter + [
        .option("to", value: "FILE", "Into a file that isn't there yet; else to standard output.")
      ]
    ) { call in try await export(call) },
  ]

  private static let filter: [CommandOption] = [
    .option(
      "level", value: "LEVEL", "Only this level and graver ones.", choices: LogLevel.known.map(\.name)),
    .option("category", value: "NAME", "Only lines of this room or domain."),
    .option(
      "since", value: "TIME", "Only since then: 2026-03-01, 2026-03-01T09:30:00Z, or ago: 15m, 2h, 7d."),
    .option("until", value: "TIME", "Only before then."),
    .option("text", value: "TEXT", "Only lines with this text in them, whatever its case.", short: "t"),
    .option("account", value: "ACCOUNT", "Only lines about user@server, or only the user.", short: "a"),
  ]

  private static func filter(_ work: StoreWork) throws -> LogFilter {
    let call = work.call
    let now = Ferry.now()
    return try LogFilter(
      level: call.value("level").flatMap(LogLevel.init(named:)), category: call.value("category"),
      account: call.value("account").map { try work.ferry.account(named: $0, in: work.store).id },
      since: call.value("since").map { try TimeArgument.parse($0, "since", now: now) },
      until: call.value("until").map { try TimeArgument.parse($0, "until", now: now) },
      text: call.value("text"))
  }

  // MARK: - Looking

  private static func query(_ call: Invocation) async throws -> ExitCode {
    let limit = try call.integer("limit", in: 1...1_000_000) ?? 50
    return try await StoreWork.looking(call, at: .log) { work in
      // One more than asked for tells whether there is more.
      let found = try await LogDAO.query(
        work.store.device, work.ferry.spillReader, filter(work), limit: limit + 1)
      let entries = found.prefix(limit)
      if call.wantsJSON {
        try call.document([
          "more": .bool(found.count > limit), "entries": .array(entries.map { .object($0.json) }),
        ])
        return .ok
      }
      var table = TextTable(["Time", "Level", "Category", "Account", "Message"])
      for entry in entries {
        table.add(
          entry.at.description, entry.level.name, entry.category, entry.account?.description ?? "–",
          try entry.words)
      }
      try call.print(table)
      if found.count > limit { call.note("There are more: --limit shows more of them.") }
      if entries.isEmpty { call.note("There are none.") }
      return .ok
    }
  }

  private static func follow(_ call: Invocation) async throws -> ExitCode {
    let count = try call.integer("count", in: 1...Int(Int32.max))
    return try await StoreWork.looking(call, at: .log) { work in
      let lines = LogDAO.follow(work.store.device, work.ferry.spillReader, try filter(work))
      do {
        try await stoppable {
          // Only here does a signal end it by itself.
          call.note("Following the log.")
          var left = count ?? .max
          for try await entry in lines {
            try show(entry, call)
            left -= 1
            if left == 0 { return }
          }
          try Task.checkCancellation()
        }
      } catch let interruption as Interrupted {
        // That is how a person ends it: no error, and the code that shells expect.
        return ExitCode(rawValue: 128 + interruption.signal)
      }
      return .ok
    }
  }

  private static func show(_ entry: LogEntry, _ call: Invocation) throws {
    if call.wantsJSON { return try call.json(try JSONValue.object(entry.json).text()) }
    let account = entry.account.map { " \($0)" } ?? ""
    try call.print(
      visible("\(entry.at) \(entry.level.name) \(entry.category)\(account): \(try entry.words)"))
  }

  // MARK: - Export

  private static func export(_ call: Invocation) async throws -> ExitCode {
    try await StoreWork.looking(call, at: .log) { work in
      guard let path = call.value("to") else {
        _ = try await export(work) { try call.terminal.write(String(decoding: $0, as: UTF8.self)) }
        return .ok
      }
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw KernelError.fileSystem(path: path, doing: "Making", message: String(cString: strerror(errno)))
      }
      defer { close(descriptor) }
      let sink = FileDescriptorSink(descriptor)
      do {
        let count = try await export(work) { try sink.write($0) }
        call.note(visible("\(count == 1 ? "1 line is" : "\(count) lines are") in \(path)."))
      } catch {
        // Half of an export would pass for a whole one.
        unlink(path)
        throw error
      }
      return .ok
    }
  }

  /// - Returns: how many lines there were.
  private static func export(_ work: StoreWork, to write: @escaping @Sendable ([UInt8]) throws -> Void)
    async throws -> Int
  {
    let pending = Locked<(bytes: [UInt8], count: Int)>(([], 0))
    try await LogDAO.export(work.store.device, work.ferry.spillReader, filter(work)) { entry in
      let line = try JSONValue.object(entry.json).bytes() + [0x0a]
      let full: [UInt8]? = pending.withLock { pending in
        pending.bytes += line
        pending.count += 1
        guard pending.bytes.count >= 1 << 16 else { return nil }
        defer { pending.bytes = [] }
        return pending.bytes
      }
      if let full { try write(full) }
    }
    let (rest, count) = pending.withLock { $0 }
    try write(rest)
    return count
  }
}

extension LogEntry {
  /// The message, and what it says by name.
  fileprivate var words: String {
    get throws { fields.json.isEmpty ? message : "\(message) \(try fields.text())" }
  }
}
