#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension RealmValue {
  /// The string of these stored bytes, or what else they are.
  @inline(__always)
  init(text bytes: UnsafeRawBufferPointer?) {
    guard let bytes else {
      self = .null
      return
    }
    self = Self.text(bytes)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> RealmValue {
    // String(validating:as:) would say it directly but is newer than the platforms we support, so the repaired
    // string is compared with the original.
    let string = String(decoding: bytes, as: UTF8.self)
    if isASCII(bytes) { return .string(string) }
    let isFaithful =
      string.utf8.withContiguousStorageIfAvailable { utf8 in
        guard utf8.count == bytes.count, let left = utf8.baseAddress, let right = bytes.baseAddress else {
          return false
        }
        return memcmp(left, right, utf8.count) == 0
      } ?? string.utf8.elementsEqual(bytes)
    return isFaithful ? .string(string) : .invalidUTF8([UInt8](bytes))
  }

  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    var index = 0
    while index + 8 <= bytes.count {
      if base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
        return false
      }
      index += 8
    }
    while index < bytes.count {
      if base.load(fromByteOffset: index, as: UInt8.self) >= 0x80 { return false }
      index += 1
    }
    return true
  }
}
