import Foundation

/// A connection that one thread at a time can use.
///
/// proof: `connection` is private and is used nowhere but inside `withConnection`, which holds the lock for
/// as long as `body` runs; only the thread that holds it can enter again, for a read inside a read. `body` hands on only what a transaction lends out (`Snapshot`, `Transaction`:
/// neither copyable, nor with a public way to the connection), and its result must be `Sendable`, which a
/// connection isn't. `Locked` can't say this: its `body` may not pass the state to a caller's closure.
final class ConnectionSlot: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let connection: Connection

  init(_ connection: sending Connection) { self.connection = connection }

  func withConnection<Result: Sendable>(_ body: (Connection) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(connection)
  }
}
