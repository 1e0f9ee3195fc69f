import Composition
import FerryConsole
import FerryKernel
import Foundation
import RealmExport
import RealmFile

/// `app-cli realm export`: what a file holds, for other tools.
enum RealmExportCommand {
  static let command = Command(
    "export", "Write what a file holds as JSON, NDJSON, CSV or a SQLite database.",
    discussion: """
      Say one form, and OUT where it is to go: 'export FILE --sqlite OUT.db', 'export FILE --csv FOLDER', \
      'export FILE --ndjson OUT', 'export FILE --json OUT'. Without OUT the data goes to standard output, except \
      SQLite and several classes of CSV. OUT appears when it is whole and belongs to one state of the file, or not \
      at all; only its owner can read it. An interrupted export leaves nothing; run it again.

      --json: one canonical document of the whole file. --ndjson: a row a line, with its class. --csv: a file a \
      class after RFC 4180; nothing between commas is null and "" an empty text; links are keys, collections JSON; \
      text that a spreadsheet would run as a formula stays as it is. --sqlite: a table a class, a table a \
      collection, foreign keys, indexes on keys.

      Beside another form, --json prints the report on OUT as JSON.
      """,
    options: [
      .flag("ndjson", "A row of JSON a line."), .flag("csv", "A file of CSV a class; OUT is a folder."),
      .flag("sqlite", "A SQLite database."),
      .repeated("class", value: "NAME", "Only this class."),
      .flag("replace", "Replace OUT where it is a file; its new content is whole before the old one goes."),
    ],
    arguments: [
      RealmCommand.file, .optional("OUT", "The file or folder to make; '-' or none is standard output."),
    ]
  ) { call in try RealmExportRun(call).run() }
}

/// One call of `export`.
private struct RealmExportRun {
  enum Form: String { case json, ndjson, csv, sqlite }

  private let call: Invocation
  private let form: Form
  private let output: String?

  init(_ call: Invocation) throws {
    self.call = call
    let said: [Form] = [.ndjson, .csv, .sqlite].filter { call.flag($0.rawValue) }
    guard said.count < 2 else {
      throw UsageError(
        "One export has one form, and these are \(said.count).", suggestion: "Say one of them.")
    }
    guard let form = said.first ?? (call.wantsJSON ? .json : nil) else {
      throw UsageError("The form is missing.", suggestion: "Say --json, --ndjson, --csv or --sqlite.")
    }
    self.form = form
    output = call.optionalArgument("OUT").flatMap { $0 == "-" ? nil : $0 }
    guard output == nil else { return }
    switch form {
    case .json: break
    case .ndjson, .csv:
      if call.wantsJSON {
        throw UsageError(
          "--json reports on OUT, which is missing.", suggestion: "Name OUT, or leave --json out.")
      }
      if form == .csv, call.values("class").count != 1 {
        throw UsageError(
          "--csv makes a file a class: OUT is missing.", suggestion: "Name a folder, or one --class.")
      }
    case .sqlite: throw UsageError("--sqlite makes a file: OUT is missing.", suggestion: "Name it.")
    }
  }

  func run() throws -> ExitCode {
    let interruption = Interruption()
    let bars = ProgressLines(on: call.terminal, clock: ContinuousClock())
    defer { bars.end() }
    let label = (call.argument("FILE").split(separator: "/").last).map(String.init) ?? "rows"
    let report = { (progress: ExportProgress) in
      if let signal = interruption.signal { throw Interrupted(signal: signal) }
      bars.update(label, done: progress.done, total: progress.of)
    }
    guard let output else {
      // On a terminal the data itself shows how far it is.
      let losses = try toStandardOutput { progress in call.terminal.out.isTerminal ? () : try report(progress)
      }
      bars.end()
      return call.settle(losses)
    }
    let (outcome, losses) = form == .csv ? try toFolder(output, report) : try toFile(output, report)
    bars.end()
    try show(outcome, losses, output)
    return call.settle(losses)
  }

