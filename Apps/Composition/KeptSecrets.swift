import FerryKernel
import FerryStore
import Foundation
import KintoRemote

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What `account add` was told of secrets, in a folder beside the store that only its owner can enter.
///
/// Of each account a file says where its secret is. Only one that a person typed lies here itself, in a file of its
/// own that nobody else can read.
public struct KeptSecrets: Sendable {
  let folder: String
  private let files = FileOperations()

  /// What an account's secret is kept as.
  public enum Entry: Sendable, Equatable {
    /// A file's first line.
    case file(String)
    /// What a program prints: its path or name, and its words.
    case command([String])
    /// A variable of the environment.
    case environment(String)
    /// Itself, in one line.
    case text(String)
  }

  /// Keeps it; what was kept of the account before is gone.
  public func keep(_ entry: Entry, of account: AccountID) throws {
    try files.makeFolder(folder)
    // Whoever made it may have let others in.
    guard chmod(folder, 0o700) == 0 else {
      throw KernelError.file(path: folder, doing: "Closing to others", errno)
    }
    let place: JSONObject
    switch entry {
    case .file(let path): place = ["file": .string(path)]
    case .command(let words): place = ["command": .array(words.map { .string($0) })]
    case .environment(let name): place = ["environment": .string(name)]
    case .text(let text):
      // Before what points to it.
      try files.writeWhole(Array(text.utf8) + [0x0a], to: path(of: account, "secret"))
      place = ["kept": true]
    }
    try files.writeWhole(try JSONValue.object(place).bytes() + [0x0a], to: path(of: account, "place"))
    if case .text = entry { return }
    try files.removeIfThere(path(of: account, "secret"))
  }

  /// Forgets what is kept of an account; that there is nothing is as good.
  public func forget(_ account: AccountID) throws {
    for suffix in ["place", "place.tmp", "secret", "secret.tmp"] {
      try files.removeIfThere(path(of: account, suffix))
    }
    if access(folder, F_OK) == 0 { try files.syncFolder(of: path(of: account, "place")) }
  }

  /// Whether anything is kept of an account.
  public func has(_ account: AccountID) -> Bool { access(path(of: account, "place"), F_OK) == 0 }

  /// Where an account's secret is; nil where nothing is kept of it.
  ///
  /// - Throws: `KernelError.malformed` for a file that no `account add` has written.
  func source(of account: AccountID) throws -> SecretSource? {
    let path = path(of: account, "place")
    guard has(account) else { return nil }
    do {
      let reader = JSONReader(try JSONValue.parse(files.read(path)), of: "place of a secret")
      if let file = try reader.ifPresent("file") { return .file(try file.text()) }
      if let words = try reader.ifPresent("command") {
        return .command(try words.items().map { try $0.text() })
      }
      if let name = try reader.ifPresent("environment") { return .environment(try name.text()) }
      if try reader.ifPresent("kept")?.bool() == true { return .file(self.path(of: account, "secret")) }
      throw KernelError.malformed(path: path, why: "it says no place")
    } catch let fault as JSONFault {
      throw KernelError.malformed(path: path, why: fault.sentence.withoutFullStop)
    }
  }

  private func path(of account: AccountID, _ suffix: String) -> String {
    "\(folder)/\(account.fileName).\(suffix)"
  }
}

extension AccountID {
  /// The account as the name of a file: another one for each, also where a file system takes capitals or two ways to
  /// compose a letter for the same.
  var fileName: String {
    description.utf8.map { byte in
      let isPlain = (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || "-_@+".utf8.contains(byte)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
