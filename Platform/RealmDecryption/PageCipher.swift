#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import CCrypto
#endif

/// AES-256-CBC and HMAC-SHA-224 over one page at a time, by the system's library: OpenSSL's libcrypto, or
/// CommonCrypto.
///
/// Both are set up once for a key and used again for every page.
final class PageCipher {
  static let pageSize = 4096
  static let codeSize = 28

  #if canImport(CommonCrypto)
    private let key: RealmKey

    init(_ key: RealmKey) throws(RealmDecryptionError) { self.key = key }

    func authenticationCode(of page: UnsafeRawBufferPointer) -> [UInt8] {
      var code = [UInt8](repeating: 0, count: Self.codeSize)
      let half = Array(key.codeHalf)
      CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA224), half, half.count, page.baseAddress, page.count, &code)
      return code
    }

    func decrypt(_ page: UnsafeRawBufferPointer, vector: [UInt8], into plain: UnsafeMutableRawPointer) -> Bool
    {
      var count = 0
      let half = Array(key.cipherHalf)
      let status = CCCrypt(
        CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, half, half.count, vector, page.baseAddress,
        page.count, plain, page.count, &count)
      return status == kCCSuccess && count == page.count
    }
  #else
    private let cipher: OpaquePointer?
    /// HMAC with the key already in it; `digest` starts from a copy of it for every page.
    private let keyed: OpaquePointer?
    private let digest: OpaquePointer?

    /// - Throws: `RealmDecryptionError.noCryptography`.
    init(_ key: RealmKey) throws(RealmDecryptionError) {
      cipher = EVP_CIPHER_CTX_new()
      keyed = EVP_MD_CTX_new()
      digest = EVP_MD_CTX_new()
      let (cipherHalf, codeHalf) = (Array(key.cipherHalf), Array(key.codeHalf))
      let code = EVP_PKEY_new_raw_private_key(EVP_PKEY_HMAC, nil, codeHalf, codeHalf.count)
      defer { EVP_PKEY_free(code) }
      guard EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherHalf, nil) == 1,
        EVP_CIPHER_CTX_set_padding(cipher, 0) == 1,
        EVP_DigestSignInit(keyed, nil, EVP_sha224(), nil, code) == 1
      else { throw .noCryptography }
    }

    deinit {
      EVP_CIPHER_CTX_free(cipher)
      EVP_MD_CTX_free(keyed)
      EVP_MD_CTX_free(digest)
    }

    /// 28 bytes; empty, and so equal to no stored code, where libcrypto failed (it can, for want of memory).
    func authenticationCode(of page: UnsafeRawBufferPointer) -> [UInt8] {
      var code = [UInt8](repeating: 0, count: Self.codeSize)
      var count = code.count
      guard EVP_MD_CTX_copy_ex(digest, keyed) == 1,
        EVP_DigestUpdate(digest, page.baseAddress, page.count) == 1,
        EVP_DigestSignFinal(digest, &code, &count) == 1, count == Self.codeSize
      else { return [] }
      return code
    }

    /// Writes `page.count` bytes to `plain`; false where libcrypto failed.
    func decrypt(_ page: UnsafeRawBufferPointer, vector: [UInt8], into plain: UnsafeMutableRawPointer) -> Bool
    {
      var count: Int32 = 0
      return EVP_DecryptInit_ex(cipher, nil, nil, nil, vector) == 1
        && EVP_DecryptUpdate(
          cipher, plain.assumingMemoryBound(to: UInt8.self), &count,
          page.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(page.count)) == 1
        && Int(count) == page.count
    }
  #endif
}
