/// A password. It can be sent and nothing else: printed, described or looked into it is a row of dots.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let text: String

  /// - Returns: nil for an empty text, and for one with a line break or a NUL, which no header can carry.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 != 0 && $0 != 0x0a && $0 != 0x0d }) else { return nil }
    self.text = text
  }

  public var description: String { "•••" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// The value of the header `Authorization` (RFC 7617, UTF-8).
  func authorization(user: String) -> String {
    "Basic " + Secret.base64(Array("\(user):\(text)".utf8))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) { bits, place in
        bits << 8 | (start + place < bytes.count ? UInt32(bytes[start + place]) : 0)
      }
      for place in 0..<4 {
        let letter = letters[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
        text.append(place <= group.count ? letter : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
