import FerryStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How far a spill was drained.
public struct LogMark: Sendable, Equatable {
  /// The spill's own name.
  public let spill: String
  /// In bytes.
  public let offset: Int64

  public init(spill: String, offset: Int64) { (self.spill, self.offset) = (spill, offset) }
}

/// A whole line of a spill and where it begins.
public struct SpilledLine: Sendable {
  public let offset: Int64
  public let bytes: [UInt8]

  /// The line's content; a line that can't be read becomes the message of an error, whole.
  public var line: LogLine {
    (try? JSONValue.parse(bytes)).flatMap(LogLine.init(json:))  // why: else it is kept as text, whole
      ?? LogLine(
        at: Timestamp(nanoseconds: 0), level: .error, category: "spill",
        message: String(decoding: bytes, as: UTF8.self))
  }
}

/// Whole lines of a spill, in their order, and how far they go.
public struct SpilledLines: Sendable {
  public let lines: [SpilledLine]
  public let mark: LogMark
}

/// Looks into a spill and changes nothing: what a tool reads the log with.
public struct SpillReader: Sendable {
  private let path: String
  private let files: FileOperations

  public init(path: String, files: FileOperations = FileOperations()) {
    (self.path, self.files) = (path, files)
  }

  /// What is in the file behind the marks; nil where there is no file, or none with a line.
  ///
  /// - Parameter marks: where earlier calls or drains stopped; of two of one file the further one counts.
  public func read(after marks: [LogMark]) throws -> SpilledLines? {
    guard files.isThere(path) else { return nil }
    let descriptor = try files.opened(path, O_RDONLY | O_CLOEXEC)
    defer { files.close(descriptor) }
    if lseek(descriptor, 0, SEEK_END) == 0 { return nil }
    return try files.spilledLines(descriptor, after: marks, atLeast: .max, path: path)
  }
}

extension FileOperations {
  /// The lines behind the marks, up to the last whole one. It moves the descriptor's place.
  ///
  /// - Parameter size: after so many bytes it may stop, with one line at least.
  func spilledLines(_ descriptor: Int32, after marks: [LogMark], atLeast size: Int, path: String) throws
    -> SpilledLines
  {
    let (name, end) = try spillName(descriptor, path: path)
    let start = marks.filter { $0.spill == name }.map(\.offset).reduce(end, max)
    var limit = size
    var bytes = try read(descriptor, from: start, atMost: limit, path: path)
    while bytes.count == limit, bytes.lastIndex(of: 0x0a) == nil {
      limit *= 2
      bytes = try read(descriptor, from: start, atMost: limit, path: path)
    }
    var offset = 0
    var lines: [SpilledLine] = []
    while offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0x0a) {
      // An empty one was closed by two who both took it for torn.
      if offset < end {
        lines.append(SpilledLine(offset: start + Int64(offset), bytes: Array(bytes[offset..<end])))
      }
      offset = end + 1
    }
    return SpilledLines(lines: lines, mark: LogMark(spill: name, offset: start + Int64(offset)))
  }

  /// The name in a spill's first line, and where that line ends.
  func spillName(_ descriptor: Int32, path: String) throws -> (name: String, end: Int64) {
    // More than a first line has.
    let head = try read(descriptor, from: 0, atMost: 4096, path: path)
    guard let end = head.firstIndex(of: 0x0a),
      let name = try? JSONValue.parse(head[..<end])["spill"]?.stringValue
      // why: what isn't JSON names no spill either
    else { throw KernelError.malformed(path: path, why: "its first line names no spill") }
    return (name, Int64(end + 1))
  }
}
