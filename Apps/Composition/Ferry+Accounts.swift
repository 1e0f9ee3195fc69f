import AttachmentDomain
import FerryKernel
import FerryStore
import FerrySync

/// What becomes of accounts. Whoever changes them holds the lock (see `Ferry.lock()`).
extension Ferry {
  /// Where the files of an account's attachments are kept.
  public func blobFolder(of account: AccountID) -> String {
    AttachmentDAO.folder(of: account, in: storeFolder)
  }

  /// Adds an account, or signs it in again.
  ///
  /// - Returns: whether the store didn't have it.
  @discardableResult
  public func signIn(_ account: AccountID, in store: Store) throws -> Bool {
    let isNew = try !store.device.blockingRead { try $0.accounts() }.contains { $0.id == account }
    try store.addAccount(account)
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { try $0.signIn(account) }
    return isNew
  }

  /// Signs an account out, and forgets what was kept of its secret. Its rows stay.
  public func signOut(_ account: AccountID, in store: Store) throws {
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { try $0.signOut(account) }
    try credentials.kept.forget(account)
  }

  /// Removes an account with all that is kept of it: its rows, what lies beside them, the files of its attachments and
  /// its secret. From the first write on it is gone for everybody; killed after that, `endRemovals(in:)` goes on.
  ///
  /// What stays: its legacy file and the crossing's backups, which `migrate cleanup` removes; its name in the journal of
  /// the crossing, by which it is known not to cross again; and lines of the log's spill.
  ///
  /// It can be done while a crossing waits or has failed: the step that is under way starts anew without the account.
  ///
  /// - Parameter discarding: how much of what no server has whoever asks knows of and gives up.
  /// - Throws: `AccountError.unsent` where it isn't exactly that much; `.notCrossed` while a crossing isn't over of which
  ///   no finished step covers the account, so that nothing would say that it was removed. Nothing was changed then.
  public func remove(_ account: AccountStore, in store: Store, discarding: Int) throws {
    let journal = try store.device.blockingRead { try $0.fetch(JournalEntry.all) }
    let isCovered = journal.filter { $0.phase == .done }.flatMap(\.accounts).contains { name in
      name.utf8.elementsEqual(account.id.description.utf8)
    }
    guard isCovered || plan.runnable(journal).isEmpty else { throw AccountError.notCrossed(account.id) }
    // No edit adds to them.
    let uncompared = try uncomparedRows(of: account)
    // Through a gate that is shut: this process has the lock, so nobody crosses.
    try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) { transaction in
      // Counted in the transaction that makes the account unknown to whoever could add to it.
      let unsent = try Unsent(of: account, uncompared, plan, store, in: transaction)
      guard unsent.total == discarding else { throw AccountError.unsent(unsent, discarding: discarding) }
      try transaction.beginRemoval(of: account.id)
    }
    try endRemovals(in: store)
  }

  /// How many changes of an account no server has: what waits in the outbox, and what crossed and was never compared.
  public func unsentChanges(of account: AccountStore) throws -> Int {
    try uncomparedRows(of: account) + account.blockingRead { try $0.outboxCount() }
  }

  private func uncomparedRows(of account: AccountStore) throws -> Int {
    let feeds = plan.enabled.flatMap(\.domain.feeds).filter { account.store.has($0.table) }
    return try account.blockingRead { snapshot in
      var count = 0
      for feed in feeds { count += try feed.uncomparedRows(snapshot) }
      return count
    }
  }

  /// Goes on with every removal that was begun. Nothing is done where none was.
  public func endRemovals(in store: Store) throws {
    for account in try store.device.blockingRead({ try $0.accountsBeingRemoved() }) {
      // The secret first: of all that is kept it does the most harm.
      try credentials.kept.forget(account)
      try FileOperations().removeTree(blobFolder(of: account))
      // What a server asked for, it asked of whoever is left on it.
      let others = try store.device.blockingRead { try $0.accounts() }.map(\.id.server)
      if !others.contains(where: { $0.utf8.elementsEqual(account.server.utf8) }) {
        try ServerNotice.forget(account.server, in: store)
      }
      // Last, since it is what says that there is something to remove.
      try store.device.blockingWrite(origin: .crossing, durability: .powerLoss) {
        try $0.removeRows(of: account)
      }
    }
  }
}

/// What of an account no server has: it would be lost with it.
public struct Unsent: Sendable, Equatable {
  public let account: AccountID
  /// Local changes that wait in the outbox, deletions among them, and rows that crossed and were never compared with
  /// what a server holds.
  public let changes: Int
  /// Unfinished work that never travels, by table; none that is empty.
  public let unfinished: [Unfinished]
  /// Legacy rows that couldn't cross.
  public let quarantined: Int

  public struct Unfinished: Sendable, Equatable {
    public let table: String
    public let count: Int
  }

  public var total: Int { changes + quarantined + unfinished.map(\.count).reduce(0, +) }

  /// Counts it.
  init(
    of account: AccountStore, _ uncompared: Int, _ plan: Plan, _ store: Store,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws {
    self.account = account.id
    (changes, unfinished) = try transaction.in(account) { transaction in
      let tables = plan.enabled.flatMap(\.domain.unfinished).filter(store.has)
      let counts = try tables.map { Unfinished(table: $0.name, count: try transaction.count(of: $0)) }
      var unfinished = counts.filter { $0.count > 0 }
      if store.has(AttachmentFile.table.declaration) {
        let files = try AttachmentDAO.unsentFiles(transaction).count
        if files > 0 { unfinished.append(Unfinished(table: "attachments' files", count: files)) }
      }
      return (uncompared + (try transaction.outboxCount()), unfinished)
    }
    let name = account.id.description
    quarantined = try transaction.fetch(QuarantinedRow.where { $0.account == name }).count(
      where: \.isLegacyRow)
  }

  /// `11 changes, 8 rows of draft and 1 row in quarantine`
  public var words: String {
    func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
    var parts = changes > 0 ? [changes == 1 ? "1 change" : "\(changes) changes"] : []
    parts += unfinished.map { "\(rows($0.count)) of \($0.table)" }
    if quarantined > 0 { parts.append("\(rows(quarantined)) in quarantine") }
    return parts.count < 2
      ? parts.joined() : parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
  }
}

/// What becomes of an account only if somebody says so.
public enum AccountError: FerryError, Equatable {
  /// Something of it would be lost that no server has.
  case unsent(Unsent, discarding: Int)
  /// A crossing isn't over, and no domain of it is for this account.
  case notCrossed(AccountID)

  public var code: String {
    switch self {
    case .unsent: "account.unsent"
    case .notCrossed: "account.notCrossed"
    }
  }

  public var sentence: String {
    switch self {
    case .unsent(let unsent, _) where unsent.total == 0: "Of \(unsent.account) there is nothing to give up."
    case .notCrossed(let account): "A crossing isn't over, and no domain of \(account) has crossed yet."
    case .unsent(let unsent, _): "No server has \(unsent.words) of \(unsent.account)."
    }
  }

  public var remedy: String {
    switch self {
    case .unsent(let unsent, _) where unsent.total == 0: "Say nothing of giving it up."
    case .notCrossed: "Take it out of ferry.yaml, or finish the crossing first."
    case .unsent(let unsent, _):
      "Sync first; or give up all of it with --discard \(unsent.total)."
    }
  }
}
