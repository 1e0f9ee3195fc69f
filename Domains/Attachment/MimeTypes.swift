import Foundation

/// The media types of common files, by the ending of their names.
enum MimeTypes {
  static func type(of name: String) -> String {
    known[URL(fileURLWithPath: name).pathExtension.lowercased()] ?? "application/octet-stream"
  }

  private static let known = [
    "csv": "text/csv", "gif": "image/gif", "heic": "image/heic", "html": "text/html", "jpeg": "image/jpeg",
    "jpg": "image/jpeg", "json": "application/json", "m4a": "audio/mp4", "md": "text/markdown",
    "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "pdf": "application/pdf",
    "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "webp": "image/webp",
    "zip": "application/zip",
  ]
}
