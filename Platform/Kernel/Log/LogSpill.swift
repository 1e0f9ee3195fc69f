import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The front of the log: an append-only NDJSON file that needs no store. The Log domain drains it into its
/// table.
///
/// Its first line names the file for ever, so that what was drained is known by (file, offset) and no line is
/// drained twice. Each line is one `write` with O_APPEND, so lines of several processes don't mix. A line that
/// a crash cut off is closed by the next one who opens the file, and is kept as text.
public final class LogSpill: LogSink {
  private let path: String
  private let files: FileOperations
  private let state: Locked<State>

  fileprivate struct State {
    let descriptor: Int32
    /// Whether a write failed, so that the file may end within a line.
    var isTorn = false
    var lost = 0
    var firstLoss: String?
  }

  /// Opens the spill, making it where there is none.
  public init(path: String, files: FileOperations = FileOperations()) throws {
    self.path = path
    self.files = files
    if !files.isThere(path) { try LogSpill.make(path, files) }
    let descriptor = try files.opened(path, O_RDWR | O_APPEND | O_CLOEXEC)
    state = Locked(State(descriptor: descriptor))
    // Somebody may have emptied it instead of removing it.
    if lseek(descriptor, 0, SEEK_END) == 0 {
      try files.write(try LogSpill.firstLine(UUID().uuidString), to: descriptor, path: path)
    }
    try state.withLock { try closeTornLine(&$0) }
  }

  deinit { state.withLock { files.close($0.descriptor) } }

  public func append(_ line: LogLine) {
    let bytes: [UInt8]
    do {
      bytes = try line.json.bytes() + [0x0a]
    } catch {
      state.withLock { $0.lose("\(error)") }
      return
    }
    state.withLock { state in
      do {
        if state.isTorn { try closeTornLine(&state) }
        state.isTorn = true
        try files.write(bytes, to: state.descriptor, path: path)
        state.isTorn = false
        if line.level == .fault { try files.sync(state.descriptor, path: path) }
      } catch {
        state.lose("\(error)")
      }
    }
  }

  /// How many lines couldn't be written, and why the first couldn't. Apps say so when they end: a caller
  /// can't be told, since logging never throws.
  public var losses: (count: Int, reason: String)? {
    state.withLock { state in state.firstLoss.map { (state.lost, $0) } }
  }

  /// What is in the file from `offset` on, up to its last whole line. All of it is on the disk: whoever keeps the
  /// mark would otherwise, after a power failure, pass over lines that were written where lost ones had been.
  ///
  /// - Parameter marks: where earlier calls stopped; a file that none of them names is read from its start.
  public func read(after marks: [LogMark]) throws -> (lines: [SpilledLine], mark: LogMark) {
    try state.withLock { state in
      let head = try files.read(state.descriptor, from: 0, atMost: LogSpill.headSize, path: path)
      guard let end = head.firstIndex(of: 0x0a),
        let name = try? JSONValue.parse(head[..<end])["spill"]?.stringValue
        // why: what isn't JSON names no spill either
      else { throw KernelError.malformed(path: path, why: "its first line names no spill") }
      var start = Int64(end + 1)
      if let mark = marks.first(where: { $0.spill == name }) { start = max(start, mark.offset) }
      let bytes = try files.read(state.descriptor, from: start, path: path)
      var offset = 0
      var lines: [SpilledLine] = []
      while offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0x0a) {
        // An empty one was closed by two who both took it for torn.
        if offset < end {
          lines.append(SpilledLine(offset: start + Int64(offset), bytes: Array(bytes[offset..<end])))
        }
        offset = end + 1
      }
      if !lines.isEmpty { try files.sync(state.descriptor, path: path) }
      return (lines, LogMark(spill: name, offset: start + Int64(offset)))
    }
  }

  /// More than a first line has.
  private static let headSize = 4096

  private static func make(_ path: String, _ files: FileOperations) throws {
    // Linked into place whole, so that a second process can't append before the first line is there.
    let name = UUID().uuidString
    let temporary = "\(path).\(name)"
    try files.writeWhole(try firstLine(name), to: temporary)
    // Whoever was first has made it.
    _ = try files.link(temporary, to: path)
    try files.remove(temporary)
    try files.syncFolder(of: path)
  }

  private static func firstLine(_ name: String) throws -> [UInt8] {
    try JSONValue.object(["spill": .string(name.lowercased())] as JSONObject).bytes() + [0x0a]
  }

  private func closeTornLine(_ state: inout State) throws {
    var last: UInt8 = 0
    let size = lseek(state.descriptor, 0, SEEK_END)
    guard size > 0, pread(state.descriptor, &last, 1, size - 1) == 1, last != 0x0a else { return }
    try files.write([0x0a], to: state.descriptor, path: path)
  }
}

extension LogSpill.State {
  fileprivate mutating func lose(_ reason: String) {
    lost += 1
    firstLoss = firstLoss ?? reason
  }
}

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

extension LogLine {
  var json: JSONValue {
    var members: JSONObject = [
      "at": .integer(at.nanoseconds), "level": .integer(level.rawValue), "category": .string(category),
      "message": .string(message),
    ]
    members["account"] = account.map { .string($0.description) }
    return .object(members)
  }

  init?(json: JSONValue) {
    guard let at = json["at"]?.integerValue, let level = json["level"]?.integerValue,
      let category = json["category"]?.stringValue, let message = json["message"]?.stringValue
    else { return nil }
    self.init(
      at: Timestamp(nanoseconds: at), level: LogLevel(rawValue: level), category: category, message: message,
      account: json["account"]?.stringValue.flatMap { try? AccountID($0) })  // why: a bad name is no account
  }
}