  // MARK: - Where it goes

  private func export(_ file: RealmFile, _ progress: @escaping (ExportProgress) throws -> Void) throws
    -> RealmExport
  {
    var export = try RealmExport(of: file, classes: call.values("class"), isSalvaged: call.flag("salvage"))
    export.progress = progress
    return export
  }

  private func toStandardOutput(_ progress: @escaping (ExportProgress) throws -> Void) throws -> RealmLosses?
  {
    let out = FileDescriptorSink(STDOUT_FILENO)
    let write: RealmExport.Write = { try out.write(Array($0)) }
    // Once: what has been printed can't be taken back, so a change while reading is the end of it.
    return try call.reading(attempts: 1) { file in
      let export = try export(file, progress)
      switch form {
      case .json: _ = try export.writeJSON(to: write)
      case .ndjson, .sqlite: _ = try export.writeNDJSON(to: write)
      case .csv: _ = try export.writeCSV(ofClass: 0, to: write)
      }
    }.losses
  }

  private func toFile(
    _ output: String, _ progress: @escaping (ExportProgress) throws -> Void
  ) throws -> (ExportOutcome, RealmLosses?) {
    var target: AtomicFile?
    let outcome = try call.reading { file -> ExportOutcome in
      let export = try export(file, progress)
      // Made here: a file that can't be read leaves no trace.
      let file =
        try target ?? AtomicFile(path: output, replacing: call.flag("replace"), source: call.argument("FILE"))
      target = file
      try file.startOver()
      switch form {
      case .json: return try export.writeJSON { try file.write($0) }
      case .sqlite: return try export.writeSQLite(to: file.partialPath)
      case .ndjson, .csv: return try export.writeNDJSON { try file.write($0) }
      }
    }
    try committing { try target?.commit() }
    return outcome
  }

  private func toFolder(
    _ output: String, _ progress: @escaping (ExportProgress) throws -> Void
  ) throws -> (ExportOutcome, RealmLosses?) {
    var target: AtomicFolder?
    let outcome = try call.reading { file -> ExportOutcome in
      let export = try export(file, progress)
      let folder = try target ?? AtomicFolder(path: output)
      target = folder
      folder.startOver()
      return try export.writeCSV(to: folder)
    }
    try committing { try target?.commit() }
    return outcome
  }

  private func committing(_ body: () throws -> Void) throws {
    do { try body() } catch { throw Failure.realm(error, path: call.argument("FILE")) }
  }

  // MARK: - What became of it

  private func show(_ outcome: ExportOutcome, _ losses: RealmLosses?, _ output: String) throws {
    if outcome.danglingLinks > 0 {
      call.note(
        "warning: \(grouped(outcome.danglingLinks)) links lead to rows that are not there; they were left out."
      )
    }
    for name in outcome.repeatedKeys {
      call.note(visible("warning: \(name) holds a key twice; its index is not unique."))
    }
    if call.wantsJSON {
      var document: JSONObject = [
        "form": .string(form.rawValue), "output": .string(output),
        "rows": .integer(Int64(outcome.rows)),
        "classes": .array(
          outcome.classes.map { entry in
            .object([
              "name": .string(entry.name), "rows": .integer(Int64(entry.rows)),
              "place": entry.place.map { .string($0) } ?? .null,
            ])
          }),
        "danglingLinks": .integer(Int64(outcome.danglingLinks)),
      ]
      document["salvage"] = losses?.json
      try call.document(document)
      return
    }
    let places = outcome.classes.contains { $0.place != nil }
    var table = TextTable(["Class", .right("Rows")] + (places ? [form == .csv ? "File" : "Table"] : []))
    for entry in outcome.classes {
      table.add([entry.name, grouped(entry.rows)] + (places ? [entry.place ?? ""] : []))
    }
    table.add(total: "all", grouped(outcome.rows))
    try call.print(table)
    try call.print(visible("\(output) is written."))
  }
}
