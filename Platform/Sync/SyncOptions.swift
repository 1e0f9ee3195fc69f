import FerryStore

/// What a run is asked to do.
public struct SyncOptions: Sendable {
  /// Only these accounts; nil: all.
  public var accounts: [AccountID]?
  /// Only the feeds of these names; nil: all.
  public var feeds: [String]?
  /// Plan and change nothing, here or on a server.
  public var isDryRun = false
  /// When a plan deletes too much.
  public var brake = Brake()
  /// That many deletes are meant, in each feed and each direction; nil: what the brake lets through.
  public var allowedDeletes: Int?
  /// The way on where a server isn't the one that it was; nil: stop.
  public var takeover: Takeover?
  /// Records a page, and so a transaction.
  public var pageSize = 1000

  public init() {}

  func covers(_ account: AccountID) -> Bool { accounts?.contains(account) ?? true }

  func covers(feed name: String) -> Bool {
    feeds?.contains { $0.utf8.elementsEqual(name.utf8) } ?? true
  }

  /// How many of so many records a run may delete.
  func allowance(of total: Int) -> Int { max(brake.limit(of: total), allowedDeletes ?? 0) }
}

/// What both sides do where a server was wiped, restored from a backup, made anew or exchanged for another.
public enum Takeover: String, Sendable {
  /// The server's state is right. Everything is pulled; a row that was synced once and that the server doesn't have is
  /// deleted here, which the brake must let through. What wasn't sent yet is kept: it is settled against the
  /// server's record, or made there.
  case fromServer
  /// This device's state is right. Everything is compared; what the server lacks is made there, and what
  /// differs is replaced there. What only the server has is pulled. Nothing is deleted but what waits to be deleted
  /// there.
  case fromDevice
}

/// When a run stops for a person, since a plan deletes more than anybody does by hand: more than `share` of what both
/// sides have, or more than `most`. A few, up to `floor`, always pass.
public struct Brake: Sendable, Equatable {
  /// Of the feed's records, from 0 to 1.
  public var share = 0.25
  /// So many deletes pass whatever their share.
  public var floor = 10
  /// More than so many never pass.
  public var most = 1000

  public init() {}

  func limit(of total: Int) -> Int { min(most, max(floor, Int(Double(total) * share))) }
}
