import FerryStore

extension RecordForm {
  /// What is known of a row when a server's record comes.
  struct Standing {
    let key: Identifier<Kind>
    let remote: RemoteRecord
    let row: R?
    let known: RemoteState?
    let entry: OutboxEntry?
    /// Whether the server's record is what this device sent itself.
    let isOwn: Bool
    /// What the server's record makes of the sidecar.
    let state: RemoteState

    /// Nothing waits to be pushed any more.
    var end: Move.Outbox { entry == nil ? .none : .dequeue }

    /// What both sides last agreed on; nil where that isn't known.
    var base: JSONObject? {
      get throws {
        // What the server said isn't what this row started from, unless it is another server's by now.
        if entry?.base == .unknown, let known, known.revision > 0 { return nil }
        return try known?.json.map { try JSONValue.parse(text: $0).objectValue ?? [:] }
      }
    }
  }

  /// What a server's record leads to. Nothing is written.
  func judge<Source: Reading & ~Copyable>(
    _ remote: RemoteRecord, _ context: ApplyContext, in reading: borrowing Source
  ) throws -> Move where Source.Scope == AccountScope {
    let table = R.table.declaration
    let known = try reading.remoteState(of: table, remote.id)
    guard let key = Identifier<Kind>(remote.id) else {
      return try refused("the id \"\(remote.id)\" is a placeholder", remote, known, hasRow: false)
    }
    let entry = try reading.outboxEntry(of: table, remote.id)
    let row = try reading.find(R.self, key)
    if let known, !context.isCurrent, known.revision >= remote.revision, entry?.base != .unknown {
      // Seen already: one that isn't here was refused then, and may be readable now.
      let isMissing = row == nil && entry == nil && remote.content != nil && known.revision == remote.revision
      if !isMissing { return Move() }
    }
    let standing = Standing(
      key: key, remote: remote, row: row, known: known, entry: entry,
      isOwn: context.sent.isEmpty ? false : try context.sent.contains(remote), state: try state(of: remote))
    var move = try move(standing, context.side)
    move.pendingBefore = entry?.operation
    if entry == nil, known == nil, let row, R.table.travels(row) { move.pendingBefore = .put }
    return move
  }

  private func move(_ standing: Standing, _ side: ApplyContext.Side) throws -> Move {
    let (remote, known, row) = (standing.remote, standing.known, standing.row)
    guard let content = remote.content else { return try tombstone(standing, side) }
    let record: R
    // One that never travels has the key by chance, and is never counted as the server's.
    let hasRow = row.map { R.table.travels($0) } ?? false
    do {
      record = try read(content, standing.key)
    } catch let refusal as RowRefusal {
      return try refused(refusal.reason, remote, known, hasRow: hasRow)
    } catch let fault as JSONFault {
      return try refused(fault.sentence, remote, known, hasRow: hasRow)
    }
    guard let row else { return try unrowed(standing, record, side) }
    return try live(standing, row, record, side)
  }

  /// That the server has it is written down, for both to be counted; what was known of a row stays known of it.
  private func refused(_ reason: String, _ remote: RemoteRecord, _ known: RemoteState?, hasRow: Bool) throws
    -> Move
  {
    var move = Move(applied: .refused(reason))
    if known?.json == nil, !hasRow { move.state = try state(of: remote) }
    // Said of another server: that this one has it too is all that is new.
    if let known, known.revision == 0 {
      move.state = RemoteState(revision: remote.revision, json: known.json)
    }
    return move
  }

  private func state(of remote: RemoteRecord) throws -> RemoteState {
    RemoteState(
      revision: remote.revision,
      json: try remote.content.map { try JSONValue.object($0).text(order: .sorted) })
  }

  /// The server deleted the record.
  private func tombstone(_ standing: Standing, _ side: ApplyContext.Side) throws -> Move {
    let state = standing.state
    guard let row = standing.row else {
      return Move(state: state, outbox: standing.end)
    }
    // One that never travels has the key by chance.
    guard R.table.travels(row) else { return Move(state: state) }
    let isClean = standing.entry == nil && standing.known?.json != nil
    if side == .later, !isClean { return later(standing, row) }
    if side == .device || standing.isOwn { return Move(state: state, outbox: .pending(.put, .absent)) }
    // Base unknown: the row came over from the legacy file and was never compared with the server's.
    if isClean { return Move(applied: .deleted, state: state, row: .delete) }
    switch rules.deletion {
    case .editWins:
      return Move(
        applied: .conflict(Settlement(.kept, local: encode(row))), state: state,
        outbox: .pending(.put, .absent))
    case .deletionWins:
      return Move(
        applied: .conflict(Settlement(.deleted, local: encode(row))), state: state, row: .delete,
        outbox: .dequeue)
    }
  }

