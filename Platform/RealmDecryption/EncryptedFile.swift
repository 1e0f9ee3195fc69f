import RealmFile

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The plaintext of an encrypted file: pages are authenticated and decrypted as they are asked for, in any order.
///
/// Nothing is kept: bytes that are asked for again are read again, so that a changed header shows.
final class EncryptedFile: ByteSource {
  let path: String
  let size: Int
  private let file: PlainFile
  private let cipher: PageCipher
  /// Room for the entries and the ciphertext of a run of pages.
  private let entries: UnsafeMutableRawBufferPointer
  private let ciphertext: UnsafeMutableRawBufferPointer
  private let scratch: UnsafeMutableRawBufferPointer
  private var patience: Patience
  /// Told of each page that isn't authentic, while salvaging; such a page is decrypted all the same.
  private let overlook: ((Int) -> Void)?

  private static let pageSize = PageLayout.pageSize
  private static let runLength = 16

  /// - Parameters:
  ///   - pause: waits that many milliseconds for a writer.
  ///   - overlook: is told of pages that aren't authentic, instead of an error.
  init(
    _ file: PlainFile, key: RealmKey, pause: @escaping (UInt32) -> Void = EncryptedFile.sleep,
    overlook: ((Int) -> Void)? = nil
  ) throws(RealmDecryptionError) {
    self.file = file
    self.overlook = overlook
    patience = Patience(pause: pause)
    path = file.path
    size = PageLayout.pageCount(fileSize: file.size) * Self.pageSize
    cipher = try PageCipher(key)
    entries = .allocate(byteCount: Self.runLength * PageLayout.entrySize, alignment: 16)
    ciphertext = .allocate(byteCount: Self.runLength * Self.pageSize, alignment: 16)
    scratch = .allocate(byteCount: Self.pageSize, alignment: 16)
  }

  deinit {
    entries.deallocate()
    ciphertext.deallocate()
    scratch.deallocate()
  }

  var isEncrypted: Bool { true }

  var pageCount: Int { size / Self.pageSize }

