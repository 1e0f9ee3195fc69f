import CSQLite

// Texts as their bytes: what they are to SQLite, where Swift takes canonically equivalent ones as equal.

extension String {
  /// Whether its UTF-8 is this.
  func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { mine in
      mine.count == bytes.count && ferry_same_bytes(mine.baseAddress, bytes.baseAddress, bytes.count)
    }
    return isSame ?? utf8.elementsEqual(bytes)
  }

  /// Whether another text has the same UTF-8.
  func hasBytes(of other: String) -> Bool {
    other.utf8.withContiguousStorageIfAvailable(hasBytes) ?? utf8.elementsEqual(other.utf8)
  }
}
