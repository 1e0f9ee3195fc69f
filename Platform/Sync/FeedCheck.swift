import FerryKernel
import FerryStore

/// Looks after a pull whether both sides hold the same number of records, and where they don't, which ones are missing
/// on which side.
///
/// A server can hide a change from a pull for ever, lose what it has acknowledged, or forget that it deleted something.
/// What is missing here is fetched. What is missing there without a tombstone is sent again and never deleted
/// here: that nothing is there says nothing of why.
///
/// Equal numbers don't tell that a record went back to what it was, as where a backup was restored and somebody wrote to
/// it since. So once a day each record's revision is compared, too.
struct FeedCheck: Sendable {
  let pull: FeedPull
  private var link: FeedLink { pull.link }

  /// How many seconds a comparison of all revisions holds.
  static let period: Int64 = 86_400

  init(_ pull: FeedPull) { self.pull = pull }

  /// - Returns: what it did here, and how many records wait to be sent again.
  func run() async throws -> SyncCounts {
    guard try await isDue() else { return try await compare(isDue: false) }
    let counts = try await compare(isDue: true)
    try await link.writeRows { [link] transaction in
      guard var state = try transaction.find(FeedState.self, link.feed.name) else { return }
      state.comparedAt = link.now()
      try transaction.upsert(state)
    }
    return counts
  }

  /// Whether the last comparison is old, or was made by a clock that was wrong.
  private func isDue() async throws -> Bool {
    guard let state = try await link.account.read({ [link] in try $0.find(FeedState.self, link.feed.name) })
    else { return false }
    guard let last = state.comparedAt else { return true }
    return !(0..<FeedCheck.period).contains(link.now().seconds - last.seconds)
  }

  private func compare(isDue: Bool) async throws -> SyncCounts {
    var counts = SyncCounts()
    if !isDue {
      if try await isEven() { return counts }
      // Others write all the time: once more before anything is made of it.
      counts.pull += try await pull.run()
      if try await isEven() { return counts }
    }
    let listed = try await RemoteIDs(of: link)
    // What was deleted while the list was read isn't lost.
    counts.pull += try await pull.run()
    if listed.isFarOff {
      try await link.writeRows { [link] in try link.feed.forgetCursors(in: $0) }
      counts.pull += try await pull.run()
    } else {
      for id in listed.differing { counts += try await fetch(id) }
    }
    counts.push.lost += try await sendAgain(allBut: listed.ids)
    return counts
  }

  private func isEven() async throws -> Bool {
    let there = try await link.remote.count(in: link.feed.name, of: link.account.id)
    return try await link.account.read { [link] in try $0.remoteSize(of: link.feed.table).count } == there
  }

  /// Takes a record that the pull didn't bring. One that is older than what the server acknowledged was undone: what
  /// is here is sent again.
  private func fetch(_ id: String) async throws -> SyncCounts {
    guard let record = try await link.remote.record(id, in: link.feed.name, of: link.account.id) else {
      return SyncCounts()
    }
    return try await link.write { [link] transaction in
      let known = try transaction.in(link.account) { try $0.remoteState(of: link.feed.table, id) }
      if let known, known.revision == record.revision { return SyncCounts() }
      let isUndone = known.map { $0.json != nil && $0.revision > record.revision } ?? false
      var counts = SyncCounts()
      counts.pull = try link.apply(
        [record], side: isUndone ? .device : .rules, isCurrent: true, in: transaction)
      if isUndone { counts.push.lost = 1 }
      return counts
    }
  }

  /// Puts into the outbox what the server held and doesn't hold any more, though nobody deleted it.
  private func sendAgain(allBut there: RemoteIDs.Hashes) async throws -> Int {
    var (lost, last) = (0, String?.none)
    while true {
      let after = last
      let keys = try await link.account.read { [link] in
        try $0.remoteKeys(of: link.feed.table, after: after, limit: 1000)
      }
      guard let end = keys.last?.key else { return lost }
      last = end
      let missing = keys.map(\.key).filter { !there.contains($0) }
      if missing.isEmpty { continue }
      lost += try await link.writeRows { [link] transaction in
        try missing.count { try link.feed.sendAnew($0, in: transaction) }
      }
    }
  }
}

extension Feed {
  /// Makes a row one that the server is to get, although it had it once. Nothing is left of one that was deleted here.
  ///
  /// - Returns: whether there is something to send.
  func sendAnew(_ key: String, in transaction: borrowing Transaction<AccountScope>) throws -> Bool {
    let entry = try transaction.outboxEntry(of: table, key)
    guard try entry?.operation != .delete && hasRow(key, transaction) else {
      try transaction.dequeue(of: table, key)
      try transaction.forgetRemoteState(of: table, key)
      return false
    }
    // What the feed doesn't know of the record is kept for when it is sent. A server believes whatever a new record
    // says of a file; whether it has the one that the record named nobody knows, so it is to be sent anew.
    if let state = try transaction.remoteState(of: table, key) {
      var content = try state.json.flatMap { try JSONValue.parse(text: $0).objectValue }
      if let file = content?[RemoteBlob.member] {
        content?[RemoteBlob.member] = nil
        if !file.isNull { content?[RemoteBlob.formerMember] = file }
      }
      let json = try content.map { try JSONValue.object($0).text(order: .sorted) }
      try transaction.setRemoteState(RemoteState(revision: 0, json: json), of: table, key)
    }
    try transaction.setPending(.put, base: .absent, of: table, key)
    return true
  }
}
