import Foundation

/// The media types of common files, by the ending of their names.
enum MimeTypes {
  static func type(of name: String) -> String {
    known[URL(fileURLWithPath: name).pathExtension.lowercased()] ?? "application/octet-stream"
  }

  /// Whether a text is a type and a subtype, each a token as RFC 9110 has it, without parameters: it becomes a header
  /// of a request.
  static func isType(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2 && text.utf8.count <= 255
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isToken) }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static let known = [
    "csv": "text/csv", "gif": "image/gif", "heic": "image/heic", "html": "text/html", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown",
    "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf",
    "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "webp": "image/webp",
    "zip": "application/zip",
  ]
}
