import FerryKernel
import FerryStore
import FerrySync

/// The mark of a feed is the member `epoch` of its collection's own record.
extension KintoRemote {
  private static let member = "epoch"

  public func mark(of feed: String, of account: AccountID) async throws -> String? {
    try await collectionState(feed, account).mark
  }

  public func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    // Somebody else may be faster each time, but not for ever: a mark that is there is never taken away.
    for _ in 0..<5 {
      let (there, revision) = try await collectionState(feed, account)
      if let there { return there }
      // On PostgreSQL two that patch at once may both be told that they have won, and only the last one has. So
      // whoever starts from the same revision of the collection writes the same mark.
      let mark = revision.map { StableHash.of("mark", feed, String($0)) } ?? mark
      let body = HTTPRequest.Body.bytes(try KintoRemote.body([KintoRemote.member: .string(mark)]))
      let path = collection(feed, account)
      let answer =
        if let revision {
          try await ask(.patch, path, [("If-Match", "\"\(revision)\"")], body: body, of: account)
        } else {
          try await ask(.put, path, [("If-None-Match", "*")], body: body, of: account)
        }
      switch answer.status {
      case 200, 201: return mark
      case 412, 404, 409: continue
      case 403: throw RemoteError.forbidden(account, what: "mark \(feed) in the bucket \(server.bucket)")
      default: throw answer.refusal("a mark for \(feed)")
      }
    }
    throw RemoteError.unreachable(server: server.name, why: "others write to \(feed) all the time")
  }

  /// The mark, and the revision of the collection's record; nil where there is none.
  private func collectionState(_ feed: String, _ account: AccountID) async throws -> (
    mark: String?, revision: Int64?
  ) {
    let answer = try await ask(.get, collection(feed, account), of: account)
    switch answer.status {
    case 200:
      let place = "The collection \(feed)"
      let reader = try answer.reader(place)
      return try answer.reading(place) { () throws(JSONFault) in
        let data = try reader.member("data")
        return (try data.ifPresent(KintoRemote.member)?.text(), try data.integer("last_modified"))
      }
    case 404: return (nil, nil)
    default: throw try failure(answer, feed, account)
    }
  }

  /// `{"data": …}`
  static func body(_ data: JSONObject) throws -> [UInt8] {
    try JSONValue.object(["data": .object(data)]).bytes()
  }
}
