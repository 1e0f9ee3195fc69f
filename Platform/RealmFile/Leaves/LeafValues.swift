extension ColumnLeaf {
  private static let nullFloat: UInt32 = 0x7FC0_00AA
  private static let nullDouble: UInt64 = 0x7FF8_0000_0000_00AA

  /// Element `index`, which the caller has checked, of a leaf that is neither mixed nor of collections.
  @inline(__always)
  func plainValue(
    _ index: Int, target: @autoclosure () -> String?, enumerated: @autoclosure () -> EnumeratedStrings?,
    snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) -> RealmValue {
    switch kind {
    case .int:
      guard let integers else { return .null }
      return .int(integers[index])
    case .nullableInt:
      guard let integer = nullable?[index] else { return .null }
      return .int(integer)
    case .bool:
      guard let integers else { return .null }
      return try Self.bool(integers[index], integers, snapshot)
    case .text:
      guard let bytes = try bytes?.bytes(index, snapshot: snapshot, claims: claims) else { return .null }
      return RealmValue(text: bytes)
    case .enumerated:
      guard let integers, let strings = enumerated() else { return .null }
      return try strings.value(integers[index], snapshot: snapshot)
    case .binary:
      guard let bytes = try bytes?.bytes(index, snapshot: snapshot, claims: claims) else { return .null }
      return .binary([UInt8](bytes))
    case .float:
      guard let numbers else { return .null }
      let bits = UInt32(littleEndian: numbers.loadUnaligned(fromByteOffset: index << 2, as: UInt32.self))
      return bits == Self.nullFloat ? .null : .float(Float(bitPattern: bits))
    case .double:
      guard let numbers else { return .null }
      let bits = UInt64(littleEndian: numbers.loadUnaligned(fromByteOffset: index << 3, as: UInt64.self))
      return bits == Self.nullDouble ? .null : .double(Double(bitPattern: bits))
    case .timestamp: return try timestamps?.value(index) ?? .null
    case .objectId:
      guard let start = identifiers?.start(index) else { return .null }
      return .objectId(RealmObjectID(start))
    case .uuid:
      guard let start = identifiers?.start(index) else { return .null }
      return .uuid(RealmUUID(start))
    case .decimal: return decimals?.value(index) ?? .null
    case .link, .listedLink:
      // Keys of -2 and below lead to deleted objects; -1 is null.
      guard let integers, let table = target() else { return .null }
      let key = kind == .link ? integers[index] &- 1 : integers[index]
      return key >= 0 ? .link(table: table, key: key) : .null
    case .typedLink:
      guard let integers, let table = snapshot.tableName(integers[2 * index] &- 1) else { return .null }
      let key = integers[2 * index + 1] &- 1
      return key >= 0 ? .link(table: table, key: key) : .null
    case .unread, .mixed, .collection: return .null
    }
  }

  private static func bool(
    _ bits: Int64, _ integers: PackedIntegers, _ snapshot: Snapshot
  ) throws(RealmFileError) -> RealmValue {
    switch bits {
    case 0: return .bool(false)
    case 1: return .bool(true)
    case 3: return .null
    default: throw .damaged(what: "a boolean is \(bits)", offset: snapshot.offset(of: integers.base))
    }
  }
}
