#if canImport(CryptoKit)
  import CryptoKit
  import Foundation
#else
  import CCrypto
#endif

/// SHA-256 over bytes that arrive in pieces, by the system's library: OpenSSL's libcrypto, or CryptoKit.
///
/// It is what manifests of legacy files and backups hold, so that a person can check them with `sha256sum`.
public final class SHA256Digest {
  #if canImport(CryptoKit)
    private var hash = SHA256()

    public init() {}

    public func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// The digest as 64 lower-case hexadecimal digits. Ends the use of this value.
    public func finish() -> String { SHA256Digest.hex(hash.finalize()) }
  #else
    private let context: OpaquePointer?
    private var isSound: Bool

    public init() {
      context = EVP_MD_CTX_new()
      isSound = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    public func update(_ bytes: UnsafeRawBufferPointer) {
      isSound = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 && isSound
    }

    /// The digest as 64 lower-case hexadecimal digits; empty, and so equal to no digest, in the one case
    /// that libcrypto failed (it can, for want of memory). Ends the use of this value.
    public func finish() -> String {
      var digest = [UInt8](repeating: 0, count: 32)
      guard EVP_DigestFinal_ex(context, &digest, nil) == 1, isSound else { return "" }
      return SHA256Digest.hex(digest)
    }
  #endif

  /// The digest of some bytes.
  public static func of(_ bytes: [UInt8]) -> String {
    let digest = SHA256Digest()
    bytes.withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}
