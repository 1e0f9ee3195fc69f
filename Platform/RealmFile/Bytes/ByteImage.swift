#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The plaintext of a file at contiguous addresses, filled in chunk by chunk on first touch.
///
/// The file itself is not mapped: a process that shortens a mapped file kills its readers. Address space of
/// the file's size is reserved instead, and only the chunks that are touched take memory.
final class ByteImage {
  let size: Int
  let base: UnsafeMutableRawPointer
  private let source: any ByteSource
  private let present: UnsafeMutablePointer<Bool>
  /// Chunks are 64 KiB. Of an encrypted file they are its pages: a damaged one mustn't refuse its neighbours.
  private let chunkShift: Int

  init(source: any ByteSource) throws(RealmFileError) {
    let size = source.size
    let chunkShift = source.isEncrypted ? 12 : 16
    let flags = MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
    guard size > 0, let base = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), base != MAP_FAILED
    else {
      throw .unreadable(path: source.path, reason: "There is no address space for its \(size) bytes")
    }
    let chunks = ((size - 1) >> chunkShift) + 1
    self.size = size
    self.chunkShift = chunkShift
    self.base = base
    self.source = source
    self.present = UnsafeMutablePointer<Bool>.allocate(capacity: chunks)
    self.present.initialize(repeating: false, count: chunks)
  }

  deinit {
    munmap(base, size)
    present.deallocate()
  }

  /// Makes `count` bytes at `offset` readable. The caller has checked that they lie within `size`.
  @inline(__always)
  func require(_ offset: Int, _ count: Int) throws(RealmFileError) {
    let first = offset >> chunkShift
    let last = (offset + max(count, 1) - 1) >> chunkShift
    if first == last, present[first] { return }
    try load(first, last)
  }

  private func load(_ first: Int, _ last: Int) throws(RealmFileError) {
    var chunk = first
    while chunk <= last {
      if present[chunk] {
        chunk += 1
        continue
      }
      var end = chunk + 1
      while end <= last, !present[end] { end += 1 }
      let start = chunk << chunkShift
      let stop = min(end << chunkShift, size)
      try source.fill(UnsafeMutableRawBufferPointer(start: base + start, count: stop - start), from: start)
      for index in chunk..<end { present[index] = true }
      chunk = end
    }
  }

  var isEncrypted: Bool { source.isEncrypted }

  /// Reads bytes again from the source, past what has been kept.
  func reread(_ offset: Int, _ count: Int) throws(RealmFileError) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { buffer.deallocate() }
    try source.fill(buffer, from: offset)
    return [UInt8](buffer)
  }

  func currentSize() throws(RealmFileError) -> Int {
    try source.currentSize()
  }
}
