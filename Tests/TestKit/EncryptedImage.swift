#if canImport(CCrypto)
  import CCrypto

  /// An encrypted file in memory, written page by page as the library writes: an entry first, then the data.
  public struct EncryptedImage: Sendable {
    public private(set) var bytes: [UInt8] = []
    public let key: [UInt8]
    private let pageSize = 4096

    /// The plaintext, zero-padded to whole pages, each page written once.
    public init(_ plain: [UInt8], key: [UInt8]) {
      self.key = key
      let pages = (plain.count + pageSize - 1) / pageSize
      let padded = plain + [UInt8](repeating: 0, count: pages * pageSize - plain.count)
      grow(toPages: pages)
      for page in 0..<pages { write(Array(padded[page * pageSize..<(page + 1) * pageSize]), to: page) }
    }

    public var pageCount: Int { bytes.count / pageSize - (bytes.count / pageSize + 64) / 65 }

    public mutating func grow(toPages pages: Int) {
      let size = (pages + (pages + 63) / 64) * pageSize
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }

    public mutating func write(_ plain: [UInt8], to page: Int) {
      let data = writeEntry(for: plain, to: page)
      set(data, at: dataOffset(page))
    }

    /// What a write leaves that was interrupted between its entry and its data. Returns the ciphertext that is
    /// missing.
    @discardableResult
    public mutating func writeEntry(for plain: [UInt8], to page: Int) -> [UInt8] {
      let entry = entryOffset(page)
      let earlier = Array(bytes[entry..<entry + 32])
      let counter = earlier[0..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } + 1
      let ciphertext = encrypt(plain, page: page, counter: counter)
      set(little(counter) + authenticationCode(of: ciphertext) + earlier, at: entry)
      return ciphertext
    }

    public mutating func set(_ new: [UInt8], at offset: Int) {
      bytes.replaceSubrange(offset..<offset + new.count, with: new)
    }

    public mutating func flip(_ bit: UInt8, at offset: Int) { bytes[offset] ^= 1 << bit }

    public func dataOffset(_ page: Int) -> Int { (page + page / 64 + 1) * pageSize }

    public func entryOffset(_ page: Int) -> Int { page / 64 * 65 * pageSize + page % 64 * 64 }

    private func encrypt(_ plain: [UInt8], page: Int, counter: UInt32) -> [UInt8] {
      let context = EVP_CIPHER_CTX_new()
      defer { EVP_CIPHER_CTX_free(context) }
      let vector = little(counter) + little(UInt64(page * pageSize)) + [0, 0, 0, 0]
      var ciphertext = [UInt8](repeating: 0, count: pageSize + 16)
      var count: Int32 = 0
      EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), nil, Array(key[..<32]), vector)
      EVP_CIPHER_CTX_set_padding(context, 0)
      EVP_EncryptUpdate(context, &ciphertext, &count, plain, Int32(plain.count))
      return Array(ciphertext[..<Int(count)])
    }

    private func authenticationCode(of ciphertext: [UInt8]) -> [UInt8] {
      var code = [UInt8](repeating: 0, count: 28)
      var count = 0
      let half = Array(key[32...])
      EVP_Q_mac(
        nil, "HMAC", nil, "SHA2-224", nil, half, half.count, ciphertext, ciphertext.count, &code, code.count,
        &count)
      return code
    }

    private func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
  }
#endif
