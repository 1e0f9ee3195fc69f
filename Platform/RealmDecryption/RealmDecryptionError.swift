/// Why an encrypted file could not be opened with a key. What is wrong with the file itself is a
/// `RealmFileError`, as for any other file.
public enum RealmDecryptionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Which part of a key is wrong.
  public enum Part: Sendable, Equatable {
    /// No page is authenticated by it: the key belongs to another file.
    case all
    /// Pages are authentic but don't decrypt: bytes 0 to 31 are wrong.
    case first
    /// Pages decrypt but aren't authentic: bytes 32 to 63 are wrong.
    case second
  }

  /// The key is not the one that the file was written with.
  case wrongKey(Part)
  /// A key was given for a file that is not encrypted.
  case notEncrypted
  /// What was given is no key; the reason never quotes it.
  case badKey(String)
  /// The key's file can't be read.
  case unreadableKey(path: String, reason: String)
  /// The environment variable that should hold the key is not set, or empty.
  case noSuchVariable(String)
  /// The system's cryptographic library refused to work.
  case noCryptography

  /// What happened, in one sentence for a person.
  public var sentence: String {
    switch self {
    case .wrongKey(.all): "The key is not the one that the Realm file was encrypted with."
    case .wrongKey(.first):
      "The first half of the key (bytes 0 to 31) is not that of the Realm file; the second is."
    case .wrongKey(.second):
      "The second half of the key (bytes 32 to 63) is not that of the Realm file; the first is."
    case .notEncrypted: "The Realm file is not encrypted, but a key was given."
    case .badKey(let reason): "The encryption key is malformed: \(reason)."
    case .unreadableKey(let path, let reason): "The key file \(path) can't be read: \(reason)."
    case .noSuchVariable(let name): "The environment variable \(name) holds no key."
    case .noCryptography:
      "The system's cryptographic library can't decrypt AES-256-CBC or compute HMAC-SHA-224."
    }
  }

  /// A stable identifier for scripts; it never changes for a given case.
  public var code: String {
    switch self {
    case .wrongKey: "realm.wrongKey"
    case .notEncrypted: "realm.notEncrypted"
    case .badKey: "realm.badKey"
    case .unreadableKey: "realm.unreadableKey"
    case .noSuchVariable: "realm.noKey"
    case .noCryptography: "realm.noCryptography"
    }
  }

  /// What to do next.
  public var remedy: String {
    switch self {
    case .wrongKey(.all): "Give the key that the app uses for this very file; some apps have one per account."
    case .wrongKey: "Check that the key was copied whole; it has 64 bytes."
    case .notEncrypted: "Leave the key out."
    case .badKey: "Give 64 bytes as they are, as 128 hexadecimal digits, or in base64."
    case .unreadableKey: "Check that the path is right and that this user may read the file."
    case .noSuchVariable: "Set it to the key, in hexadecimal or base64."
    case .noCryptography: "Check that libcrypto is installed and that its policy allows both."
    }
  }

  /// The sentence and the remedy together.
  public var description: String { "\(sentence) \(remedy)" }
}
