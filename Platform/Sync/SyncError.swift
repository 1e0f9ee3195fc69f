import FerryKernel
import FerryStore

/// Why the engine stops by itself.
public enum SyncError: FerryError, Equatable {
  /// Which side would lose records.
  public enum Direction: String, Sendable {
    /// This device's.
    case incoming
    /// The server's.
    case outgoing
  }

  /// The feed isn't the one that it was: its mark is gone, or is another.
  case otherServer(feed: String, account: AccountID, isGone: Bool)
  /// The plan deletes too much.
  case brake(feed: String, Direction, deletes: Int, of: Int, allowed: Int)

  public var code: String {
    switch self {
    case .otherServer: "sync.otherServer"
    case .brake: "sync.brake"
    }
  }

  public var sentence: String {
    switch self {
    case .otherServer(let feed, let account, let isGone):
      "The server's \(feed) of \(account) isn't the one that it was: its mark is \(isGone ? "gone" : "another"), "
        + "as where a server was wiped, made anew or exchanged."
    case .brake(let feed, .incoming, let deletes, let total, let allowed):
      "The server has deleted \(deletes) of the \(total) records of \(feed); up to \(allowed) go without asking."
    case .brake(let feed, .outgoing, let deletes, let total, let allowed):
      "\(deletes) of the \(total) records of \(feed) were deleted here; up to \(allowed) go without asking."
    }
  }

  public var remedy: String {
    switch self {
    case .otherServer: RemoteError.wayOn
    case .brake(_, _, let deletes, _, _):
      "Nothing of the feed was changed. If this is meant, allow \(deletes) deletes: --allow-deletes \(deletes)."
    }
  }
}

/// Why a feed wasn't synced.
public struct SyncFailure: Sendable, Equatable {
  public enum Kind: String, Sendable {
    /// The server can't be reached, or asks for time. Waiting helps.
    case network
    /// The server doesn't accept the account, or doesn't let it do this.
    case authorization
    /// The server isn't the one that it was.
    case otherServer
    /// The plan deletes too much.
    case brake
    /// Anything else.
    case fault
  }

  public let kind: Kind
  /// The error's code, for scripts.
  public let code: String
  public let reason: String
  public let remedy: String
  /// Whether the account's other feeds would fare the same.
  let stopsAccount: Bool

  init(_ error: any Error, stopsAccount: Bool = false) {
    var stops = stopsAccount
    switch error {
    case RemoteError.unreachable: (kind, stops) = (.network, true)
    // Waiting doesn't help: it is gone for good.
    case RemoteError.retired: (kind, stops) = (.fault, true)
    case RemoteError.unauthorized, RemoteError.unknownAccount: (kind, stops) = (.authorization, true)
    case RemoteError.forbidden: kind = .authorization
    case RemoteError.wentBack, RemoteError.flushed, SyncError.otherServer:
      (kind, stops) = (.otherServer, true)
    case SyncError.brake: kind = .brake
    default: kind = .fault
    }
    self.stopsAccount = stops
    if let error = error as? any FerryError {
      (code, reason, remedy) = (error.code, error.sentence, error.remedy)
    } else {
      (code, reason, remedy) = ("sync.failed", "\(error)", "Report this.")
    }
  }
}
