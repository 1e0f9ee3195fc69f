import Composition
import FerryConsole
import FerryKernel
import FerryStore

/// `app-cli migrate cleanup`: removes what the crossing kept.
enum MigrateCleanupCommand {
  static let command = Command(
    "cleanup", "List the archived legacy files and the crossing's backups, or remove them for good.",
    discussion: """
      Without --yes it only lists them. With it they are gone, and there is no rollback any more. Before the \
      crossing is over there is nothing to remove: what it keeps is still needed.
      """,
    options: [.flag("yes", "Remove them.", short: "y")]
  ) { call in
    let ferry = try call.ferry()
    if call.flag("yes") { try await ferry.updateStore() }
    let lock = try call.flag("yes") ? ferry.lock() : nil
    defer { withExtendedLifetime(lock) {} }
    let files: [(path: String, size: Int64)]
    if try ferry.openStoreIfPresent() == nil {
      // After a rollback the archive holds the store that was.
      files = try ferry.rollback.removable()
      if call.flag("yes") { try ferry.rollback.remove() }
    } else {
      let store = try call.flag("yes") ? ferry.openStore() : ferry.existingStore()
      files = try await store.closing {
        let retirement = try ferry.retirement(in: store)
        let files = try retirement.removable()
        if call.flag("yes"), !files.isEmpty { try retirement.remove() }
        return files
      }
    }
    try show(files, isRemoved: call.flag("yes"), call)
    return .ok
  }

  private static func show(_ files: [(path: String, size: Int64)], isRemoved: Bool, _ call: Invocation) throws
  {
    let total = files.reduce(0) { $0 + $1.size }
    if call.wantsJSON {
      let list = files.map { JSONValue.object(["path": .string($0.path), "bytes": .integer($0.size)]) }
      try call.document([
        "removed": .bool(isRemoved), "bytes": .integer(total), "files": .array(list),
      ])
      return
    }
    guard !files.isEmpty else { return try call.print("There is nothing to remove.") }
    var table = TextTable([.right("Bytes"), "File"])
    for file in files { table.add(grouped(Int(file.size)), visible(file.path)) }
    try call.print(table)
    try call.print(
      isRemoved
        ? "Removed: \(grouped(Int(total))) bytes."
        : "\(grouped(Int(total))) bytes. Nothing was removed; say `--yes` to remove them for good.")
  }
}