  /// The server has the record, and there is no row.
  private func unrowed(_ standing: Standing, _ record: R, _ side: ApplyContext.Side) throws -> Move {
    let (state, revision) = (standing.state, standing.remote.revision)
    guard standing.entry?.operation == .delete else {
      // Sent, and made undone before the answer came.
      if standing.isOwn { return Move(state: state, outbox: .pending(.delete, .revision(revision))) }
      return Move(applied: .written, state: state, row: .write(record), outbox: standing.end)
    }
    if side == .later { return Move(state: state) }
    let isChanged: Bool
    if let base = try standing.base {
      isChanged = form(of: base, standing.key).map { $0 != encode(record) } ?? true
    } else {
      // Nobody knows what was deleted, as where the legacy app did it: no change is known either.
      isChanged = standing.entry?.base != .unknown
    }
    if side == .device || standing.isOwn || !isChanged {
      return Move(state: state, outbox: .pending(.delete, .revision(revision)))
    }
    switch rules.deletion {
    case .editWins:
      return Move(
        applied: .conflict(Settlement(.kept, local: nil)), state: state, row: .write(record), outbox: .dequeue
      )
    case .deletionWins:
      return Move(
        applied: .conflict(Settlement(.deleted, local: nil)), state: state,
        outbox: .pending(.delete, .revision(revision)))
    }
  }

  /// Both have it.
  private func live(_ standing: Standing, _ row: R, _ record: R, _ side: ApplyContext.Side) throws -> Move {
    let (state, revision) = (standing.state, standing.remote.revision)
    // One that stays here has the key by chance; the server's is left where it is.
    guard R.table.travels(row) else { return Move(state: state) }
    if R.table.areEqual(row, record) { return Move(state: state, outbox: standing.end) }
    let isClean = standing.entry == nil && standing.known?.json != nil
    if side == .later, !isClean { return later(standing, row) }
    if side == .device {
      return Move(
        applied: .conflict(Settlement(.local, local: encode(row))), state: state,
        outbox: .pending(.put, .revision(revision)))
    }
    if isClean { return Move(applied: .written, state: state, row: .write(record)) }
    if standing.isOwn { return Move(state: state, outbox: .pending(.put, .revision(revision))) }
    return try merge(standing, row, record)
  }

  /// What the server said is written down, and that the row is still to be compared with it.
  private func later(_ standing: Standing, _ row: R) -> Move {
    Move(
      applied: .conflict(Settlement(.open, local: encode(row))), state: standing.state,
      outbox: .pending(.put, .unknown))
  }

  private func merge(_ standing: Standing, _ row: R, _ record: R) throws -> Move {
    let (local, theirs) = (encode(row), encode(record))
    // A tombstone is no base: the row was made anew here, as the record was there.
    let base = try standing.base.flatMap { form(of: $0, standing.key) }
    let merge = FieldMerge(base: base, local: local, server: theirs, rules: rules)
    var move = Move(state: standing.state)
    if merge.merged == theirs {
      (move.row, move.outbox) = (.write(record), standing.end)
    } else {
      // Each field is one that the feed has read before, so together they can be read, too.
      let whole = overlaid(merge.merged, on: standing.remote.content ?? [:], standing.key)
      move.row = .write(try read(whole, standing.key))
      move.outbox = .pending(.put, .revision(standing.remote.revision))
    }
    if merge.keepsCopy { move.copy = try copy(of: local, standing) }
    move.applied = merge.merged == local ? .unchanged : .written
    if !merge.clashes.isEmpty {
      let decision: Settlement.Decision =
        merge.keepsCopy
        ? .copy : merge.merged == theirs ? .server : merge.merged == local ? .local : .fields
      move.applied = .conflict(Settlement(decision, local: local, fields: merge.clashes))
    }
    return move
  }

  /// This device's record under another key, which is the same whenever the same conflict is settled again.
  private func copy(of local: JSONObject, _ standing: Standing) throws -> R? {
    let text = try JSONValue.object(local).text(order: .sorted)
    let hash = StableHash.of(feed, standing.key.rawValue, String(standing.remote.revision), text)
    guard let key = Identifier<Kind>(hash) else { return nil }
    return try read(local, key)
  }
}
