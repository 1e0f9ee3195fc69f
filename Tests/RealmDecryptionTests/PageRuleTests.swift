#if canImport(CCrypto)
  import Foundation
  import RealmFile
  import TestKit
  import Testing

  @testable import RealmDecryption

  /// The rules of the format specification, section 18.2, on files that the test encrypts itself.
  @Suite("What a page holds")
  struct PageRuleTests {
    static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/realm")
    static let keyBytes = (0..<64).map { UInt8($0 * 3 + 1) }

    let plain: [UInt8]
    let golden: [UInt8]
    var image: EncryptedImage
    let temporary: TemporaryFolder

    init() throws {
      temporary = try TemporaryFolder()
      plain = Array(try Data(contentsOf: Self.folder.appending(path: "formats/format-24.realm")))
      golden = Array(try Data(contentsOf: Self.folder.appending(path: "formats/format-24.json")))
      image = EncryptedImage(plain, key: Self.keyBytes)
    }

    private func read() throws -> [UInt8] {
      try RealmFile.open(path: temporary.write(image.bytes), key: RealmKey(bytes: Self.keyBytes)).json()
    }

    private func page(_ index: Int) -> [UInt8] {
      let part = plain[min(plain.count, index * 4096)..<min(plain.count, (index + 1) * 4096)]
      return Array(part) + [UInt8](repeating: 0, count: 4096 - part.count)
    }

    @Test("A file of more than one group of pages reads as its plaintext does")
    func whole() throws {
      #expect(image.pageCount > 64)
      #expect(try read() == golden)
    }

    @Test("A page that was written often is decrypted with its last counter")
    mutating func manyWrites() throws {
      for _ in 0..<300 { image.write(page(1), to: 1) }
      #expect(try read() == golden)
    }

    @Test("A write that was interrupted before its data leaves what was there before")
    mutating func interruptedWrites() throws {
      let noise = (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 7) }
      for index in 0..<image.pageCount { image.writeEntry(for: noise, to: index) }
      #expect(try read() == golden)
    }

    @Test(
      "Room that was never written, whatever is in it, and pages whose first write was interrupted, are vacant"
    )
    mutating func vacancies() throws {
      let used = image.pageCount
      image.grow(toPages: used + 80)
      image.set([UInt8](repeating: 0xA5, count: 4096), at: image.dataOffset(used))
      image.writeEntry(for: page(0), to: used + 1)
      // Shrunk and grown again: two codes of what was there, and zeros.
      image.write(page(0), to: used + 2)
      image.write(page(1), to: used + 2)
      image.set([UInt8](repeating: 0, count: 4096), at: image.dataOffset(used + 2))
      #expect(try read() == golden)
      let source = try EncryptedFile(
        PlainFile(path: temporary.write(image.bytes)), key: RealmKey(bytes: Self.keyBytes))
      for index in used..<used + 80 { #expect(try source.state(of: index) == .vacant) }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 80 * 4096, alignment: 8)
      defer { buffer.deallocate() }
      try source.fill(buffer, from: used * 4096)
      #expect(buffer.allSatisfy { $0 == 0 })
    }

    @Test("Any range of bytes is what the plaintext has there", arguments: [1, 24, 4095, 4096, 4097, 70_000])
    func ranges(count: Int) throws {
      let source = try EncryptedFile(
        PlainFile(path: temporary.write(image.bytes)), key: RealmKey(bytes: Self.keyBytes))
      #expect(source.size == image.pageCount * 4096)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
      defer { buffer.deallocate() }
      for offset in [0, 1, 16, 4090, 64 * 4096 - 10, 65 * 4096 - 4096, plain.count - count] where offset >= 0
      {
        try source.fill(buffer, from: offset)
        #expect(Array(buffer) == Array(plain[offset..<offset + count]))
      }
    }

    @Test("A reader that comes between a page's entry and its data waits for the data")
    mutating func betweenTwoWrites() throws {
      // Two writes under way at once, as a reader sees them that was slow: neither code is that of the data.
      image.writeEntry(for: page(2), to: 2)
      image.writeEntry(for: page(2), to: 2)
      let path = try temporary.write(image.bytes)
      image.set(image.encryptedAgain(page(2), at: 2), at: image.dataOffset(2))
      let finished = image.bytes
      var pauses = 0
      let source = try EncryptedFile(PlainFile(path: path), key: RealmKey(bytes: Self.keyBytes)) { _ in
        pauses += 1
        guard pauses == 3, let handle = FileHandle(forWritingAtPath: path) else { return }
        handle.write(Data(finished))
      }
      #expect(try source.state(of: 2) != .unauthentic)
      #expect(pauses == 3)
      #expect(try RealmFile(source: source).json() == golden)
    }

    @Test("A damaged page that holds nothing refuses none of the pages around it")
    func damagedFreePage() throws {
      let folder = Self.folder.appending(path: "app")
      var image = EncryptedImage(
        Array(try Data(contentsOf: folder.appending(path: "empty.realm"))), key: Self.keyBytes)
      let free = image.pageCount
      image.grow(toPages: free + 1)
      image.write(page(0), to: free)
      image.flip(1, at: image.dataOffset(free))
      let key = try RealmKey(bytes: Self.keyBytes)
      let path = try temporary.write(image.bytes)
      #expect(
        try EncryptedFile(PlainFile(path: path), key: key, pause: { _ in }).state(of: free) == .unauthentic)
      let file = try RealmFile.open(path: path, key: key, pause: { _ in })
      #expect(try Data(file.json()) == Data(contentsOf: folder.appending(path: "empty.json")))
    }

    @Test("Salvage reads pages that aren't authentic, and tells of each")
    mutating func salvage() throws {
      // A bit of a code: the page itself is as it was.
      for index in [0, 3, 70] { image.flip(1, at: image.entryOffset(index) + 10) }
      let path = try temporary.write(image.bytes)
      let key = try RealmKey(bytes: Self.keyBytes)
      #expect(throws: RealmFileError.self) { try RealmFile.open(path: path, key: key, pause: { _ in }) }
      var pages: Set<Int> = []
      let file = try RealmFile.salvage(path: path, key: key) { pages.insert($0) }
      #expect(try file.json() == golden)
      #expect(pages == [0, 3, 70])
      #expect(throws: RealmDecryptionError.wrongKey(.all)) {
        try RealmFile.salvage(path: path, key: RealmKey(bytes: Self.keyBytes.map { $0 ^ 1 })) { _ in }
      }
    }

    @Test("A file that changes while it is read is read again, and a wrong key is tried once")
    mutating func readAgain() throws {
      let path = try temporary.write(image.bytes)
      let key = try RealmKey(bytes: Self.keyBytes)
      // A commit: another top ref in the slot that isn't in use.
      var header = page(0)
      header[(1 - Int(header[23] & 1)) * 8 + 3] ^= 1
      image.write(header, to: 0)
      let changed = image.bytes
      var count = 0
      let json = try RealmFile.read(path: path, key: key) { file in
        count += 1
        if count == 1, let handle = FileHandle(forWritingAtPath: path) { handle.write(Data(changed)) }
        return try file.json()
      }
      #expect(json == golden)
      #expect(count == 2)
      #expect(throws: RealmDecryptionError.wrongKey(.first)) {
        var bytes = Self.keyBytes
        bytes[0] ^= 1
        try RealmFile.read(path: path, key: RealmKey(bytes: bytes)) { _ in Issue.record("opened") } as Void
      }
    }

    @Test("For a page that stays unauthentic it waits a few times, and not again for each page")
    mutating func boundedWaiting() throws {
      for index in 1..<image.pageCount { image.flip(3, at: image.dataOffset(index)) }
      var waited: UInt32 = 0
      let path = try temporary.write(image.bytes)
      let source = try EncryptedFile(PlainFile(path: path), key: RealmKey(bytes: Self.keyBytes)) {
        waited += $0
      }
      for index in 1..<image.pageCount { #expect(try source.state(of: index) == .unauthentic) }
      #expect(waited <= 300)
    }
  }

  extension EncryptedImage {
    /// The ciphertext of the write that the page's entry speaks of; the counter is in the entry.
    fileprivate func encryptedAgain(_ plain: [UInt8], at page: Int) -> [UInt8] {
      var copy = self
      // One step back, so that writing again gives the counter that the entry has now.
      copy.set(Array(copy.bytes[entryOffset(page) + 32..<entryOffset(page) + 64]), at: entryOffset(page))
      return copy.writeEntry(for: plain, to: page)
    }
  }
#endif