  func currentSize() throws(RealmFileError) -> Int {
    PageLayout.pageCount(fileSize: try file.currentSize()) * Self.pageSize
  }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(RealmFileError) {
    var done = 0
    while done < buffer.count {
      let (page, start) = (offset + done).quotientAndRemainder(dividingBy: Self.pageSize)
      let whole = (buffer.count - done) / Self.pageSize
      if start == 0, whole > 0 {
        // A run ends with its group: there the next entries are on another page.
        let count = min(whole, Self.runLength, PageLayout.groupSize - page % PageLayout.groupSize)
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count * Self.pageSize])
        try decrypt(page, count, into: part)
        done += part.count
      } else {
        let count = min(Self.pageSize - start, buffer.count - done)
        try decrypt(page, 1, into: scratch)
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
        part.copyMemory(from: UnsafeRawBufferPointer(rebasing: scratch[start..<start + count]))
        done += count
      }
    }
  }

  /// What page `page` is, when a writer in the midst of it has been waited for.
  func state(of page: Int) throws(RealmFileError) -> PageState {
    try load(page, 1)
    return try settledState(of: page, at: 0)
  }

  /// Whether the page was written and is authentic, at the first look.
  func isAuthentic(_ page: Int) throws(RealmFileError) -> Bool {
    try load(page, 1)
    if case .written = stateInRun(0) { return true }
    return false
  }

  /// The page decrypted as the write with each of its two counters, authentic or not.
  func attempts(at page: Int) throws(RealmFileError) -> [[UInt8]] {
    try load(page, 1)
    let entry = entryInRun(0)
    return try [entry.counter, entry.earlierCounter].map { counter throws(RealmFileError) in
      try decrypt(page, at: 0, counter: counter, into: scratch)
      return Array(scratch)
    }
  }

  // MARK: - Runs of pages

  private func decrypt(
    _ first: Int, _ count: Int, into plain: UnsafeMutableRawBufferPointer
  ) throws(RealmFileError) {
    try load(first, count)
    for index in 0..<count {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: plain[index * Self.pageSize..<(index + 1) * Self.pageSize])
      let page = first + index
      switch try settledState(of: page, at: index) {
      case .written(let counter): try decrypt(page, at: index, counter: counter, into: part)
      case .vacant: part.initializeMemory(as: UInt8.self, repeating: 0)
      case .unauthentic:
        guard let overlook else { throw damage(page) }
        // A flipped bit spoils 16 bytes of the page and one bit more; the rest is as it was.
        overlook(page)
        try decrypt(page, at: index, counter: entryInRun(index).counter, into: part)
      }
    }
  }

  private func damage(_ page: Int) -> RealmFileError {
    .damaged(
      what: "page \(page) of the encrypted file doesn't match its authentication code",
      offset: page * Self.pageSize)
  }

  /// Reads the entries and the ciphertext of pages of one group, to the places that begin with `index`.
  private func load(_ first: Int, _ count: Int, at index: Int = 0) throws(RealmFileError) {
    let (entrySize, pageSize) = (PageLayout.entrySize, Self.pageSize)
    try file.fill(
      UnsafeMutableRawBufferPointer(rebasing: entries[index * entrySize..<(index + count) * entrySize]),
      from: PageLayout.entry(first))
    try file.fill(
      UnsafeMutableRawBufferPointer(rebasing: ciphertext[index * pageSize..<(index + count) * pageSize]),
      from: PageLayout.data(first))
  }

  private func page(at index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: ciphertext[index * Self.pageSize..<(index + 1) * Self.pageSize])
  }

  private func entryInRun(_ index: Int) -> PageEntry {
    let size = PageLayout.entrySize
    return PageEntry(UnsafeRawBufferPointer(rebasing: entries[index * size..<(index + 1) * size]))
  }

  private func stateInRun(_ index: Int) -> PageState {
    let (entry, page) = (entryInRun(index), page(at: index))
    return PageState(
      entry, code: entry.counter == 0 ? [] : cipher.authenticationCode(of: page), ciphertext: page)
  }

  /// A writer puts the entry and the data of a page in two writes, and a reader can come between them (the
  /// format specification, section 19).
  private func settledState(of page: Int, at index: Int) throws(RealmFileError) -> PageState {
    var state = stateInRun(index)
    guard state == .unauthentic else { return state }
    for milliseconds in patience.waits() {
      patience.pause(milliseconds)
      try load(page, 1, at: index)
      state = stateInRun(index)
      guard state == .unauthentic else { return state }
    }
    patience.vainWaits += 1
    return state
  }

  static func sleep(_ milliseconds: UInt32) { usleep(milliseconds * 1000) }

  private func decrypt(
    _ page: Int, at index: Int, counter: UInt32, into plain: UnsafeMutableRawBufferPointer
  ) throws(RealmFileError) {
    var vector = [UInt8](repeating: 0, count: 16)
    vector.withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: counter.littleEndian, as: UInt32.self)
      bytes.storeBytes(of: UInt64(page * Self.pageSize).littleEndian, toByteOffset: 4, as: UInt64.self)
    }
    guard let base = plain.baseAddress, cipher.decrypt(self.page(at: index), vector: vector, into: base)
    else {
      throw .unreadable(path: path, reason: "The system's cryptographic library failed")
    }
  }
}

/// How long to wait for a writer: a few times, ever longer; and for a file that waiting doesn't mend, not again
/// for each of its pages.
private struct Patience {
  let pause: (UInt32) -> Void
  /// How many times a page was waited for that stayed as it was.
  var vainWaits = 0

  private static let maxVainWaits = 4

  func waits() -> [UInt32] { vainWaits < Self.maxVainWaits ? [1, 2, 4, 8, 16, 32] : [] }
}
