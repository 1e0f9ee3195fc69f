/// The 64 bytes that an app gives Realm to encrypt a file with: 32 for AES-256, then 32 for HMAC-SHA-224.
///
/// It never shows its bytes: what prints, interpolates, dumps or reflects a key gets the word "redacted".
///
/// ```swift
/// let key = try RealmKey.read(file: "/run/secrets/realm.key").key
/// let file = try RealmFile.open(path: "/data/alice.realm", key: key)
/// ```
public struct RealmKey: Sendable, Equatable {
  /// How many bytes a key has.
  public static let size = 64

  let bytes: [UInt8]

  /// A key of these bytes.
  ///
  /// - Throws: `RealmDecryptionError.badKey` unless there are 64 of them.
  public init(bytes: [UInt8]) throws(RealmDecryptionError) {
    guard bytes.count == Self.size else {
      throw .badKey("It has \(bytes.count) bytes, and a key has \(Self.size)")
    }
    self.bytes = bytes
  }

  var cipherHalf: ArraySlice<UInt8> { bytes[..<32] }
  var codeHalf: ArraySlice<UInt8> { bytes[32...] }
}

extension RealmKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says that it is a key, and nothing of the key.
  public var description: String { "RealmKey(redacted)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` shows no bytes.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
