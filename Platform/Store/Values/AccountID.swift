/// Whose data a row is: a server and a user on it.
///
/// `server` is a configured name, not a URL: a host may move. The same user name on two servers is two
/// accounts (traps Q3).
public struct AccountID: Sendable, Hashable, CustomStringConvertible {
  /// The configured name of the server.
  public let server: String
  /// The user's name there.
  public let user: String

  /// - Throws: `StoreError.badAccountName` for an empty name or one with a slash, a colon or a control
  ///   character in it; for a server also with an `@`, which parts the two in the written form.
  public init(server: String, user: String) throws(StoreError) {
    try AccountID.check(server, forbidden: "/:@")
    try AccountID.check(user, forbidden: "/:")
    self.server = server
    self.user = user
  }

  /// Reads the written form `user@server`; the last `@` counts, so that a user may be a mail address.
  public init(_ text: String) throws(StoreError) {
    guard let at = text.unicodeScalars.lastIndex(of: "@") else { throw .badAccountName(text) }
    let server = text.unicodeScalars[text.unicodeScalars.index(after: at)...]
    try self.init(server: String(server), user: String(text.unicodeScalars[..<at]))
  }

  /// The written form, `user@server`.
  public var description: String { "\(user)@\(server)" }

  private static func check(_ name: String, forbidden: String) throws(StoreError) {
    let isBad =
      name.isEmpty || name == "." || name == ".."
      || name.unicodeScalars.contains {
        [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
          || forbidden.unicodeScalars.contains($0)
      }
    if isBad { throw .badAccountName(name) }
  }

  /// By their bytes.
  public static func == (left: AccountID, right: AccountID) -> Bool {
    left.server.utf8.elementsEqual(right.server.utf8) && left.user.utf8.elementsEqual(right.user.utf8)
  }
  public func hash(into hasher: inout Hasher) {
    for byte in server.utf8 { hasher.combine(byte) }
    for byte in user.utf8 { hasher.combine(byte) }
  }
}
