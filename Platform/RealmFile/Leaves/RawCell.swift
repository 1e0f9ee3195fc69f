/// One single value where it lies: nothing is copied, made or retained.
///
/// Pointers are into the image of the file, or into blobs that its snapshot has joined; both live as long as the
/// snapshot.
enum RawCell {
  case null
  case int(Int64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  case text(UnsafeRawBufferPointer)
  case binary(UnsafeRawBufferPointer)
  case timestamp(seconds: Int64, nanoseconds: Int32)
  case objectId(UnsafeRawPointer)
  case uuid(UnsafeRawPointer)
  case decimal(RealmDecimal128)
  /// A link to an object of the column's target.
  case link(Int64)
  /// A link that names its table by key.
  case typedLink(table: Int64, key: Int64)
  /// A collection or a mixed value, which is not read by index alone.
  case composite
}

extension ColumnLeaf {
  private static let nullFloat: UInt32 = 0x7FC0_00AA
  private static let nullDouble: UInt64 = 0x7FF8_0000_0000_00AA

  /// Element `index`, which the caller has checked.
  @inline(__always)
  func cell(
    _ index: Int, enumerated: @autoclosure () -> EnumeratedStrings?, snapshot: Snapshot, claims: NodeClaims?
  ) throws(RealmFileError) -> RawCell {
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
      return .text(bytes)
    case .enumerated:
      guard let integers, let strings = enumerated() else { return .null }
      guard let bytes = try strings.bytes(integers[index], snapshot: snapshot) else { return .null }
      return .text(bytes)
    case .binary:
      guard let bytes = try bytes?.bytes(index, snapshot: snapshot, claims: claims) else { return .null }
      return .binary(bytes)
    case .float:
      guard let numbers else { return .null }
      let bits = UInt32(littleEndian: numbers.loadUnaligned(fromByteOffset: index << 2, as: UInt32.self))
      return bits == Self.nullFloat ? .null : .float(Float(bitPattern: bits))
    case .double:
      guard let numbers else { return .null }
      let bits = UInt64(littleEndian: numbers.loadUnaligned(fromByteOffset: index << 3, as: UInt64.self))
      return bits == Self.nullDouble ? .null : .double(Double(bitPattern: bits))
    case .timestamp: return try timestamps?.cell(index) ?? .null
    case .objectId: return identifiers?.start(index).map { .objectId($0) } ?? .null
    case .uuid: return identifiers?.start(index).map { .uuid($0) } ?? .null
    case .decimal: return decimals?.value(index).map { .decimal($0) } ?? .null
    case .link, .listedLink:
      // Keys of -2 and below lead to deleted objects; -1 is null.
      guard let integers else { return .null }
      let key = kind == .link ? integers[index] &- 1 : integers[index]
      return key >= 0 ? .link(key) : .null
    case .typedLink:
      guard let integers else { return .null }
      let key = integers[2 * index + 1] &- 1
      return key >= 0 ? .typedLink(table: integers[2 * index] &- 1, key: key) : .null
    case .nullableBool:
      guard let nullable, let bit = nullable[index] else { return .null }
      return .bool(bit != 0)
    case .date:
      guard let integers else { return .null }
      return .timestamp(seconds: integers[index], nanoseconds: 0)
    case .nullableDate:
      guard let nullable, let seconds = nullable[index] else { return .null }
      return .timestamp(seconds: seconds, nanoseconds: 0)
    case .mixed, .collection: return .composite
    case .unread, .nothing, .lost: return .null
    }
  }

  private static func bool(
    _ bits: Int64, _ integers: PackedIntegers, _ snapshot: Snapshot
  ) throws(RealmFileError) -> RawCell {
    switch bits {
    case 0: return .bool(false)
    case 1: return .bool(true)
    case 3: return .null
    default: throw .damaged(what: "a boolean is \(bits)", offset: snapshot.offset(of: integers.base))
    }
  }
}

extension RealmValue {
  /// The value of a cell that is not composite.
  @inline(__always)
  init(_ cell: RawCell, target: @autoclosure () -> String?, snapshot: Snapshot) {
    switch cell {
    case .null, .composite: self = .null
    case .int(let number): self = .int(number)
    case .bool(let flag): self = .bool(flag)
    case .float(let number): self = .float(number)
    case .double(let number): self = .double(number)
    case .text(let bytes): self.init(text: bytes)
    case .binary(let bytes): self = .binary([UInt8](bytes))
    case .timestamp(let seconds, let nanoseconds):
      self = .timestamp(seconds: seconds, nanoseconds: nanoseconds)
    case .objectId(let start): self = .objectId(RealmObjectID(start))
    case .uuid(let start): self = .uuid(RealmUUID(start))
    case .decimal(let number): self = .decimal128(number)
    case .link(let key): self = target().map { .link(table: $0, key: key) } ?? .null
    case .typedLink(let table, let key):
      self = snapshot.tableName(table).map { .link(table: $0, key: key) } ?? .null
    }
  }
}
