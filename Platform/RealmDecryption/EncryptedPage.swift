/// Where the pages of an encrypted file are (the format specification, section 18.1): an IV page, up to 64 data
/// pages, the next IV page, and so on.
enum PageLayout {
  static let pageSize = PageCipher.pageSize
  static let entrySize = 64
  static let groupSize = 64

  /// How many data pages a file of this size has. A part of a page at the end counts for nothing.
  static func pageCount(fileSize: Int) -> Int {
    let (groups, rest) = (fileSize / pageSize).quotientAndRemainder(dividingBy: groupSize + 1)
    return groups * groupSize + max(0, rest - 1)
  }

  /// The file offset of data page `page`.
  static func data(_ page: Int) -> Int { (page + page / groupSize + 1) * pageSize }

  /// The file offset of the page's entry in its IV page.
  static func entry(_ page: Int) -> Int {
    page / groupSize * (groupSize + 1) * pageSize + page % groupSize * entrySize
  }
}

/// What is stored of a page beside its ciphertext: a counter and an authentication code of the last write, and
/// those of the write before.
struct PageEntry: Equatable {
  let counter: UInt32
  let code: [UInt8]
  let earlierCounter: UInt32
  let earlierCode: [UInt8]

  /// Reads the 64 bytes of an entry.
  init(_ bytes: UnsafeRawBufferPointer) {
    counter = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
    code = Array(bytes[4..<32])
    earlierCounter = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt32.self))
    earlierCode = Array(bytes[36..<64])
  }
}

/// What a page holds, by the rules of section 18.2.
enum PageState: Equatable {
  /// The ciphertext is that of the write with this counter.
  case written(UInt32)
  /// There is no valid data in it: it reads as zeros.
  case vacant
  /// The ciphertext is that of no known write.
  case unauthentic

  /// - Parameter code: the authentication code of the ciphertext.
  init(_ entry: PageEntry, code: [UInt8], ciphertext: UnsafeRawBufferPointer) {
    if entry.counter == 0 {
      self = .vacant  // Never written: preallocated room.
    } else if code == entry.code {
      self = .written(entry.counter)
    } else if entry.earlierCounter != 0, code == entry.earlierCode {
      self = .written(entry.earlierCounter)  // A write was interrupted after its entry and before its data.
    } else {
      // Zeros: the first write was interrupted after its entry, or the file shrank and grew again. The library
      // takes whatever it finds for an interrupted first write when the earlier counter is 0; that would turn
      // each damaged page of a written copy, whose pages are all written once, into zeros without a word. What
      // an interrupted first write leaves is the zeros of a page that was never written, so no more is taken.
      self = ciphertext.allSatisfy { $0 == 0 } ? .vacant : .unauthentic
    }
  }
}
