/// A record that was changed here and on the server, put together field by field.
///
/// All three records are in the form that the feed itself writes, so that a number which the server writes in
/// another way is no change, and a member that the feed doesn't know takes no part.
struct FieldMerge: Sendable {
  /// The fields as they are to be.
  private(set) var merged: JSONObject
  /// The fields that both sides changed, and whose value was taken.
  private(set) var clashes: [Settlement.Field] = []

  /// - Parameters:
  ///   - base: what both sides started from; nil where that isn't known, and every difference is a clash.
  ///   - local: as it is here; with no fields at all where this device keeps it as a copy instead.
  init(base: JSONObject?, local: JSONObject, server: JSONObject, rules: ConflictRules) {
    merged = server
    var names = server.members.map(\.name)
    for other in [local, base ?? JSONObject()] {
      names += other.members.map(\.name).filter { name in server[name] == nil && !names.contains(bytes: name)
      }
    }
    for name in names {
      let (was, here, there) = (base?[name], local[name], server[name])
      if here == there || (base != nil && here == was) { continue }
      if base != nil, there == was {
        merged[name] = here
        continue
      }
      let (value, side) = FieldMerge.settle(name, was, here, there, local, server, rules.rule(of: name))
      merged[name] = value
      clashes.append(Settlement.Field(name: name, side: side))
    }
    // The whole record goes into the copy, and none of it into the server's.
    if keepsCopy { merged = server }
  }

  /// Whether this device's record is to be kept as one of its own.
  var keepsCopy: Bool { clashes.contains { $0.side == .copy } }

  private static func settle(
    _ name: String, _ was: JSONValue?, _ here: JSONValue?, _ there: JSONValue?, _ local: JSONObject,
    _ server: JSONObject, _ rule: ConflictRule
  ) -> (JSONValue?, Settlement.Side) {
    switch rule {
    case .serverWins: return (there, .server)
    case .clientWins: return (here, .local)
    case .keepBoth: return (there, .copy)
    case .latest(let field):
      return isLater(local[field], than: server[field]) ? (here, .local) : (there, .server)
    case .union:
      guard let here = list(here), let there = list(there) else { return (there, .server) }
      return (.array(union(list(was) ?? [], here, there)), .union)
    }
  }

  private static func isLater(_ here: JSONValue?, than there: JSONValue?) -> Bool {
    switch (here, there) {
    case (.integer(let here)?, .integer(let there)?): here > there
    case (.string(let here)?, .string(let there)?): there.utf8.lexicographicallyPrecedes(here.utf8)
    case (let here?, let there?): (here.numberValue ?? -.infinity) > (there.numberValue ?? .infinity)
    case (.some, nil): true
    default: false
    }
  }

  /// A list; what is absent is an empty one, and what is no list is none.
  private static func list(_ value: JSONValue?) -> [JSONValue]? {
    guard let value, !value.isNull else { return [] }
    return value.arrayValue
  }

  private static func union(_ was: [JSONValue], _ here: [JSONValue], _ there: [JSONValue]) -> [JSONValue] {
    let kept = there.filter { here.contains($0) || !was.contains($0) }
    return kept + here.filter { !there.contains($0) && !was.contains($0) }
  }
}

extension [String] {
  fileprivate func contains(bytes name: String) -> Bool { contains { $0.hasSameBytes(as: name) } }
}
