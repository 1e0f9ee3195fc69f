import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli migrate rollback`: the way back to the legacy files.
enum MigrateRollbackCommand {
  static let command = Command(
    "rollback", "Put the legacy files back, and the store into the archive.",
    discussion: """
      It can be done as long as the archive is there. What people changed since the first domain crossed isn't in \
      the legacy files: where there is any of it, it says how many changes and does nothing until that number is \
      given up with --discard. They stay in the archived store, and files that were attached stay beside it.
      """,
    options: [.option("discard", value: "N", "Give up the N changes made since the first domain crossed.")]
  ) { call in
    let ferry = try call.ferry()
    let discarding = try call.integer("discard", in: 0...Int.max) ?? 0
    let rollback = ferry.rollback
    if try !rollback.isUnderWay() { try await ferry.updateStore() }
    let lock = try ferry.lock()
    defer { withExtendedLifetime(lock) {} }
    var removed: [AccountID] = []
    if try !rollback.isUnderWay() {
      _ = try ferry.existingStore()
      let store = try ferry.openStore()
      removed = try await store.closing {
        try rollback.begin(ferry.retirement(in: store), discarding: Int64(discarding))
        return try ferry.removedAccounts(in: store)
      }
    }
    let folder = try rollback.finish()
    if call.wantsJSON {
      try call.document([
        "rolledBack": true, "store": .string(folder),
        "removed": .array(removed.map { .string($0.description) }),
      ])
    } else {
      try call.print("The legacy files are back where they were.")
      try call.print(visible("The store is in \(folder). `app-cli migrate` would begin anew."))
      for account in removed {
        try call.print(
          visible("\(account) was removed, and would cross again: take it out of ferry.yaml before that."))
      }
    }
    return .ok
  }
}
