/// Paths as configuration files write them: relative to the file's folder, or absolute.
enum ConfiguredPath {
  /// `path` as seen from `folder`. `..` stays as it is: behind a symbolic link it isn't the folder before it.
  static func resolved(_ path: String, against folder: String) -> String {
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    return isAbsolute || folder.isEmpty ? tidied(path) : tidied("\(folder)/\(path)")
  }

  /// A form in which two ways to write one path compare as the same, as far as text can tell.
  static func comparable(_ path: String) -> [UInt8] {
    var parts: [Substring] = []
    for part in tidied(path).split(separator: "/") {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return Array(((path.utf8.first == UInt8(ascii: "/") ? "/" : "") + parts.joined(separator: "/")).utf8)
  }

  /// What stands behind the last slash.
  static func lastPart(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Without empty parts and without `.`.
  private static func tidied(_ path: String) -> String {
    let root = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return root.isEmpty && parts.isEmpty ? "." : root + parts
  }
}
