extension String {
  /// Equality of UTF-8 bytes. The cheap tests come first: strings that Swift holds for different can't have
  /// the same bytes.
  func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
  }
}

/// A name that hashes and compares by its bytes.
struct NameBytes: Hashable {
  let name: String

  static func == (left: NameBytes, right: NameBytes) -> Bool { left.name.hasSameBytes(as: right.name) }

  func hash(into hasher: inout Hasher) {
    for byte in name.utf8 { hasher.combine(byte) }
  }
}
