#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads a configuration file whole, and says plainly why it can't.
enum SourceFile {
  /// The bytes of the file at `path`, at most one more than the largest that is parsed: the parser then
  /// refuses it by size without the rest ever being read.
  static func bytes(atPath path: String, for source: YAMLSource) throws(SourceFault) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(errno, path, source) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= YAMLDocument.largestSize {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault(errno, path, source) }
      guard count > 0 else { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  private static func fault(_ number: Int32, _ path: String, _ source: YAMLSource) -> SourceFault {
    let place = QuotedText(path, longest: 1024)
    switch number {
    case ENOENT, ENOTDIR:
      return source.fault(
        "missingFile", at: nil, "there is no file at \(place)", remedy: "Write the file, or correct the path."
      )
    case EISDIR:
      return source.fault(
        "unreadableFile", at: nil, "\(place) is a folder", remedy: "Give the path of the file in it.")
    case EACCES, EPERM:
      return source.fault(
        "unreadableFile", at: nil, "\(place) may not be read by this user",
        remedy: "Change the file's permissions or its owner.")
    default:
      return source.fault(
        "unreadableFile", at: nil, "\(place) can't be read: \(String(cString: strerror(number)))",
        remedy: "Check the disk and the path, then try again.")
    }
  }
}
