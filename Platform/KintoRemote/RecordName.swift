/// What a record is called on the server: `items__i3` for the record `i3` of the feed `items`.
///
/// Kinto takes letters, digits, `-` and `_`, the first one a letter or digit, while a key of ours is any text
/// (`-7`, `언어`). Each other byte is written `_` and two hexadecimal digits, the underscore itself too. Since such
/// an underscore is followed by a digit, the first `__` ends the feed: names of two feeds are never the same. That
/// matters because `kinto purge-deleted` deletes live records that share their id with a tombstone of
/// another collection.
///
/// The way back knows every legal name: one that isn't of this form, because somebody else made the record,
/// is the key `:` and the name as it is. No key is lost and none is made up twice.
public struct RecordName: Sendable, Equatable {
  /// The server's name.
  public let text: String

  /// The name of a key in a feed.
  public init(_ key: String, in feed: String) {
    if key.utf8.first == RecordName.foreignMark,
      let name = RecordName(server: String(Substring(key.utf8.dropFirst()))),
      RecordName.decoded(name.text, feed) == nil
    {
      self = name
    } else {
      text = "\(RecordName.encoded(feed))__\(RecordName.encoded(key))"
    }
  }

  /// A name that the server gave; nil where it can't have.
  public init?(server text: String) {
    guard let first = text.utf8.first, RecordName.isAlphanumeric(first),
      text.utf8.allSatisfy({ RecordName.isPlain($0) || $0 == RecordName.escape })
    else { return nil }
    self.text = text
  }

  /// The key that the name stands for in a feed.
  public func key(in feed: String) -> String { RecordName.decoded(text, feed) ?? ":\(text)" }

  private static let escape = UInt8(ascii: "_")
  private static let foreignMark = UInt8(ascii: ":")
  private static let digits = Array("0123456789abcdef".utf8)

  private static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isPlain(byte) {
        bytes.append(byte)
      } else {
        bytes += [escape, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The key, if the name is exactly what a key of this feed is encoded to.
  private static func decoded(_ name: String, _ feed: String) -> String? {
    let prefix = "\(encoded(feed))__"
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    let rest = Array(name.utf8.dropFirst(prefix.utf8.count))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count)
    var index = 0
    while index < rest.count {
      let byte = rest[index]
      if byte == escape {
        guard index + 2 < rest.count, let high = digits.firstIndex(of: rest[index + 1]),
          let low = digits.firstIndex(of: rest[index + 2])
        else { return nil }
        let value = UInt8(high << 4 | low)
        if isPlain(value) { return nil }
        bytes.append(value)
        index += 3
      } else {
        guard isPlain(byte) else { return nil }
        bytes.append(byte)
        index += 1
      }
    }
    let key = String(decoding: bytes, as: UTF8.self)
    guard key.utf8.elementsEqual(bytes) else { return nil }
    // A key that looks like a foreign one and isn't is written out, so it is never the foreign one itself.
    if key.utf8.first == foreignMark,
      let foreign = RecordName(server: String(Substring(key.utf8.dropFirst()))),
      decoded(foreign.text, feed) == nil
    {
      return nil
    }
    return key
  }

  private static func isPlain(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == UInt8(ascii: "-") }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }
}
