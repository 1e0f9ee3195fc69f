import Foundation

/// A value that only one thread at a time can reach, and that a thread may leave alone rather than wait for.
///
/// proof: `state` is private and is touched nowhere but inside `withLock` and `withLockIfFree`, which hold the lock
/// for as long as `body` runs. `body` gets it as `inout sending` and gives back a `sending` result, so the compiler
/// refuses a body that keeps the value, or a part of it, beyond the lock.
final class FreeLocked<State>: @unchecked Sendable {
  private let lock = NSLock()
  private var state: State

  init(_ state: sending State) { self.state = state }

  func withLock<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }

  /// - Returns: nil where another thread, or this one further up, has it; `body` wasn't run then.
  func withLockIfFree<Result>(_ body: (inout sending State) throws -> sending Result) rethrows
    -> sending Result?
  {
    guard lock.try() else { return nil }
    defer { lock.unlock() }
    return try body(&state)
  }
}
