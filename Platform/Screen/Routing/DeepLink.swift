/// A place in the app that can be named from outside: `ferry://user@server/folder/ID` or
/// `ferry://user@server/folder/ID/item/ID`.
///
/// Identifiers and account are percent-encoded UTF-8. They are opaque: `-7` and `언어` are identifiers like any
/// other, compared by bytes. `-1` is none; it is what was put where an identifier wasn't known (traps K1, V1).
public struct DeepLink: Sendable, Hashable, CustomStringConvertible {
  public let place: Place
  public let item: LinkID?

  public init(place: Place, item: LinkID?) {
    self.place = place
    self.item = item
  }

  /// Longer texts aren't looked at.
  static let longest = 4096

  /// - Throws: ``RouteRefusal/malformed(_:_:)``, saying what is wrong with it.
  public init(_ text: String) throws(RouteRefusal) {
    func refused(_ fault: RouteRefusal.LinkFault) -> RouteRefusal { .malformed(text, fault) }

    guard text.utf8.count <= DeepLink.longest else {
      throw .malformed(String(text.prefix(64)) + "…", .tooLong)
    }
    let scheme = "ferry://"
    guard text.utf8.count >= scheme.utf8.count,
      zip(text.utf8, scheme.utf8).allSatisfy({ asciiLowercased($0) == $1 })
    else { throw refused(.scheme) }
    let parts = text.utf8.dropFirst(scheme.utf8.count)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !text.utf8.contains(where: { [UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }) else {
      throw refused(.queryOrFragment)
    }
    var decoded: [String] = []
    for part in parts {
      guard let name = percentDecoded(part) else { throw refused(.encoding) }
      decoded.append(name)
    }
    guard let account = LinkAccount(decoded[0]) else { throw refused(.account) }
    guard decoded.count == 3 || decoded.count == 5, decoded[1] == "folder",
      decoded.count == 3 || decoded[3] == "item"
    else { throw refused(.path) }
    guard let folder = LinkID(decoded[2]) else { throw refused(.identifier(decoded[2])) }
    place = Place(account: account, folder: folder)
    guard decoded.count == 5 else {
      item = nil
      return
    }
    guard let item = LinkID(decoded[4]) else { throw refused(.identifier(decoded[4])) }
    self.item = item
  }

  /// The link as text, in the one form that reads back as an equal value.
  public var description: String {
    let account =
      "\(percentEncoded(place.account.user))@\(percentEncoded(place.account.server))"
    let list = "ferry://\(account)/folder/\(percentEncoded(place.folder.rawValue))"
    return item.map { "\(list)/item/\(percentEncoded($0.rawValue))" } ?? list
  }
}

/// A folder of an account: what a list is attached to.
public struct Place: Sendable, Hashable, CustomStringConvertible {
  public let account: LinkAccount
  public let folder: LinkID

  public init(account: LinkAccount, folder: LinkID) {
    self.account = account
    self.folder = folder
  }

  public var description: String { "\(account)/\(folder)" }
}

/// An account, as a link names it: written `user@server`, where the last `@` counts.
public struct LinkAccount: Sendable, Hashable, CustomStringConvertible {
  public let server: String
  public let user: String

  /// Nil for an empty name, `.` and `..`, and a name with a slash, a colon or a control character in it; for a
  /// server also with an `@`.
  public init?(server: String, user: String) {
    func isName(_ name: String, without forbidden: String) -> Bool {
      !["", ".", ".."].contains(name)
        && !name.unicodeScalars.contains {
          [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            || forbidden.unicodeScalars.contains($0)
        }
    }
    guard isName(server, without: "/:@"), isName(user, without: "/:") else { return nil }
    self.server = server
    self.user = user
  }

  public init?(_ text: String) {
    guard let at = text.unicodeScalars.lastIndex(of: "@") else { return nil }
    self.init(
      server: String(text.unicodeScalars[text.unicodeScalars.index(after: at)...]),
      user: String(text.unicodeScalars[..<at]))
  }

  public var description: String { "\(user)@\(server)" }

  public static func == (left: LinkAccount, right: LinkAccount) -> Bool {
    left.server.utf8.elementsEqual(right.server.utf8) && left.user.utf8.elementsEqual(right.user.utf8)
  }
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytesOf: server)
    hasher.combine(bytesOf: user)
  }
}

/// An opaque identifier, compared by bytes; there is none for "not known".
public struct LinkID: Sendable, Hashable, CustomStringConvertible {
  public let rawValue: String

  /// Nil for the placeholders: the empty text and `-1`.
  public init?(_ rawValue: String) {
    guard !rawValue.isEmpty, rawValue != "-1" else { return nil }
    self.rawValue = rawValue
  }

  public var description: String { rawValue }

  public static func == (left: LinkID, right: LinkID) -> Bool {
    left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytesOf: rawValue) }
}

extension Hasher {
  /// What `==` by bytes asks for; a `String` hashes what it looks like.
  fileprivate mutating func combine(bytesOf text: String) {
    var copy = text
    copy.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(0xff as UInt8)
  }
}
