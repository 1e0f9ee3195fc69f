import Foundation

/// A value that only one thread at a time can reach: what `Synchronization.Mutex` is, which iOS 17 lacks.
///
/// proof: `state` is private and is touched nowhere but inside `withLock`, which holds the lock for as long
/// as `body` runs. `body` gets it as `inout sending` and gives back a `sending` result, so the compiler
/// refuses a body that keeps the value, or a part of it, beyond the lock.
package final class Locked<State>: @unchecked Sendable {
  private let lock = NSLock()
  private var state: State

  package init(_ state: sending State) { self.state = state }

  package func withLock<Result>(_ body: (inout sending State) throws -> sending Result) rethrows
    -> sending Result
  {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
