/// Memory for what is bound to a statement, so that SQLite needn't make a copy of its own for each text.
///
/// proof: `chunk` and those in `outgrown` are made here and freed with this value, which its statement keeps. The
/// statement is reset, and so reads none of it, before `clear()` lets the memory be written over.
final class Arena {
  private var chunk: UnsafeMutableRawBufferPointer
  private var used = 0
  /// Too small for the run that is under way, whose values are in them.
  private var outgrown: [UnsafeMutableRawBufferPointer] = []

  /// What is larger isn't kept: SQLite copies it, and frees the copy.
  static let largest = 16 << 10

  init() { chunk = .allocate(byteCount: 0, alignment: 1) }

  deinit {
    chunk.deallocate()
    for chunk in outgrown { chunk.deallocate() }
  }

  /// Copies bytes to where they stay until `clear()`.
  func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    if chunk.count - used < bytes.count { grow(by: bytes.count) }
    guard let start = chunk.baseAddress.map({ $0 + used }) else { return nil }
    if let source = bytes.baseAddress { start.copyMemory(from: source, byteCount: bytes.count) }
    used += bytes.count
    return UnsafeRawPointer(start)
  }

  /// Lets go of what was kept.
  func clear() {
    used = 0
    guard !outgrown.isEmpty else { return }
    for chunk in outgrown { chunk.deallocate() }
    outgrown = []
  }

  private func grow(by count: Int) {
    outgrown.append(chunk)
    chunk = .allocate(byteCount: max(256, chunk.count * 2, count), alignment: 1)
    used = 0
  }
}
