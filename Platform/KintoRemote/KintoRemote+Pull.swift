import FerryKernel
import FerryStore
import FerrySync

extension KintoRemote {
  /// Kinto cuts every page at this many records.
  private static let largestPage = 10_000
  /// How far ahead of the server's clock a revision may be and still be believed, in milliseconds. Kinto refuses
  /// to be asked for what is newer than a day ahead, so a cursor must never get there.
  private static let farthestAhead: Int64 = 12 * 3600 * 1000

  public func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int)
    async throws -> RemotePage
  {
    let known = try known(position, feed)
    let since =
      if case .resuming = position { max(0, known.revision - server.overlap.milliseconds) } else {
        known.revision
      }
    let limit = max(1, min(limit, KintoRemote.largestPage))
    // Oldest first: a page and its cursor then hold whatever happens between two pages. Tombstones come only with
    // `_since`, also at the beginning.
    let path = "\(records(feed, account))?_since=\(since)&_sort=last_modified&_limit=\(limit)"
    var condition: [(name: String, value: String)] = []
    if case .resuming = position, known.isSettled {
      condition = [("If-None-Match", "\"\(known.goal)\"")]
    }
    let answer = try await ask(.get, path, condition, of: account)
    switch answer.status {
    case 304 where !condition.isEmpty:
      return RemotePage(records: [], cursor: position.cursor ?? "", hasMore: false, revision: known.goal)
    case 200: break
    // So it answers to be asked for what is more than a day ahead of its clock, which was wrong when it said so.
    case 400 where since > 0 && answer.errorNumber == 107:
      return try await changes(in: feed, of: account, from: .beginning, limit: limit)
    default: throw try failure(answer, feed, account)
    }
    return try page(answer, feed, since, known)
  }

  private func known(_ position: PullPosition, _ feed: String) throws -> KintoCursor {
    guard let text = position.cursor else { return KintoCursor(revision: 0, goal: 0) }
    guard let cursor = KintoCursor(text) else {
      throw RemoteError.badAnswer(where: "The cursor \(text) of \(feed)", why: "it is no place in a feed")
    }
    return cursor
  }

  private func page(_ answer: KintoAnswer, _ feed: String, _ since: Int64, _ known: KintoCursor)
    throws
    -> RemotePage
  {
    // The next page is asked for by ourselves: the address in this header is made by whoever is in between.
    let hasMore = answer.head["Next-Page"] != nil
    let records = try self.records(in: answer, feed)
    guard !hasMore || !records.isEmpty else {
      throw RemoteError.badAnswer(where: "A page of \(feed)", why: "it is empty and says that there is more")
    }
    let head = answer.revision
    if known.goal > 0, let head {
      if head < known.goal { throw RemoteError.wentBack(feed: feed, from: known.goal, to: head) }
      // The list's revision is read before its rows, so there may be newer rows, never fewer.
      if head > known.goal, !hasMore, !records.contains(where: { $0.revision > known.goal }) {
        throw RemoteError.flushed(feed: feed, from: known.goal, to: head)
      }
    }
    let ceiling = answer.date.map { $0 * 1000 + KintoRemote.farthestAhead } ?? .max
    let last = records.last { $0.revision <= ceiling }?.revision
    var next = KintoCursor(revision: last ?? 0, goal: max(known.goal, last ?? 0))
    guard !hasMore || next.revision > since else {
      throw RemoteError.badAnswer(
        where: "A page of \(feed)", why: "it is full of records that claim to be from the future")
    }
    if !hasMore {
      // All of the feed was seen. An empty one has a revision too, which tells it from one that is made anew.
      next.goal = max(next.goal, head ?? 0)
      next.revision = next.goal <= ceiling ? next.goal : max(next.revision, known.revision)
      next.isSettled = answer.date.map { $0 * 1000 - 2 * server.overlap.milliseconds >= next.goal } ?? false
    }
    return RemotePage(records: records, cursor: next.text, hasMore: hasMore, revision: head)
  }

  private func records(in answer: KintoAnswer, _ feed: String) throws -> [RemoteRecord] {
    let place = "A page of \(feed)"
    let value = try answer.reading(place) { () throws(JSONFault) in try JSONValue.parse(answer.body) }
    guard let items = value["data"]?.arrayValue else {
      throw RemoteError.badAnswer(where: place, why: "it has no list `data`")
    }
    var records: [RemoteRecord] = []
    records.reserveCapacity(items.count)
    for item in items {
      let record = try answer.reading("A record of \(feed)") { () throws(JSONFault) in
        try KintoRemote.record(item, in: feed)
      }
      guard records.last?.revision ?? 0 <= record.revision else {
        throw RemoteError.badAnswer(where: place, why: "its records don't come in order")
      }
      records.append(record)
    }
    return records
  }

  /// A record as the server writes it, without what is the server's own.
  static func record(_ value: JSONValue, in feed: String) throws(JSONFault) -> RemoteRecord {
    let reader = JSONReader(value, of: "record")
    var content = try reader.object()
    // Looked at directly, and by the reader only to say what is wrong: this is done for every record of a pull.
    let id = if let id = content["id"]?.stringValue { id } else { try reader.text("id") }
    let revision =
      if let revision = content["last_modified"]?.integerValue { revision } else {
        try reader.integer("last_modified")
      }
    guard revision > 0 else { throw reader.mismatch(expected: "a revision above 0", found: "\(revision)") }
    guard let name = RecordName(server: id) else {
      throw reader.mismatch(expected: "an id of Kinto's", found: "another text")
    }
    content["id"] = nil
    content["last_modified"] = nil
    content["schema"] = nil
    let saysDeleted = content["deleted"]?.boolValue == true
    content["deleted"] = nil
    // A live record with a member `deleted` was written by somebody careless: what else it holds isn't lost.
    let isTombstone = saysDeleted && content.isEmpty
    return RemoteRecord(id: name.key(in: feed), revision: revision, content: isTombstone ? nil : content)
  }

  public func count(in feed: String, of account: AccountID) async throws -> Int {
    let answer = try await ask(.head, records(feed, account), of: account)
    guard answer.status == 200 else { throw try failure(answer, feed, account) }
    guard let text = answer.head["Total-Objects"] ?? answer.head["Total-Records"], let count = Int(text)
    else {
      throw RemoteError.badAnswer(where: "The count of \(feed)", why: "there is none")
    }
    return count
  }

  public func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    let limit = max(1, min(limit, KintoRemote.largestPage))
    guard let since = Int64(cursor ?? "0") else {
      throw RemoteError.badAnswer(where: "The cursor \(cursor ?? "") of \(feed)", why: "it is no revision")
    }
    // Without `deleted` a tombstone would look like a live record.
    let path =
      "\(records(feed, account))?_since=\(since)&_sort=last_modified&_limit=\(limit)&_fields=id,deleted"
    let answer = try await ask(.get, path, of: account)
    guard answer.status == 200 else { throw try failure(answer, feed, account) }
    let value = try answer.reading("A list of \(feed)") { () throws(JSONFault) in
      try JSONValue.parse(answer.body)
    }
    var entries: [RemoteListing.Entry] = []
    var last = since
    for item in value["data"]?.arrayValue ?? [] {
      guard let id = item["id"]?.stringValue.flatMap(RecordName.init(server:)),
        let revision = item["last_modified"]?.integerValue
      else {
        throw RemoteError.badAnswer(where: "A list of \(feed)", why: "a record has no id or no revision")
      }
      last = revision
      if item["deleted"]?.boolValue == true { continue }
      entries.append(RemoteListing.Entry(id: id.key(in: feed), revision: revision))
    }
    let hasMore = answer.head["Next-Page"] != nil
    guard !hasMore || last > since else {
      throw RemoteError.badAnswer(where: "A list of \(feed)", why: "it has more but stands still")
    }
    return RemoteListing(entries: entries, cursor: hasMore ? String(last) : nil)
  }

  public func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    let answer = try await ask(
      .get, "\(records(feed, account))/\(RecordName(id, in: feed).text)", of: account)
    switch answer.status {
    case 200:
      let reader = try answer.reader("A record of \(feed)")
      return try answer.reading("A record of \(feed)") { () throws(JSONFault) in
        try KintoRemote.record(try reader.member("data").value, in: feed)
      }
    case 404 where answer.errorNumber == 110: return nil
    default: throw try failure(answer, feed, account)
    }
  }

  /// What an answer about a feed means that isn't the one hoped for.
  func failure(_ answer: KintoAnswer, _ feed: String, _ account: AccountID) throws -> RemoteError {
    switch answer.status {
    case 403: .forbidden(account, what: "reach \(feed) in the bucket \(server.bucket)")
    case 404: .missingFeed(feed: feed, account: account)
    default: answer.refusal("a request about \(feed)")
    }
  }
}
