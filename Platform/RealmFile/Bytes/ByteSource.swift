/// Where the plaintext bytes of a database come from: a plain file, or a decrypting layer over one.
///
/// A source is used by one `ByteImage` on one thread at a time, and is asked for each byte about once.
package protocol ByteSource: AnyObject {
  /// The path of the file, for the text of errors.
  var path: String { get }

  /// The plaintext size in bytes, as it was when the source was opened.
  var size: Int { get }

  /// Whether the bytes are stored encrypted. False unless a source says otherwise.
  var isEncrypted: Bool { get }

  /// Fills `buffer` with the bytes that start at `offset`; the range lies within `size`.
  ///
  /// Throws `changedWhileReading` when the bytes are no longer there.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) throws(RealmFileError)

  /// The plaintext size in bytes as it is now.
  func currentSize() throws(RealmFileError) -> Int
}

extension ByteSource {
  package var isEncrypted: Bool { false }
}
