import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli migrate rollback`: the way back to the legacy files.
enum MigrateRollbackCommand {
  static let command = Command(
    "rollback", "Put the legacy files back, and the store into the archive.",
    discussion: """
      It can be done as long as the archive is there. Rows that people changed since the crossing aren't in the \
      legacy files: where there are any, it says how many and does nothing until that number is given up with \
      --discard. They stay in the archived store.
      """,
    options: [.option("discard", value: "N", "Give up the N rows that were changed since the crossing.")]
  ) { call in
    let ferry = try call.ferry()
    let discarding = try call.integer("discard", in: 0...Int.max) ?? 0
    let rollback = ferry.rollback
    if try !rollback.isUnderWay() { try await ferry.updateStore() }
    let lock = try ferry.lock()
    defer { withExtendedLifetime(lock) {} }
    if try !rollback.isUnderWay() {
      _ = try ferry.existingStore()
      let store = try ferry.openStore()
      try await store.closing {
        try rollback.begin(ferry.retirement(in: store), discarding: Int64(discarding))
      }
    }
    let folder = try rollback.finish()
    if call.wantsJSON {
      try call.document(["rolledBack": true, "store": .string(folder)])
    } else {
      try call.print("The legacy files are back where they were.")
      try call.print(visible("The store is in \(folder). `app-cli migrate` would begin anew."))
    }
    return .ok
  }
}
