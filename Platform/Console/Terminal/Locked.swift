import Foundation

/// A value behind a lock, for the few places that callers reach from any thread without
/// `await`: progress callbacks and writes to a stream. (`Mutex` needs iOS 18.)
///
/// proof: `value` is private and is read and written only in
/// `withLock`, between `lock()` and `unlock()`, so no two threads touch it at once; and what
/// goes in or comes out is itself `Sendable`, so no reference to shared state leaks through.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
