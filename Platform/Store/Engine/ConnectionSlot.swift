import Foundation

/// A connection that one thread at a time can use.
///
/// proof: `connection` is private and is used nowhere but with `lock` held, for as long as `body` runs; only the
/// thread that holds it can enter again, for a read inside a read. `body` hands on only what a transaction lends
/// out (`Snapshot`, `Transaction`: neither copyable, nor with a public way to the connection), and its result
/// must be `Sendable`, which a connection isn't. `Locked` can't say this: its `body` may not pass the state to a
/// caller's closure.
final class ConnectionSlot: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let turn = NSLock()
  private var connection: Connection?

  init(_ connection: sending Connection) { self.connection = connection }

  /// - Throws: `StoreError.closed` after `close()`; what `body` throws.
  func withConnection<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try use(body)
  }

  /// The same for a thread that isn't within already, and in turn: whoever uses the connection again and again
  /// doesn't keep the others out.
  func withConnectionInTurn<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
    turn.lock()
    lock.lock()
    turn.unlock()
    defer { lock.unlock() }
    return try use(body)
  }

  /// The same if nobody uses the connection just now; nil if somebody does.
  func withConnectionIfFree<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result? {
    guard lock.try() else { return nil }
    defer { lock.unlock() }
    return try use(body)
  }

  /// Closes the connection once nobody uses it, after `body` has used it a last time.
  func close(_ body: (Connection) -> Void = { _ in }) {
    lock.lock()
    defer { lock.unlock() }
    if let connection { body(connection) }
    connection = nil
  }

  private func use<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    guard let connection else { throw StoreError.closed }
    return try body(connection)
  }
}
