import CSQLite

/// Which tables a statement reads and writes, as SQLite says when it prepares it: its authorizer is asked about
/// each. So nobody has to remember to say it, and what a trigger or a cascade writes is in it too.
final class TableUse {
  private(set) var reads: Set<String> = []
  private(set) var writes: Set<String> = []

  /// Asks from now on, for as long as the connection lives; its owner keeps this value for that long.
  func attach(to handle: OpaquePointer) -> Int32 {
    sqlite3_set_authorizer(
      handle,
      { context, action, table, _, _, _ in
        guard let context, let table else { return SQLITE_OK }
        Unmanaged<TableUse>.fromOpaque(context).takeUnretainedValue().note(action, table)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Forgets the statement before.
  func clear() {
    reads = []
    writes = []
  }

  private func note(_ action: Int32, _ table: UnsafePointer<CChar>) {
    switch action {
    case SQLITE_READ: reads.insert(String(cString: table))
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: writes.insert(String(cString: table))
    default: break
    }
  }
}
