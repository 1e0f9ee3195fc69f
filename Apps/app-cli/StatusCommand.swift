import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli status`: what is in the store, and what waits.
enum StatusCommand {
  static let command = Command("status", "Show what has crossed, and what waits for what.") { call in
    let ferry = try call.ferry()
    guard let store = try ferry.openStoreIfPresent() else { return try showNoStore(ferry, call) }
    let report = try await CrossingReport(plan: ferry.plan, store: store)
    let leftovers = try Leftovers(in: store)
    let (accounts, gate) = try await store.device.read { snapshot in
      (try snapshot.accounts(), try snapshot.gateReason())
    }
    let retirement = try ferry.retirement(in: store)
    let standings = try accounts.map { try AccountStanding(of: $0, in: store, ferry) }
    if call.wantsJSON {
      try call.document([
        "store": .string(ferry.storePath), "over": .bool(report.isOver),
        "roadmap": RoadmapCommand.json(report.states),
        "tallies": .array(report.tallies.map(\.json)), "gate": gate.map { .string($0) } ?? .null,
        "quarantined": .integer(Int64(leftovers.quarantined)),
        "conflicts": .integer(Int64(leftovers.conflicts)),
        "accounts": .array(standings.map { .object($0.json) }),
        "retired": (try retirement.state()?.phase).map { .string($0.rawValue) } ?? .null,
      ])
      return .ok
    }
    try call.print(RoadmapCommand.table(report.states))
    try call.print("")
    try call.print(TallyTable.table(report.tallies, width: call.stream.width))
    for standing in standings {
      for line in standing.lines { try call.print(visible(line)) }
    }
    for line in leftovers.lines { try call.print(line) }
    if try retirement.isDue() {
      try call.print(
        "The legacy files are still to be moved into the archive: `app-cli migrate` goes on with that.")
    }
    if let gate { try call.print("Writers are shut out: \(gate).") }
    return .ok
  }

  private static func showNoStore(_ ferry: Ferry, _ call: Invocation) throws -> ExitCode {
    try ferry.archive.checkNotAlone()
    let states = try ferry.plan.states([])
    if call.wantsJSON {
      try call.document(["store": .null, "over": false, "roadmap": RoadmapCommand.json(states)])
    } else {
      try call.print(RoadmapCommand.table(states))
      try call.print("There is no store yet. `app-cli migrate` makes it.")
    }
    return .ok
  }
}
