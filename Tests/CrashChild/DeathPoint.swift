import FerryKernel
import FerryStore
import TestKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the process dies.
enum DeathPoint: Sendable {
  /// When this is logged: the kernel logs a phase right after the commit that ends it.
  case logged(String)
  /// Within the transaction that restores an entity's first page, after its rows were written.
  case page(entity: String, user: String)
  /// Within the transaction of a table's first page from the server, after its records were written.
  case refill(table: String, user: String)
  /// Before an operation on a file whose path ends so.
  case file(operation: String, path: String)
  /// Between the crossing and the draining of the log.
  case drain
  /// Nowhere, but it takes the lock, says so and waits for a line.
  case untilTold

  /// Reads `logged item: reset`, `page item alice`, `refill item alice`, `file rename item.ndjson`, `drain`, `wait`.
  init(_ text: String) throws {
    let words = text.split(separator: " ").map(String.init)
    switch (words.first, words.count) {
    case ("logged", 3): self = .logged("\(words[1]) \(words[2])")
    case ("page", 3): self = .page(entity: words[1], user: words[2])
    case ("refill", 3): self = .refill(table: words[1], user: words[2])
    case ("file", 3): self = .file(operation: words[1], path: words[2])
    case ("drain", 1): self = .drain
    case ("wait", 1): self = .untilTold
    default: throw GoldenFault("there is no point \(text)")
    }
  }
}

/// Ends the process as a crash ends it: nothing is flushed, closed or rolled back.
func die() { kill(getpid(), SIGKILL) }

struct DeadlyLog: LogSink {
  let base: any LogSink
  let point: DeathPoint?

  func append(_ line: LogLine) {
    base.append(line)
    if case .logged(line.message)? = point { die() }
  }
}

final class DeadlyPage: CrossingPage {
  private let base: any CrossingPage
  private let user: String

  init(base: any CrossingPage, user: String) { (self.base, self.user) = (base, user) }

  func place(
    _ row: LegacyRow, as kind: RowKind, of account: AccountStore,
    in transaction: borrowing Transaction<DeviceScope>
  ) throws -> Placement {
    try base.place(row, as: kind, of: account, in: transaction)
  }
  func replay(_ row: LegacyRow, as kind: RowKind, of account: AccountID) {
    base.replay(row, as: kind, of: account)
  }
  func flush(to account: AccountStore, in transaction: borrowing Transaction<DeviceScope>) throws {
    try base.flush(to: account, in: transaction)
    if account.id.user == user { die() }
  }
  func keyText(of row: LegacyRow, account: AccountID) throws -> String {
    try base.keyText(of: row, account: account)
  }
  func takeNotes() -> RowNotes { base.takeNotes() }
  func standing(of row: LegacyRow, account: AccountStore, in transaction: borrowing Transaction<DeviceScope>)
    throws -> Standing
  {
    try base.standing(of: row, account: account, in: transaction)
  }
}

struct DeadlyRefill: Refill {
  let base: any Refill
  let point: DeathPoint?

  func forget(_ domain: Domain, of account: AccountStore, in transaction: borrowing Transaction<DeviceScope>)
    throws
  {
    try base.forget(domain, of: account, in: transaction)
  }

  func refill(
    _ domain: Domain, of account: AccountStore,
    onPage:
      @escaping @Sendable (_ table: String, _ written: Int, borrowing Transaction<DeviceScope>) throws -> Void
  ) async throws {
    let user = account.id.user
    try await base.refill(domain, of: account) { [point] table, written, transaction in
      try onPage(table, written, transaction)
      if case .refill(table, user)? = point { die() }
    }
  }
}
