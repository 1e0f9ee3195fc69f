import FerryStore

/// Places the legacy rows of one entity and account, page by page: maps them, settles duplicates, writes.
/// Used by one thread, inside the page's transaction.
package protocol CrossingPage: AnyObject {
  /// Maps a row and settles where it goes; it is written by `flush`.
  ///
  /// - Parameter isUnsent: whether the server never had it, so that it must be pushed.
  func place(
    _ row: LegacyRow, of account: AccountStore, isUnsent: Bool,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Placement
  /// Takes note of a row that an earlier, interrupted run has placed.
  func replay(_ row: LegacyRow, of account: AccountID)
  /// Writes what was placed since the last call.
  func flush(to account: AccountStore, in transaction: borrowing Transaction<DeviceScope>) throws
  /// The text of the key that the row's record would have.
  func keyText(of row: LegacyRow, account: AccountID) throws -> String
  /// What had to be bent since the last call.
  func takeNotes() -> RowNotes
}

/// What became of a row.
package enum Placement {
  case written
  /// Another row has its key and the same content.
  case merged
  /// It can't become a record.
  case refused(String)
  /// Another row has its key and is kept.
  case lost(to: Int64)
  /// It has the key of an earlier row and is kept in its place.
  case won(over: Int64)
}

final class RecordPage<R: Record>: CrossingPage {
  private let crossing: RecordCrossing<R>
  private var pending: [R] = []
  private var pendingAt: [R.Key: Int] = [:]
  private var unsent: [R.Key] = []
  private var seen: [R.Key: Seen] = [:]
  private var notes = RowNotes()

  private struct Seen {
    let position: Int64
    let latest: Timestamp?
  }

  init(_ crossing: RecordCrossing<R>) { self.crossing = crossing }

  func place(
    _ row: LegacyRow, of account: AccountStore, isUnsent: Bool,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Placement {
    let record: R
    do {
      record = try crossing.map(account.id, row.values, &notes)
    } catch let refusal as RowRefusal {
      return .refused(refusal.reason)
    }
    let key = R.table.key(of: record)
    let latest = crossing.latest?(record)
    guard let earlier = seen[key] else {
      put(record, key, row.position, latest, isUnsent)
      return .written
    }
    let other = try pendingAt[key].map { pending[$0] } ?? crossing.find(key, account, transaction)
    if let other, R.table.areEqual(other, record) {
      // The higher of equal rows stands for them, as `replay` has it, which can't see that they are equal.
      seen[key] = Seen(position: row.position, latest: latest)
      return .merged
    }
    guard isLater(latest, than: earlier.latest) else { return .lost(to: earlier.position) }
    put(record, key, row.position, latest, isUnsent)
    return .won(over: earlier.position)
  }

  func replay(_ row: LegacyRow, of account: AccountID) {
    var forgotten = RowNotes()
    guard let record = try? crossing.map(account, row.values, &forgotten) else {
      return  // why: a row that was refused then is refused now, and counted already
    }
    let key = R.table.key(of: record)
    let latest = crossing.latest?(record)
    if let earlier = seen[key], !isLater(latest, than: earlier.latest) { return }
    seen[key] = Seen(position: row.position, latest: latest)
  }

  func flush(to account: AccountStore, in transaction: borrowing Transaction<DeviceScope>) throws {
    _ = try crossing.write(pending, account, transaction)
    for key in unsent { try crossing.enqueue(key, account, transaction) }
    pending.removeAll(keepingCapacity: true)
    pendingAt.removeAll(keepingCapacity: true)
    unsent.removeAll(keepingCapacity: true)
  }

  func keyText(of row: LegacyRow, account: AccountID) throws -> String {
    R.table.keyText(of: try crossing.map(account, row.values, &notes))
  }

  func takeNotes() -> RowNotes {
    defer { notes = RowNotes() }
    return notes
  }

  private func put(_ record: R, _ key: R.Key, _ position: Int64, _ latest: Timestamp?, _ isUnsent: Bool) {
    seen[key] = Seen(position: position, latest: latest)
    if let index = pendingAt[key] {
      pending[index] = record
    } else {
      pendingAt[key] = pending.count
      pending.append(record)
    }
    if isUnsent { unsent.append(key) }
  }

  /// The stated rule for two different rows with one key: the later by the entity's own time, else the
  /// higher row.
  private func isLater(_ latest: Timestamp?, than earlier: Timestamp?) -> Bool {
    guard let latest, let earlier else { return true }
    return latest >= earlier
  }
}
