extension JSONValue: Equatable {
  /// Equal in what they say: texts by bytes, numbers by kind and bits (`1` isn't `1.0`, `-0.0` isn't `0.0`),
  /// objects whatever the order of their members, which JSON gives no meaning and servers change.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    var comparison = JSONComparison()
    return comparison.holds(left, right)
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    JSONValue.object(left) == .object(right)
  }
}

/// Compares two values. Pairs that are still to be compared wait on a stack of its own, as in the parser.
private struct JSONComparison {
  private var pending: [(JSONValue, JSONValue)] = []

  mutating func holds(_ left: JSONValue, _ right: JSONValue) -> Bool {
    guard agree(left, right) else { return false }
    while let (left, right) = pending.popLast() {
      guard agree(left, right) else { return false }
    }
    return true
  }

  /// Compares all but the elements, which it leaves pending.
  private mutating func agree(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.wide(let left), .wide(let right)): left.hasSameBytes(as: right)
    case (.number(let left), .number(let right)): left.bitPattern == right.bitPattern
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): agree(left, right)
    case (.object(let left), .object(let right)): agree(left, right)
    default: false
    }
  }

  private mutating func agree(_ left: [JSONValue], _ right: [JSONValue]) -> Bool {
    guard left.count == right.count else { return false }
    pending.append(contentsOf: zip(left, right))
    return true
  }

  private mutating func agree(_ left: JSONObject, _ right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    if haveSameNames(left.members, right.members) {
      pending.append(contentsOf: zip(left.members, right.members).map { ($0.value, $1.value) })
      return true
    }
    let (left, right) = (left.sortedMembers, right.sortedMembers)
    guard haveSameNames(left, right) else { return false }
    pending.append(contentsOf: zip(left, right).map { ($0.value, $1.value) })
    return true
  }

  private func haveSameNames(_ left: [JSONObject.Member], _ right: [JSONObject.Member]) -> Bool {
    zip(left, right).allSatisfy { $0.name.hasSameBytes(as: $1.name) }
  }
}
