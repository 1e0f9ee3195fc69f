import Composition
import FerryConsole
import FerryKernel
import FerrySync

@main
struct SyncWorker {
  static func main() async {
    let root = Command(
      "sync-worker", "Sync the store with the servers, once.",
      discussion: """
        For cron: never asks, prints one line, or one JSON document with --json. Exits with 0 when every feed was \
        synced, 3 when some failed, 1 when all did, 4 when another process is at work, 5 while a crossing isn't \
        over, 78 when ferry.yaml or roadmap.yaml is at fault.
        """,
      options: SharedOptions.all + [.flag("once", "Run once and end, which is also what happens without it.")]
    ) { call in
      let ferry = try call.ferry()
      guard try ferry.hasStore() else { return try refuseWithoutStore(ferry) }
      let lock = try ferry.lock()
      defer { withExtendedLifetime(lock) {} }
      let store = try ferry.openStore()
      let log = try ferry.openLog()
      let report = try await ferry.syncRun(in: store, log: log).run()
      try await ferry.close(store, log, call.terminal)
      return try SyncOutput(report).show(call)
    }
    await CommandLineTool(root, version: SharedOptions.version) { Failure.from($0) }.runAndExit()
  }

  private static func refuseWithoutStore(_ ferry: Ferry) throws -> ExitCode {
    throw Failure(
      "There is no store at \(ferry.storePath).", code: "store.none", remedy: "Run `app-cli migrate` first.",
      exitCode: .gateShut)
  }
}
