import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit

/// Syncs a device's cards once with a Kinto server, as a worker that cron starts does. Whoever started it may kill it at
/// any time, and it kills itself at a request now and then.
///
///     FERRY_PASSWORD=… sync-child FOLDER URL USER SEED
///
/// It says a line of JSON at a time: what it sends, what becomes of that, and what failed in the end.
@main enum SyncChild {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let seed = UInt64(arguments[4]),
      let secret = ProcessInfo.processInfo.environment["FERRY_PASSWORD"].flatMap(Secret.init)
    else { throw GoldenFault("sync-child FOLDER URL USER SEED") }
    var server = try KintoServer(name: "home", url: arguments[2])
    server.patience.firstPause = .milliseconds(20)
    server.patience.longestWish = .seconds(1)
    server.patience.tries = 3
    let now: @Sendable () -> Timestamp = {
      Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
    }
    let kinto = KintoRemote(server: server, client: CurlClient(), secret: { _ in secret }, now: now)
    var odds = ChaosRemote.Odds.none
    (odds.kill, odds.unreachable) = (2, 1)
    // Nothing is hidden, so that no cursor is put back: that is Kinto's own affair, which holds it against its goal.
    let remote = ChaosRemote(
      TellingRemote(kinto), seed: seed, odds: odds, hidden: Locked(.max), die: { kill(getpid(), SIGKILL) })

    let plan = try SyncDevice.plan()
    let store = try SyncDevice.store(in: arguments[1], plan)
    let account = try AccountID(server: "home", user: arguments[3])
    var options = SyncOptions()
    options.accounts = [account]
    let report = try await SyncRun(
      plan: plan, store: store, remotes: Remotes(["home": remote]), log: RecordingLog(), now: now,
      options: options
    ).run()
    await store.close()
    for case .failed(let failure) in report.units.map(\.outcome) {
      say(["failed": .string(failure.kind.rawValue), "reason": .string(failure.reason)])
    }
    say(["end": true])
  }

  /// Nothing is buffered: a process that is killed has said what it said.
  static func say(_ line: JSONObject) {
    guard let bytes = try? JSONValue.object(line).bytes() else { return }  // why: all of it is text
    FileHandle.standardOutput.write(Data(bytes + [0x0a]))
  }
}

/// Says what is pushed before it is, and afterwards what of it certainly wasn't done.
private struct TellingRemote: Remote {
  private let base: any Remote

  init(_ base: any Remote) { self.base = base }

  func push(_ changes: [RemoteChange], to feed: String, of account: AccountID) async throws -> [PushOutcome] {
    for change in changes {
      guard let key = change.saidKey else { continue }
      SyncChild.say(["sends": .string(key), "tags": change.content?["tags"] ?? []])
    }
    let outcomes: [PushOutcome]
    do {
      outcomes = try await base.push(changes, to: feed, of: account)
    } catch {
      for key in changes.compactMap(\.saidKey) { SyncChild.say(["not": .string(key)]) }
      throw error
    }
    for (change, outcome) in zip(changes, outcomes) {
      guard let key = change.saidKey else { continue }
      switch outcome {
      case .done, .unknown: break
      case .gone, .conflict, .poisoned, .retry: SyncChild.say(["not": .string(key)])
      }
    }
    return outcomes
  }

  func session(of account: AccountID) async throws -> RemoteSession { try await base.session(of: account) }
  func changes(in feed: String, of account: AccountID, from position: PullPosition, limit: Int) async throws
    -> RemotePage
  {
    try await base.changes(in: feed, of: account, from: position, limit: limit)
  }
  func count(in feed: String, of account: AccountID) async throws -> Int {
    try await base.count(in: feed, of: account)
  }
  func listing(of feed: String, of account: AccountID, after cursor: String?, limit: Int) async throws
    -> RemoteListing
  {
    try await base.listing(of: feed, of: account, after: cursor, limit: limit)
  }
  func record(_ id: String, in feed: String, of account: AccountID) async throws -> RemoteRecord? {
    try await base.record(id, in: feed, of: account)
  }
  func mark(of feed: String, of account: AccountID) async throws -> String? {
    try await base.mark(of: feed, of: account)
  }
  func setMark(_ mark: String, of feed: String, of account: AccountID) async throws -> String {
    try await base.setMark(mark, of: feed, of: account)
  }
  func download(_ blob: RemoteBlob, of account: AccountID, to path: String) async throws {
    try await base.download(blob, of: account, to: path)
  }
  func upload(_ file: BlobFile, to record: String, in feed: String, of account: AccountID) async throws -> (
    blob: RemoteBlob, revision: Int64
  ) {
    try await base.upload(file, to: record, in: feed, of: account)
  }
}

extension RemoteChange {
  /// Of a change to a record that is there: which, and from what it starts.
  fileprivate var saidKey: String? {
    if case .revision(let base) = precondition { "\(id) \(base)" } else { nil }
  }
}
