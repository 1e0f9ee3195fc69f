/// Members in the order in which they came, each name once. Names are UTF-8 bytes: see ``JSONValue`` for why
/// no dictionary can hold them.
///
/// Looking a member up compares names one by one, which for the dozen members of a record is faster than
/// hashing.
public struct JSONObject: Sendable {
  /// A name and its value.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The value.
    public internal(set) var value: JSONValue
  }

  /// The members in order.
  public private(set) var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// The parser's way in: it has made sure that no name comes twice.
  init(distinct members: [Member]) { self.members = members }

  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// How many members there are.
  public var count: Int { members.count }

  /// The value of the member of that name. Setting replaces in place or appends; setting `nil` removes.
  public subscript(name: String) -> JSONValue? {
    get {
      index(of: name).map { members[$0].value }
    }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  private func index(of name: String) -> Int? {
    members.firstIndex { $0.name.hasSameBytes(as: name) }
  }

  /// The members ordered by the bytes of their names, which is also the order of their code points.
  var sortedMembers: [Member] {
    members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
