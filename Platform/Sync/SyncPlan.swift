import FerryKernel
import FerryStore

/// What a run does to one feed of one account, made before anything of it is written. A dry run shows it, and the run
/// carries out this very plan or stops at it.
public struct FeedPlan: Sendable, Equatable {
  /// What local changes do on the server.
  public struct Outgoing: Sendable, Equatable {
    /// Records made or changed.
    public var written = 0
    public var deleted = 0

    public init() {}
  }

  public let account: AccountID
  public let feed: String
  /// What the server's changes do here; nil where the device has nothing yet that could be deleted or be in conflict: then the pages are applied as
  /// they come, uncounted. A dry run always counts.
  public var incoming: PullCounts?
  public var outgoing = Outgoing()
  /// How many records the server is known to hold: what shares are of.
  public var known = 0
  /// How many deletes pass in each direction.
  public var allowedDeletes = 0
  /// What begins with this run, where the server isn't the one that it was.
  public var takeover: Takeover?

  /// The deletes that are too many; nil where the plan may be carried out.
  public var objection: SyncError? {
    for (direction, deletes) in [
      (SyncError.Direction.incoming, incoming?.deleted ?? 0), (.outgoing, outgoing.deleted),
    ] where deletes > allowedDeletes {
      return .brake(feed: feed, direction, deletes: deletes, of: known, allowed: allowedDeletes)
    }
    return nil
  }

  init(account: AccountID, feed: String) { (self.account, self.feed) = (account, feed) }
}
