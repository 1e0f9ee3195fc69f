import Foundation

/// Reads an item of `legacy:` in ferry.yaml: a file with its account or accounts, or a pattern for files that bear
/// their account's name.
///
///     - file: alice.realm
///       account: {server: home, user: alice}
///     - file: accounts/*.realm
///       account: {server: home, user-from: file-name}   # what the star stands for
///     - file: shared.realm
///       accounts: {server: home, users: {alice: '1001', bob: '1002'}}   # what the rows say: whose
///       key-file: shared.key   # beside any of these: where the key of an encrypted file is, or of all that match
struct LegacyFileReader {
  let folder: String
  let list: (String) -> [String]
  /// Whether there is a store: its crossing may be over, and the files in its archive.
  let hasStore: Bool

  typealias LegacyFile = FerryConfiguration.LegacyFile

  func files(_ item: YAMLNode) throws(SourceFault) -> [LegacyFile] {
    let mapping = try item.mapping(required: ["file"], optional: ["account", "accounts", "key-file"])
    let node = try mapping.value("file")
    let written = try node.name("a path")
    let path = Located(ConfiguredPath.resolved(written.value, against: folder), at: written.position)
    let keyFile = try mapping.valueIfPresent("key-file").map { node throws(SourceFault) in
      let written = try node.name("a path")
      return Located(ConfiguredPath.resolved(written.value, against: folder), at: written.position)
    }
    if let shared = mapping.valueIfPresent("accounts") {
      guard mapping.valueIfPresent("account") == nil else {
        throw item.fault(
          "accountTwice", "'account' and 'accounts' both say whose the file is",
          remedy: "Remove one of the two.")
      }
      return [try sharedFile(path, shared, keyFile)]
    }
    let account = try mapping.value("account").mapping(required: ["server"], optional: ["user", "user-from"])
    let server = try account.value("server").name("a server's name")
    guard let source = account.valueIfPresent("user-from") else {
      let user = try account.value("user").name("a user's name")
      return [LegacyFile(path: path, server: server, users: [.init(name: user)], keyFile: keyFile)]
    }
    guard try source.text() == "file-name", account.valueIfPresent("user") == nil else {
      throw source.fault(
        "userFrom", "the user comes from 'file-name' alone",
        remedy: "Write 'user-from: file-name' without 'user', or 'user' with the name.")
    }
    return try matches(path, node).map { file, user in
      LegacyFile(
        path: Located(file, at: path.position), server: server,
        users: [.init(name: Located(user, at: source.position))], keyFile: keyFile)
    }
  }

  private func sharedFile(_ path: Located<String>, _ node: YAMLNode, _ keyFile: Located<String>?)
    throws(SourceFault) -> LegacyFile
  {
    let mapping = try node.mapping(required: ["server", "users"])
    let list = try mapping.value("users")
    var users: [LegacyFile.User] = []
    if case .sequence(let items) = list.content {
      for item in items { users.append(.init(name: try item.name("a user's name"))) }
    } else {
      for entry in try list.entries() {
        let key = YAMLNode(
          .scalar(text: entry.key.value, isPlain: false), at: entry.key.position, in: list.source)
        users.append(
          .init(
            name: try key.name("a user's name"), named: try entry.value.name("what the rows call a user")))
      }
    }
    guard !users.isEmpty else {
      throw list.fault("noUsers", "the file has no users", remedy: "List at least one.")
    }
    for (index, user) in users.enumerated() {
      guard users[..<index].contains(where: { $0.named.value.hasSameBytes(as: user.named.value) }) else {
        continue
      }
      throw list.source.fault(
        "duplicateUser", at: user.named.position, "the rows call two users \(QuotedText(user.named.value))",
        remedy: "Give each user the name that only its rows bear.")
    }
    return LegacyFile(
      path: path, server: try mapping.value("server").name("a server's name"), users: users, keyFile: keyFile)
  }

  /// Whether it is the copy that Realm makes of a file before it changes its format: `bob.v9.backup.realm`.
  private static func isRealmsOwnCopy(_ name: String) -> Bool {
    let parts = name.split(separator: ".")
    guard parts.count >= 4, parts.suffix(2).elementsEqual(["backup", "realm"]) else { return false }
    let version = parts[parts.count - 3]
    return version.first == "v" && version.count > 1 && version.dropFirst().allSatisfy(\.isNumber)
  }

  /// The files that a pattern names, by the bytes of their names, each with what its star stands for.
  private func matches(_ path: Located<String>, _ node: YAMLNode) throws(SourceFault) -> [(String, String)] {
    let name = ConfiguredPath.lastPart(of: path.value)
    let parts = name.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    let parent = String(path.value.dropLast(name.count))
    guard parts.count == 2, !parent.contains("*") else {
      throw node.fault(
        "pattern", "a user's name comes from the star in the file's name, and there must be just one",
        remedy: "Write it such as 'accounts/*.realm'.")
    }
    let places = parent.isEmpty ? "." : parent
    let matches = list(places).filter { found in
      found.utf8.count > parts[0].utf8.count + parts[1].utf8.count
        && found.utf8.starts(with: parts[0].utf8)
        && found.utf8.reversed().starts(with: parts[1].utf8.reversed())
        && !LegacyFileReader.isRealmsOwnCopy(found)
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    if matches.isEmpty, access(places, R_OK | X_OK) != 0, errno != ENOENT {
      throw node.fault(
        "unreadable",
        "the folder \(QuotedText(places, longest: 1024)) can't be read: \(String(cString: strerror(errno)))",
        remedy: "Run this as a user who may read it.")
    }
    guard !matches.isEmpty || hasStore else {
      throw node.fault(
        "noMatch", "no file matches \(QuotedText(path.value, longest: 1024))",
        remedy: "Correct the pattern, or remove it.")
    }
    return matches.map { found in
      let user = found.utf8.dropFirst(parts[0].utf8.count).dropLast(parts[1].utf8.count)
      return (parent + found, String(decoding: user, as: UTF8.self))
    }
  }
}
