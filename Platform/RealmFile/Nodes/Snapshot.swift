/// The active snapshot of a file: the only way from a ref to a node, and the only place that checks one.
final class Snapshot {
  let image: ByteImage
  let header: Header
  /// Live nodes lie below this offset: the smaller of file size and logical file size.
  private(set) var end: Int
  private(set) var topNodeBytes: [UInt8] = []
  /// Names by table slot, with the full table key beside them; filled in when the tables are read.
  var tableNames: [(key: UInt64, name: String)?] = []
  /// Formats up to 9 keep a tree per column (the format specification, section 16).
  let isColumnar: Bool
  /// Whether what can't be read is left out (see `RealmFile.init(salvaging:)`), and not an end to reading.
  let isSalvaging: Bool
  /// Whether this is not the active snapshot, while salvaging.
  let isOlder: Bool
  private var joined: [Int: UnsafeMutableRawBufferPointer] = [:]
  private var joinedParts: NodeClaims?

  init(image: ByteImage, header: Header, isSalvaging: Bool = false, isOlder: Bool = false) {
    self.isSalvaging = isSalvaging
    self.isOlder = isOlder
    self.image = image
    self.header = header
    self.end = image.size
    self.isColumnar = (2...9).contains(header.format)
  }

  deinit {
    for buffer in joined.values { buffer.deallocate() }
  }

  /// Lowers the end to the logical file size, and keeps the top node for `isUnchanged`.
  func bound(by logicalSize: Int, top: Node) throws(RealmFileError) {
    let payload = Node.payloadSize(flags: top.flags, size: top.size) ?? 0
    topNodeBytes = [UInt8](
      UnsafeRawBufferPointer(start: top.payload - Node.headerSize, count: Node.headerSize + payload))
    // The rest of a file that was cut short is still worth reading.
    if isSalvaging { return }
    guard logicalSize <= image.size else {
      throw .damaged(
        what: "the file is \(image.size) bytes long but was written with \(logicalSize)", offset: top.ref)
    }
    guard top.ref + Node.headerSize + payload <= logicalSize else {
      throw top.damage("the top node lies beyond the logical file size")
    }
    end = logicalSize
  }

  /// What `body` gives, or nil for what it throws while salvaging.
  func tolerate<Value>(
    _ body: () throws(RealmFileError) -> Value?
  ) throws(RealmFileError) -> Value? {
    do throws(RealmFileError) {
      return try body()
    } catch {
      guard isSalvaging else { throw error }
      return nil
    }
  }

  /// The node at `ref`, with its payload in memory (the format specification, section 20, checks 1 to 3).
  ///
  /// With `claims`, the node must not have been entered before.
  func node(at ref: Int64, claims: NodeClaims?) throws(RealmFileError) -> Node {
    guard ref >= Int64(Header.size), ref & 7 == 0, ref <= Int64(end - Node.headerSize) else {
      throw .damaged(what: "a ref points outside the data, to \(ref)", offset: Int(clamping: ref))
    }
    let offset = Int(ref)
    try image.require(offset, Node.headerSize)
    let start = UnsafeRawPointer(image.base + offset)
    let word = UInt64(littleEndian: start.load(as: UInt64.self))
    let flags = UInt8(truncatingIfNeeded: word >> 32)
    let size = Int(word >> 40 & 0xFF) << 16 | Int(word >> 48 & 0xFF) << 8 | Int(word >> 56)
    guard let payload = Node.payloadSize(flags: flags, size: size) else {
      throw .damaged(what: "a node has an unknown width type", offset: offset)
    }
    guard payload <= end - offset - Node.headerSize else {
      throw .damaged(what: "a node of \(payload) bytes reaches past the end of the data", offset: offset)
    }
    try image.require(offset, Node.headerSize + payload)
    if let claims { try claims.claim(offset) }
    return Node(ref: offset, payload: start + Node.headerSize, flags: flags, size: size)
  }

  /// The bytes of the blob at `ref`, split or whole (the format specification, section 9.5).
  func blob(at ref: Int64, claims: NodeClaims?) throws(RealmFileError) -> UnsafeRawBufferPointer {
    let node = try node(at: ref, claims: claims)
    guard node.hasContext, node.hasRefs else { return try node.bytes("a value") }
    return try joinedBlob(node)
  }

  private func joinedBlob(_ node: Node) throws(RealmFileError) -> UnsafeRawBufferPointer {
    if let known = joined[node.ref] { return UnsafeRawBufferPointer(known) }
    let slots = try Slots(node, "a split value")
    // Parts have claims of their own for the life of the snapshot: all that is joined and kept then stays within
    // the size of the file.
    let partClaims = joinedParts ?? NodeClaims(fileSize: end)
    joinedParts = partClaims
    var parts: [UnsafeRawBufferPointer] = []
    var total = 0
    for index in 0..<slots.count {
      let part = try self.node(at: slots.ref(index, "a part of a value"), claims: partClaims)
      let bytes = try part.bytes("a part of a value")
      total += bytes.count
      parts.append(bytes)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: total, alignment: 8)
    var offset = 0
    for part in parts {
      UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<offset + part.count]).copyMemory(from: part)
      offset += part.count
    }
    joined[node.ref] = buffer
    return UnsafeRawBufferPointer(buffer)
  }

  /// The file offset of a payload, for the text of an error.
  func offset(of payload: UnsafeRawPointer) -> Int {
    payload - UnsafeRawPointer(image.base)
  }

  /// The name of the table with this key; nil where there is no such table (any more).
  func tableName(_ key: Int64) -> String? {
    guard key >= 0 else { return nil }
    let slot = Int(key & 0xFFFF)
    guard slot < tableNames.count, let entry = tableNames[slot], entry.key == UInt64(key) else { return nil }
    return entry.name
  }

  /// What a table of format 10 and later in a file of an older one is.
  ///
  /// The library upgrades from format 9, which it had brought older files to before (the format specification,
  /// section 17); below 5 such a table is damage.
  func halfUpgraded(_ node: Node) -> RealmFileError {
    header.format >= 5
      ? .halfUpgraded(header.format) : node.damage("a table is not of format \(header.format)")
  }

  /// Throws `changedWhileReading` when the file no longer presents the snapshot that is being read.
  ///
  /// A grown file alone is no change: a writer makes room before it commits, and what it writes does not touch
  /// the active snapshot (the format specification, section 19).
  func checkUnchanged() throws(RealmFileError) {
    guard try image.currentSize() >= image.size else { throw .changedWhileReading }
    guard try image.reread(0, Header.size) == header.bytes else { throw .changedWhileReading }
    guard !topNodeBytes.isEmpty else { return }
    guard try image.reread(Int(header.topRef), topNodeBytes.count) == topNodeBytes else {
      throw .changedWhileReading
    }
  }

  /// The same error, or `changedWhileReading` where that explains it.
  func explain(_ original: RealmFileError) -> RealmFileError {
    guard case .damaged = original else { return original }
    do throws(RealmFileError) {
      try checkUnchanged()
      return original
    } catch {
      return error == .changedWhileReading ? error : original
    }
  }
}
