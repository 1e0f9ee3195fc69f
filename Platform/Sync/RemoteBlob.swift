import FerryKernel

/// A file as a server has it: the member `attachment` of its record.
///
/// It stays in the record's content, because a record that is pushed without it loses its file.
public struct RemoteBlob: Sendable, Equatable {
  /// The name of the record's member.
  public static let member = "attachment"
  /// The name of the member that keeps what it was on a server that lost the record.
  public static let formerMember = "formerAttachment"

  /// Where the server says it is.
  public let location: String
  /// 64 lower-case hexadecimal digits.
  public let sha256: String
  /// In bytes.
  public let size: Int64
  /// As whoever uploaded it said.
  public let mediaType: String?
  /// As whoever uploaded it said, and so anything: never a path.
  public let name: String?

  public init(location: String, sha256: String, size: Int64, mediaType: String? = nil, name: String? = nil) {
    (self.location, self.sha256, self.size) = (location, sha256, size)
    (self.mediaType, self.name) = (mediaType, name)
  }

  /// Reads the member of a record.
  public init(_ reader: JSONReader) throws(JSONFault) {
    location = try reader.text("location")
    sha256 = try reader.text("hash")
    size = try reader.integer("size")
    mediaType = try reader.ifPresent("mimetype")?.text()
    name = try reader.ifPresent("filename")?.text()
    guard sha256.utf8.count == 64, sha256.utf8.allSatisfy(RemoteBlob.isHexDigit) else {
      throw reader.mismatch(expected: "64 lower-case hexadecimal digits as its hash", found: "something else")
    }
    guard size >= 0 else { throw reader.mismatch(expected: "a size of 0 or more", found: "\(size)") }
  }

  /// The member that says all this.
  public var json: JSONObject {
    var object: JSONObject = [
      "location": .string(location), "hash": .string(sha256), "size": .integer(size),
    ]
    object["mimetype"] = mediaType.map { .string($0) }
    object["filename"] = name.map { .string($0) }
    return object
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}

extension RemoteRecord {
  /// The file that is attached to the record; nil where there is none.
  ///
  /// - Throws: `JSONFault` where what the server says of it makes no sense.
  public func blob() throws(JSONFault) -> RemoteBlob? {
    guard let content, let member = content[RemoteBlob.member], !member.isNull else { return nil }
    return try RemoteBlob(JSONReader(member, of: RemoteBlob.member, named: id))
  }
}

/// A file of this device that is to be attached.
public struct BlobFile: Sendable, Equatable {
  public let path: String
  /// What others see as its name.
  public let name: String
  public let mediaType: String

  public init(path: String, name: String, mediaType: String) {
    (self.path, self.name, self.mediaType) = (path, name, mediaType)
  }
}
