/// Gathers output into pieces worth a system call.
struct OutputBuffer {
  var bytes: [UInt8] = []
  private let write: RealmExport.Write
  private static let pieceSize = 1 << 16

  init(_ write: @escaping RealmExport.Write) { self.write = write }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes if enough has gathered.
  mutating func drain() throws {
    if bytes.count >= Self.pieceSize { try flush() }
  }

  mutating func flush() throws {
    try bytes.withUnsafeBytes(write)
    bytes.removeAll(keepingCapacity: true)
  }
}
