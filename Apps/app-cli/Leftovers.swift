import FerryKernel
import FerryStore
import FerrySync

/// What lies aside in a store and waits for somebody to look at it.
struct Leftovers {
  let quarantined: Int
  let conflicts: Int

  init(in store: Store) throws {
    let (quarantined, accounts) = try store.device.blockingRead { snapshot in
      (try snapshot.count(QuarantinedRow.all), try snapshot.accounts())
    }
    var conflicts = 0
    for account in accounts {
      conflicts += try store.account(account.id).blockingRead { try $0.count(SyncConflict.all) }
    }
    (self.quarantined, self.conflicts) = (quarantined, conflicts)
  }

  /// A line for each kind that there is.
  var lines: [String] {
    var lines: [String] = []
    if quarantined > 0 {
      lines.append("Rows in quarantine: \(quarantined). `app-cli quarantine list` shows them.")
    }
    if conflicts > 0 {
      lines.append("Records in conflict with the server: \(conflicts). `app-cli conflict list` shows them.")
    }
    return lines
  }
}
