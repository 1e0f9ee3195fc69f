import FerryStore

/// The lines that wait while somebody else is at the spill's file, and what became of those that couldn't.
struct SpillBuffer {
  private let most: (lines: Int, bytes: Int)
  private var waiting: [[UInt8]] = []
  private var bytes = 0
  private var dropped: (count: Int, since: Timestamp)?
  private var lost = 0
  private var firstLoss: String?

  init(lines: Int, bytes: Int) { most = (lines, bytes) }

  /// How many lines were lost, and why the first was.
  var losses: (count: Int, reason: String)? { firstLoss.map { (lost, $0) } }

  mutating func lose(_ reason: String) {
    lost += 1
    firstLoss = firstLoss ?? reason
  }

  /// Keeps a line until the file is free, or drops and counts it where there is no room.
  ///
  /// - Returns: whether nobody has been asked yet to write what waits.
  mutating func keep(_ line: [UInt8], _ at: Timestamp) -> Bool {
    guard waiting.count < most.lines, bytes + line.count <= most.bytes else {
      dropped = ((dropped?.count ?? 0) + 1, dropped?.since ?? at)
      lose("more lines were logged at once than could wait for the file")
      return waiting.isEmpty && dropped?.count == 1
    }
    waiting.append(line)
    bytes += line.count
    return waiting.count == 1 && dropped == nil
  }

  /// Takes what waits; after it a line that says how many were dropped.
  mutating func take() -> [[UInt8]] {
    if waiting.isEmpty, dropped == nil { return [] }
    var lines = waiting
    if let dropped {
      let line = LogLine(
        at: dropped.since, level: .error, category: "spill",
        message: "\(dropped.count) lines were dropped: more were logged at once than could wait for the file",
        fields: ["dropped": .integer(Int64(dropped.count))])
      if let bytes = try? line.json.bytes() {  // why: it has nothing that JSON lacks
        lines.append(bytes + [0x0a])
      }
    }
    (waiting, bytes, dropped) = ([], 0, nil)
    return lines
  }
}
