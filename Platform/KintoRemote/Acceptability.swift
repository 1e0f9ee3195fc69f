import FerryKernel
import FerrySync

/// What Kinto never takes, or takes and then can't give back: found before it is sent, because some of it is answered
/// as if the server were down, and one such record would hold up all others for ever.
enum Acceptability {
  /// Beyond some 480 the server breaks.
  static let deepestNesting = 400
  /// The server's own members of a record.
  static let reservedMembers = ["id", "last_modified", "deleted", "schema"]
  /// PostgreSQL's index takes no longer ones for sure.
  static let longestID = 2000

  /// Why the server wouldn't take the change; nil where nothing speaks against it.
  static func objection(to change: RemoteChange, named name: RecordName) -> String? {
    if name.text.utf8.count > longestID { return "its id takes \(name.text.utf8.count) bytes on the server" }
    guard let content = change.content else { return nil }
    if let reserved = content.members.first(where: { isReserved($0.name) }) {
      return "the member '\(reserved.name)' is the server's own"
    }
    return objection(to: content)
  }

  private static func isReserved(_ name: String) -> Bool {
    reservedMembers.contains { $0.utf8.elementsEqual(name.utf8) }
  }

  private static func objection(to content: JSONObject) -> String? {
    var pending: [(value: JSONValue, depth: Int)] = [(.object(content), 1)]
    while let (value, depth) = pending.popLast() {
      if depth > deepestNesting { return "it is nested more than \(deepestNesting) deep" }
      switch value {
      case .string(let text):
        if text.utf8.contains(0) { return "a text of it holds U+0000" }
      case .number(let number):
        if !number.isFinite { return "a number of it isn't finite" }
      case .array(let items):
        pending += items.map { ($0, depth + 1) }
      case .object(let object):
        if object.members.contains(where: { $0.name.utf8.contains(0) }) {
          return "a name of it holds U+0000"
        }
        pending += object.members.map { ($0.value, depth + 1) }
      case .null, .bool, .integer, .wide: break
      }
    }
    return nil
  }
}
