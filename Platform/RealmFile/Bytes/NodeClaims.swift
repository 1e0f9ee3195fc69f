/// The nodes that one traversal has entered.
///
/// In a snapshot every node has exactly one parent (the format specification, section 20, check 6). A damaged
/// or hostile file can break that and make a small file unfold into endless data; claiming each node once
/// turns that into an error. One bit per 8 bytes of file, in blocks that are made when they are needed.
final class NodeClaims {
  private static let blockWords = 512
  private static let blockShift = 15
  private let blockCount: Int
  private let blocks: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>

  init(fileSize: Int) {
    blockCount = (fileSize >> (3 + Self.blockShift)) + 1
    blocks = .allocate(capacity: blockCount)
    blocks.initialize(repeating: nil, count: blockCount)
  }

  deinit {
    for index in 0..<blockCount { blocks[index]?.deallocate() }
    blocks.deallocate()
  }

  /// Throws `damaged` when the node at `ref`, a checked offset within the file, was claimed before.
  func claim(_ ref: Int) throws(RealmFileError) {
    let unit = ref >> 3
    let block = unit >> Self.blockShift
    let words: UnsafeMutablePointer<UInt64>
    if let existing = blocks[block] {
      words = existing
    } else {
      words = .allocate(capacity: Self.blockWords)
      words.initialize(repeating: 0, count: Self.blockWords)
      blocks[block] = words
    }
    let word = (unit >> 6) & (Self.blockWords - 1)
    let bit: UInt64 = 1 << UInt64(unit & 63)
    guard words[word] & bit == 0 else { throw .damaged(what: "a node has two parents", offset: ref) }
    words[word] |= bit
  }
}
