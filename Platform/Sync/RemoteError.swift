import FerryKernel
import FerryStore

/// What a server refuses, or answers wrongly.
public enum RemoteError: FerryError, Equatable {
  /// It can't be reached now, or answers that it can't work now. Waiting may help.
  case unreachable(server: String, why: String)
  /// It doesn't accept the account's secret.
  case unauthorized(AccountID, why: String)
  /// The account may not do this.
  case forbidden(AccountID, what: String)
  /// It doesn't have the account.
  case unknownAccount(AccountID)
  /// It doesn't have the feed for this account.
  case missingFeed(feed: String, account: AccountID)
  /// It takes no changes now.
  case readOnly(server: String)
  /// The service has ended for good.
  case retired(server: String, message: String)
  /// The feed is at an earlier revision than it was: it was restored from a backup, or is another's.
  case wentBack(feed: String, from: Int64, to: Int64)
  /// The feed moved on but holds no change since: it was emptied and made anew.
  case flushed(feed: String, from: Int64, to: Int64)
  /// It refuses the request itself, and would again.
  case refused(what: String, why: String)
  /// It answered something that is no page of a feed.
  case badAnswer(where: String, why: String)
  /// A file isn't on the server any more: it was replaced or deleted.
  case blobGone(location: String)
  /// What came isn't the file that the record speaks of.
  case blobDiffers(location: String, why: String)
  /// A file's record isn't there, or not any more.
  case missingRecord(String, feed: String)
  /// A file is larger than the server takes.
  case blobTooLarge(name: String, why: String)
  /// A file can't be taken now; another time it may be.
  case blobFailed(name: String, why: String)
  /// It keeps no files, or not now.
  case keepsNoFiles(server: String)
  /// An account names a server that isn't configured.
  case unknownServer(String)

  public var code: String {
    switch self {
    case .unreachable: "sync.unreachable"
    case .unauthorized: "sync.unauthorized"
    case .forbidden: "sync.forbidden"
    case .unknownAccount: "sync.unknownAccount"
    case .missingFeed: "sync.missingFeed"
    case .readOnly: "sync.readOnly"
    case .retired: "sync.retired"
    case .wentBack: "sync.wentBack"
    case .flushed: "sync.flushed"
    case .refused: "sync.refused"
    case .badAnswer: "sync.badAnswer"
    case .blobGone: "sync.blobGone"
    case .blobDiffers: "sync.blobDiffers"
    case .missingRecord: "sync.missingRecord"
    case .blobTooLarge: "sync.blobTooLarge"
    case .blobFailed: "sync.blobFailed"
    case .keepsNoFiles: "sync.keepsNoFiles"
    case .unknownServer: "sync.unknownServer"
    }
  }

  public var sentence: String {
    switch self {
    case .unreachable(let server, let why): "The server \(server) can't be reached: \(why)."
    case .unauthorized(let account, let why): "The server doesn't accept the secret of \(account): \(why)."
    case .forbidden(let account, let what): "The server doesn't let \(account) \(what)."
    case .unknownAccount(let account): "The server doesn't know the account \(account)."
    case .missingFeed(let feed, let account): "The server has no \(feed) for \(account)."
    case .readOnly(let server): "The server \(server) takes no changes now."
    case .retired(let server, let message): "The server \(server) has ended its service: \(message)."
    case .wentBack(let feed, let from, let to):
      "The server's \(feed) went back from revision \(from) to \(to): a backup was restored, or it is another server."
    case .flushed(let feed, let from, let to):
      "The server's \(feed) went on from revision \(from) to \(to) and holds nothing in between: "
        + "it was emptied and made anew."
    case .refused(let what, let why): "The server refuses \(what): \(why)."
    case .badAnswer(let place, let why): "\(place) is no record of a feed: \(why)."
    case .blobGone(let location): "The file \(location) isn't on the server any more."
    case .blobDiffers(let location, let why): "What came from \(location) isn't the file: \(why)."
    case .missingRecord(let record, let feed): "The server has no \(record) of \(feed)."
    case .blobTooLarge(let name, let why): "The server doesn't take the file \(name): \(why)."
    case .blobFailed(let name, let why): "The server didn't take the file \(name): \(why)."
    case .keepsNoFiles(let server): "The server \(server) keeps no files."
    case .unknownServer(let server): "No server called \(server) is configured."
    }
  }

  public var remedy: String {
    switch self {
    case .unreachable: "Try again once it can."
    case .unauthorized: "Check the account's name and secret in ferry.yaml; nothing was changed here."
    case .forbidden: "Ask who runs the server for the right, or check the bucket in ferry.yaml."
    case .unknownAccount: "Check the account's name in ferry.yaml."
    case .missingFeed: "Check that the server holds this account's data; nothing was changed here."
    case .readOnly: "Try again once it does; what waits to be sent stays."
    case .retired: "Point ferry.yaml at another server; what waits to be sent stays."
    case .wentBack, .flushed: RemoteError.wayOn
    case .refused: "Report this; nothing was changed here."
    case .badAnswer: "Mend it on the server; nothing of this page was taken."
    case .blobGone: "Pull the record again."
    case .blobDiffers: "Try again; if it stays so, upload the file anew from a device that has it."
    case .missingRecord: "Sync again: its record goes first."
    case .blobTooLarge: "Make it smaller, or raise the server's limit."
    case .blobFailed: "The next sync sends it again."
    case .keepsNoFiles: "Ask who runs it; files stay here until it does."
    case .unknownServer: "Add it under `servers` in ferry.yaml."
    }
  }
}

extension RemoteError {
  /// What may be done where a server isn't the one that it was.
  static let wayOn =
    "Nothing was changed here. Find out what happened; then either take the server's state (--from-server) or "
    + "send it this device's (--from-device)."
}
