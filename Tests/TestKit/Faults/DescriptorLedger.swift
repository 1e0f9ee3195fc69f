import FerryKernel
import FerryStore
import Foundation

/// The system's file calls, with a ledger of what was opened and closed through them: a descriptor that is closed
/// twice may by then be another thread's file.
package struct DescriptorLedger: FileCalls {
  private let system = SystemFileCalls()
  private let state = Locked((open: Set<Int32>(), strays: 0))

  private let canRead: Bool

  /// - Parameter canRead: whether files can be read; every read fails with EIO where not.
  package init(canRead: Bool = true) { self.canRead = canRead }

  /// Descriptors that nobody has closed yet.
  package var open: Int { state.withLock { $0.open.count } }
  /// Closings of what wasn't open.
  package var strays: Int { state.withLock { $0.strays } }

  package func open(_ path: String, _ flags: Int32) -> Int32 {
    let descriptor = system.open(path, flags)
    if descriptor >= 0 { state.withLock { _ = $0.open.insert(descriptor) } }
    return descriptor
  }

  package func close(_ descriptor: Int32) {
    let isOurs = state.withLock { state in
      if state.open.remove(descriptor) != nil { return true }
      state.strays += 1
      return false
    }
    if isOurs { system.close(descriptor) }
  }

  package func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    canRead ? system.read(descriptor, into: buffer) : -Int(EIO)
  }
  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    system.write(descriptor, bytes)
  }
  package func sync(_ descriptor: Int32) -> Int32 { system.sync(descriptor) }
  package func rename(_ from: String, to path: String) -> Int32 { system.rename(from, to: path) }
  package func link(_ from: String, to path: String) -> Int32 { system.link(from, to: path) }
  package func unlink(_ path: String) -> Int32 { system.unlink(path) }
  package func makeFolder(_ path: String) -> Int32 { system.makeFolder(path) }
}
