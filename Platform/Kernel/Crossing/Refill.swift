import FerryStore

/// How a domain's rows come back from the server. The kernel declares it; the sync engine is it.
public protocol Refill: Sendable {
  /// Forgets how far the domain's feeds were pulled, so that the refill starts at the beginning. Called in
  /// the transaction that empties the domain's tables.
  func forget(_ domain: Domain, of account: AccountStore, in transaction: borrowing Transaction<DeviceScope>)
    throws

  /// Pulls everything that the server holds of the domain, from where an interrupted refill stopped.
  ///
  /// - Parameters:
  ///   - onPage: called inside each page's transaction with the table and the number of records written.
  /// - Throws: `RefillInterrupted` where the server can't be reached: pages already committed stay.
  func refill(
    _ domain: Domain, of account: AccountStore,
    onPage:
      @escaping @Sendable (_ table: String, _ written: Int, borrowing Transaction<DeviceScope>) throws -> Void
  ) async throws
}

/// The server can't be reached: a reason to wait, not a failure.
public struct RefillInterrupted: FerryError {
  public let server: String
  public let why: String
  public init(server: String, why: String) { (self.server, self.why) = (server, why) }
  public var code: String { "kernel.waitingForNetwork" }
  public var sentence: String { "The server \(server) can't be reached: \(why)." }
  public var remedy: String { "Run the crossing again once it can; what has crossed stays." }
}
