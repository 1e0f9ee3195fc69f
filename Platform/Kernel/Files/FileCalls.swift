#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's file calls that the kernel changes a disk with, under which a test puts a disk that fails.
///
/// Each does what POSIX says of its namesake, but that a failure is the negative `errno`.
package protocol FileCalls: Sendable {
  func open(_ path: String, _ flags: Int32) -> Int32
  func close(_ descriptor: Int32)
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
  func sync(_ descriptor: Int32) -> Int32
  func rename(_ from: String, to path: String) -> Int32
  func link(_ from: String, to path: String) -> Int32
  func unlink(_ path: String) -> Int32
  /// A folder that only its owner can enter.
  func makeFolder(_ path: String) -> Int32
}

/// The system's own.
package struct SystemFileCalls: FileCalls {
  package init() {}

  /// New files are for their owner only.
  package func open(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Glibc)
      outcome(Glibc.open(path, flags, 0o600))
    #else
      outcome(Darwin.open(path, flags, 0o600))
    #endif
  }

  package func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      outcome(Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    #else
      outcome(Darwin.read(descriptor, buffer.baseAddress, buffer.count))
    #endif
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      outcome(Glibc.write(descriptor, bytes.baseAddress, bytes.count))
    #else
      outcome(Darwin.write(descriptor, bytes.baseAddress, bytes.count))
    #endif
  }

  package func sync(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      // There `fsync` leaves the bytes in the drive's own memory. Not every file system can do more.
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return outcome(fsync(descriptor))
  }

  package func rename(_ from: String, to path: String) -> Int32 {
    #if canImport(Glibc)
      outcome(Glibc.rename(from, path))
    #else
      outcome(Darwin.rename(from, path))
    #endif
  }

  package func link(_ from: String, to path: String) -> Int32 {
    #if canImport(Glibc)
      outcome(Glibc.link(from, path))
    #else
      outcome(Darwin.link(from, path))
    #endif
  }

  package func unlink(_ path: String) -> Int32 {
    #if canImport(Glibc)
      outcome(Glibc.unlink(path))
    #else
      outcome(Darwin.unlink(path))
    #endif
  }

  package func makeFolder(_ path: String) -> Int32 { outcome(mkdir(path, 0o700)) }

  private func outcome<Number: SignedInteger>(_ result: Number) -> Number {
    result < 0 ? -Number(errno) : result
  }
}
