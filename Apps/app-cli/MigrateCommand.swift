import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli migrate`: the crossing itself.
enum MigrateCommand {
  static let command = Command(
    "migrate", "Carry the legacy files over the roadmap into the store.",
    discussion: """
      Goes on where an earlier run stopped. Legacy files are only read, until the last domain is over: then they \
      move to legacy-archive, beside the store. Exits with 0 when everything that can cross has, 1 when a step \
      failed, 75 when a server can't be reached, 4 when another process is at work, 78 when ferry.yaml or \
      roadmap.yaml is at fault, 130 or 143 when SIGINT or SIGTERM stopped it, at a transaction's edge.
      """,
    options: [
      .flag("dry-run", "Show what would happen and change nothing.", short: "n"),
      .option("report", value: "FILE", "Write what happened as one HTML page."),
    ],
    subcommands: [MigrateInitCommand.command, MigrateCleanupCommand.command, MigrateRollbackCommand.command]
  ) { call in
    let ferry = try call.ferry()
    guard call.flag("dry-run") else { return try await run(ferry, call) }
    if call.value("report") != nil {
      throw UsageError("There is nothing to report of a dry run.", suggestion: "Leave '--report' out.")
    }
    return try dryRun(ferry, call)
  }

  private static func run(_ ferry: Ferry, _ call: Invocation) async throws -> ExitCode {
    try await ferry.updateStore()
    // Where nothing can cross, nothing is touched: no lock, no store opened to write, no legacy file read.
    try ferry.rollback.checkNotUnderWay()
    if try !ferry.hasStore() { try ferry.archive.checkNotAlone() }
    let (journal, source) = (try ferry.journal(), try ferry.remainingSource())
    try ferry.plan.checkAccounts(of: source, journal)
    if ferry.plan.runnable(journal).isEmpty {
      guard let store = try ferry.openStoreIfPresent() else {
        throw Failure(
          "Every domain is off in roadmap.yaml.", code: "roadmap.allOff", remedy: "Enable one.",
          exitCode: .configuration)
      }
      if try !ferry.retirement(in: store).isDue() {
        let report = try await CrossingReport(plan: ferry.plan, store: store)
        try show(Review(report, store, returned: ferry.returnedLegacyFiles(in: store)), ferry, call)
        return .ok
      }
    }
    // Faults of the mapping, and accounts that are signed out, are found before a lock, a folder or a store is made, and
    // before the gate is shut.
    try ferry.plan.check(before: journal, source, accounts: ferry.accounts())
    if !ferry.plan.runnable(journal).isEmpty {
      for found in try ferry.plan.unmapped(in: source) { call.note(sentence(of: found)) }
    }
    let lock = try ferry.lock()
    defer { withExtendedLifetime(lock) {} }
    let store = try ferry.openStore()
    try ferry.endRemovals(in: store)
    if !call.wantsJSON { try call.print(RoadmapCommand.table(ferry.plan.states(journal))) }
    let review = try await ferry.working(in: store, call.terminal) { log in
      let report = try await cross(ferry, store, log, call)
      return try Review(report, store, returned: ferry.returnedLegacyFiles(in: store))
    }
    try show(review, ferry, call)
    return review.report.states.contains { $0.state.name == "waitingForNetwork" } ? .temporary : .ok
  }

  private static func cross(_ ferry: Ferry, _ store: Store, _ log: LogSpill, _ call: Invocation) async throws
    -> CrossingReport
  {
    let bars = CrossingBars(ProgressLines(on: call.terminal, clock: ContinuousClock()))
    defer { bars.end() }
    let report = try await stoppable {
      try await ferry.crossingRun(in: store, log: log).run { bars.update($0) }
    }
    try ferry.retirement(in: store).run()
    return report
  }

  private static func sentence(of found: Plan.UnmappedClass) -> String {
    let rows = found.rows == 1 ? "1 row" : "\(found.rows) rows"
    return visible("Nothing in the roadmap maps \(found.name): \(rows) of \(found.path) stay behind.")
  }

  private static func dryRun(_ ferry: Ferry, _ call: Invocation) throws -> ExitCode {
    if try !ferry.hasStore() { try ferry.archive.checkNotAlone() }
    let (journal, source) = (try ferry.journal(), try ferry.remainingSource())
    let states = try ferry.plan.states(journal)
    try ferry.plan.checkAccounts(of: source, journal)
    try ferry.plan.checkSignedIn(ferry.accounts(), of: source, journal)
    let digests = try ferry.openStoreIfPresent()?.device.blockingRead { try $0.fetch(ClassDigest.all) } ?? []
    // Once nothing can cross, the legacy files may be gone.
    let forecasts =
      ferry.plan.runnable(journal).isEmpty
      ? [] : try ferry.plan.forecast(source, journal, digests: digests)
    let unmapped = forecasts.isEmpty ? [] : try ferry.plan.unmapped(in: source)
    if call.wantsJSON {
      try call.document([
        "dryRun": true, "roadmap": RoadmapCommand.json(states), "forecast": .array(forecasts.map(\.json)),
        "unmapped": .array(unmapped.map(\.json)),
      ])
      return .ok
    }
    try call.print(RoadmapCommand.table(states))
    guard !forecasts.isEmpty else {
      try call.print("There is nothing left to cross.")
      return .ok
    }
    var table = TextTable([
      "Domain", "Rows of", "Account", .right("Read"), .right("Copied"), .right("Left to server"),
      .right("Discarded"),
    ])
    for forecast in forecasts {
      table.add(
        forecast.domain, forecast.entity, forecast.account.description, "\(forecast.read)",
        "\(forecast.copied)",
        "\(forecast.left)", "\(forecast.discarded)")
    }
    try call.print("")
    try call.print(table)
    for found in unmapped { try call.print(sentence(of: found)) }
    try call.print(
      "Nothing was changed. Rows that merge, or can't become a record, show only when they cross.")
    return .ok
  }

  private static func show(_ review: Review, _ ferry: Ferry, _ call: Invocation) throws {
    if let path = call.value("report") { try ReportPage(review).write(to: path) }
    if call.wantsJSON {
      try call.document(review.json)
      return
    }
    let report = review.report
    try call.print("")
    try call.print(TallyTable.table(report.tallies, width: call.stream.width))
    for (step, state) in report.states where state != .done {
      try call.print(visible("\(step.domain.name) is \(state.sentence.withoutFullStop)."))
    }
    for line in review.leftovers.lines { try call.print(line) }
    if review.retirement?.phase == .archived {
      try call.print(
        visible(
          "The legacy files are in \(ferry.archive.folder). `app-cli migrate cleanup` removes them for good.")
      )
    }
    for path in review.returned { try call.print(visible(Review.sentence(ofReturned: path))) }
    switch (report.isOver, report.didWork) {
    case (true, true): try call.print("The crossing is over: every legacy row is accounted for.")
    case (true, false): try call.print("The crossing is over; nothing was changed.")
    case (false, true): break
    case (false, false): try call.print("Nothing can cross now; nothing was changed.")
    }
  }
}

extension Plan.UnmappedClass {
  fileprivate var json: JSONValue {
    .object(["path": .string(path), "class": .string(name), "rows": .integer(rows)])
  }
}

extension Forecast {
  fileprivate var json: JSONValue {
    .object([
      "domain": .string(domain), "account": .string(account.description), "entity": .string(entity),
      "read": .integer(read), "copied": .integer(copied), "leftToServer": .integer(left),
      "discarded": .integer(discarded),
    ])
  }
}
