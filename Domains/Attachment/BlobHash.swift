import FerryStore
import Foundation

/// The SHA-256 of a file's bytes, which is the file's name on disk. It is made of 64 hexadecimal digits and
/// nothing else, so that no text of a server's can become part of a path.
public struct BlobHash: RawRepresentable, ColumnValue, Hashable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public let rawValue: String

  /// The hash that is written so; nil where that is none.
  public init?(rawValue: String) {
    let isHex = rawValue.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isHex, rawValue.utf8.count == 64 else { return nil }
    self.rawValue = rawValue
  }

  /// The hash with these 32 bytes; nil where they are more or fewer.
  public init?(_ bytes: Data) {
    let digits = Array("0123456789abcdef".utf8)
    self.init(
      rawValue: String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self))
  }

  /// Its 32 bytes.
  public var bytes: Data {
    let digits = rawValue.utf8.map { $0 < 0x61 ? $0 - 0x30 : $0 - 0x61 + 10 }
    return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  public var description: String { rawValue }
  /// A text like any other.
  public static var shape: ColumnShape { String.shape }
}
