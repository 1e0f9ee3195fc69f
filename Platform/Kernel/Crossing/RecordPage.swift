import FerryStore

/// Places the legacy rows of one entity and account, page by page: maps them, settles duplicates, writes.
/// Used by one thread, inside the page's transaction.
package protocol CrossingPage: AnyObject {
  /// Maps a row and settles where it goes; it is written by `flush`.
  func place(
    _ row: LegacyRow, as kind: RowKind, of account: AccountStore,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Placement
  /// Takes note of a row that an earlier, interrupted run has placed.
  func replay(_ row: LegacyRow, as kind: RowKind, of account: AccountID)
  /// Writes what was placed since the last call.
  func flush(to account: AccountStore, in transaction: borrowing Transaction<DeviceScope>) throws
  /// The text of the key that the row's record would have.
  func keyText(of row: LegacyRow, account: AccountID) throws -> String
  /// What had to be bent since the last call.
  func takeNotes() -> RowNotes
  /// What the table has under the key that the row's record would have.
  func standing(of row: LegacyRow, account: AccountStore, in transaction: borrowing Transaction<DeviceScope>)
    throws -> Standing
}

/// What a table has under the key of a row that is to be written.
package enum Standing: Sendable {
  case free
  /// The same record.
  case same(key: String)
  case taken(key: String)
}

/// What a row is carried over as.
package enum RowKind: Sendable {
  /// A record.
  case record
  /// A record that the server never had, so that it must be pushed.
  case unsent
  /// A deletion that the server hasn't heard of, so that it must be pushed.
  case deletion
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
  /// It has the key of an earlier row and is kept in its place, which was itself of this kind.
  case won(over: Int64, RowKind)
}

final class RecordPage<R: Record>: CrossingPage {
  private let crossing: RecordCrossing<R>
  private var pending: [R?] = []
  private var pendingAt: [R.Key: Int] = [:]
  private var unsent: [R.Key] = []
  /// Deletions, whose rows have no record, and keys whose earlier deletion was overtaken by a record.
  private var deleted: [R] = []
  private var revived: [R.Key] = []
  private var seen: [R.Key: Seen] = [:]
  private var notes = RowNotes()

  private struct Seen {
    let position: Int64
    let latest: Timestamp?
    let kind: RowKind
  }

  init(_ crossing: RecordCrossing<R>) { self.crossing = crossing }

  func place(
    _ row: LegacyRow, as kind: RowKind, of account: AccountStore,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Placement {
    let record: R
    do {
      record = try self.record(row, account.id, &notes)
    } catch let refusal as RowRefusal {
      return .refused(refusal.reason)
    }
    if let device = crossing.device, let standing = try device.standing(record, transaction) {
      return try place(record, standing, kind, device, in: transaction)
    }
    let key = R.table.key(of: record)
    let latest = crossing.latest?(record)
    guard let earlier = seen[key] else {
      put(record, key, row.position, latest, kind)
      return .written
    }
    if try isSame(record, kind, as: earlier, key, account, transaction) {
      // The higher of equal rows stands for them, as `replay` has it, which can't see that they are equal.
      seen[key] = Seen(position: row.position, latest: later(latest, earlier.latest), kind: kind)
      return .merged
    }
    guard isLater(latest, than: earlier.latest) else { return .lost(to: earlier.position) }
    if earlier.kind == .deletion { revive(key) }
    put(record, key, row.position, latest, kind)
    return .won(over: earlier.position, earlier.kind)
  }

  /// A record of the device's. It is looked for in the table, which knows what other files had.
  private func place(
    _ record: R, _ standing: Standing, _ kind: RowKind, _ device: DeviceCrossing<R>,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Placement {
    // No server knows of it, so there is nobody to tell.
    if kind == .deletion { return .written }
    switch standing {
    case .free:
      try device.write(record, transaction)
      return .written
    case .same: return .merged
    case .taken(let key): return .refused("the device has another \"\(key)\", which came first and is kept")
    }
  }

  func replay(_ row: LegacyRow, as kind: RowKind, of account: AccountID) {
    var forgotten = RowNotes()
    guard let record = try? self.record(row, account, &forgotten) else {
      return  // why: a row that was refused then is refused now, and counted already
    }
    let key = R.table.key(of: record)
    let latest = crossing.latest?(record)
    let earlier = seen[key]
    if let earlier, kind == .deletion, earlier.kind == .deletion {
      seen[key] = Seen(position: row.position, latest: later(latest, earlier.latest), kind: kind)
      return
    }
    if let earlier, !isLater(latest, than: earlier.latest) { return }
    seen[key] = Seen(position: row.position, latest: latest, kind: kind)
  }

  func flush(to account: AccountStore, in transaction: borrowing Transaction<DeviceScope>) throws {
    for key in revived { try crossing.revive(key, account, transaction) }
    _ = try crossing.write(pending.compactMap(\.self), account, transaction)
    for key in unsent { try crossing.enqueue(key, account, transaction) }
    for record in deleted { try crossing.delete(record, account, transaction) }
    pending.removeAll(keepingCapacity: true)
    pendingAt.removeAll(keepingCapacity: true)
    unsent.removeAll(keepingCapacity: true)
    deleted.removeAll(keepingCapacity: true)
    revived.removeAll(keepingCapacity: true)
  }

  func keyText(of row: LegacyRow, account: AccountID) throws -> String {
    R.table.keyText(of: try record(row, account, &notes))
  }

  func standing(of row: LegacyRow, account: AccountStore, in transaction: borrowing Transaction<DeviceScope>)
    throws -> Standing
  {
    var forgotten = RowNotes()
    let record = try record(row, account.id, &forgotten)
    if let standing = try crossing.device?.standing(record, transaction) { return standing }
    let key = R.table.key(of: record)
    guard let found = try crossing.find(key, account, transaction) else { return .free }
    let text = R.table.keyText(of: record)
    return R.table.areEqual(found, record) ? .same(key: text) : .taken(key: text)
  }

  func takeNotes() -> RowNotes {
    defer { notes = RowNotes() }
    return notes
  }

  private func record(_ row: LegacyRow, _ account: AccountID, _ notes: inout RowNotes) throws -> R {
    if let refusal = row.refusal { throw RowRefusal(refusal) }
    return try crossing.map(account, row.values, &notes)
  }

  /// Two deletions of one key are the same whatever their rows hold, since nothing but the key is carried.
  private func isSame(
    _ record: R, _ kind: RowKind, as earlier: Seen, _ key: R.Key, _ account: AccountStore,
    _ transaction: borrowing Transaction<DeviceScope>
  ) throws -> Bool {
    guard (kind == .deletion) == (earlier.kind == .deletion) else { return false }
    if kind == .deletion { return true }
    let other = try pendingAt[key].map { pending[$0] } ?? crossing.find(key, account, transaction)
    return other.map { R.table.areEqual($0, record) } ?? false
  }

  private func put(_ record: R, _ key: R.Key, _ position: Int64, _ latest: Timestamp?, _ kind: RowKind) {
    seen[key] = Seen(position: position, latest: latest, kind: kind)
    let index = pendingAt[key]
    guard kind != .deletion else {
      if let index { pending[index] = nil }
      pendingAt[key] = nil
      unsent.removeAll { $0 == key }
      deleted.append(record)
      return
    }
    if let index {
      pending[index] = record
    } else {
      pendingAt[key] = pending.count
      pending.append(record)
    }
    if kind == .unsent { unsent.append(key) }
  }

  private func revive(_ key: R.Key) {
    deleted.removeAll { R.table.key(of: $0) == key }
    revived.append(key)
  }

  private func later(_ latest: Timestamp?, _ earlier: Timestamp?) -> Timestamp? {
    isLater(latest, than: earlier) ? latest : earlier
  }

  /// The stated rule for two different rows with one key: the later by the entity's own time, else the
  /// higher row.
  private func isLater(_ latest: Timestamp?, than earlier: Timestamp?) -> Bool {
    guard let latest, let earlier else { return true }
    return latest >= earlier
  }
}
