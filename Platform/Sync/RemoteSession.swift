import FerryStore

/// Who the server takes an account for, and what it allows.
public struct RemoteSession: Sendable, Equatable {
  /// The account's name on the server.
  public let user: String
  /// How many changes are best pushed at once; the server takes no fewer.
  public let batchLimit: Int
  /// Whether the server takes no changes now: pull, and push another time.
  public let isReadOnly: Bool
  /// Whether the server keeps files.
  public let keepsBlobs: Bool

  public init(user: String, batchLimit: Int, isReadOnly: Bool, keepsBlobs: Bool) {
    (self.user, self.batchLimit) = (user, batchLimit)
    (self.isReadOnly, self.keepsBlobs) = (isReadOnly, keepsBlobs)
  }
}

/// What a server asks of whoever speaks to it, beside its answers.
public struct RemoteNotice: Sendable, Equatable {
  /// Nothing should be asked of the server before this time. It is to be kept on disk, since cron starts the
  /// next run in a process of its own.
  public var notBefore: Timestamp?
  /// That the service will end or has ended; for a person to read, once.
  public var alert: String?

  public init(notBefore: Timestamp? = nil, alert: String? = nil) {
    (self.notBefore, self.alert) = (notBefore, alert)
  }
}

/// What has gone over the wire.
public struct RemoteTraffic: Sendable, Equatable {
  public var requests = 0
  /// Bytes of bodies, as they went over the wire.
  public var sent: Int64 = 0
  public var received: Int64 = 0

  public init() {}

  public static func += (left: inout RemoteTraffic, right: RemoteTraffic) {
    left.requests += right.requests
    left.sent += right.sent
    left.received += right.received
  }

  static func - (later: RemoteTraffic, earlier: RemoteTraffic) -> RemoteTraffic {
    var difference = later
    difference.requests -= earlier.requests
    difference.sent -= earlier.sent
    difference.received -= earlier.received
    return difference
  }
}

extension Remote {
  /// None: most remotes never ask for anything.
  public func notice(of account: AccountID) -> RemoteNotice { RemoteNotice() }
  /// None: most remotes have no wire.
  public var traffic: RemoteTraffic { RemoteTraffic() }
}
