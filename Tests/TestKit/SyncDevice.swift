import Dispatch
import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// A device with a store in which the cards have crossed, and with accounts on servers.
public final class SyncDevice: Sendable {
  public let folder: GoldenFolder
  public let plan: Plan
  public let log = RecordingLog()
  private let opened: Locked<Store?> = Locked(nil)
  private let accounts: [AccountID]

  public static let roadmap = """
    version: 1
    domains:
      - domain: card
        strategy: copy
        legacy:
          card: {class: CardRow, fields: {id: id, title: title}}

    """ + Library.diaryStep

  /// - Parameter legacy: cards that cross by copy, each with its title; their server is asked later.
  public init(
    _ accounts: [AccountID] = [LibraryRows.alice], domains: [Domain] = [.card],
    legacy: [(id: String, title: String)] = []
  ) async throws {
    folder = try GoldenFolder()
    self.accounts = accounts
    plan = try SyncDevice.plan(domains)
    let rows = legacy.map { [LegacyValue.text($0.id), .text($0.title)] }
    let source = MemoryLegacySource(
      accounts.map { account in
        (account, [.init("CardRow", ["id", "title"], rows), .init("LineRow", ["id", "text"], [])])
      })
    let store = try self.store
    _ = try await CrossingRun(
      plan: plan, store: store, source: source, refill: FeedRefill(Remotes([]), now: FixedClock.now),
      backupFolder: folder.path("backups"), log: log, now: FixedClock.now
    ).run()
  }

  /// What crosses on every device.
  public static func plan(_ domains: [Domain] = [.card]) throws -> Plan {
    let diary = Library.diary(queue: DispatchQueue(label: "device.diary"))
    return try Plan(Roadmap.parse(text: roadmap), domains: domains + [diary])
  }

  /// The store of the device in a folder, also that of another process.
  public static func store(in folder: String, _ plan: Plan) throws -> Store {
    try Store.open(
      at: URL(fileURLWithPath: "\(folder)/ferry.sqlite"),
      schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]))
  }

  /// The store, opened where it isn't.
  public var store: Store {
    get throws {
      try opened.withLock { opened in
        if let opened { return opened }
        let store = try SyncDevice.store(in: folder.path, plan)
        opened = store
        return store
      }
    }
  }

  /// Ends the device's process; the next use begins another.
  public func restart() async {
    let store = opened.withLock { opened in
      defer { opened = nil }
      return opened
    }
    await store?.close()
  }

  public func account(_ id: AccountID? = nil) throws -> AccountStore { try store.account(id ?? accounts[0]) }

  @discardableResult
  public func sync(
    _ remotes: Remotes, options: SyncOptions = SyncOptions(), clock: any Clock<Duration> = NoWait(),
    now: @escaping @Sendable () -> Timestamp = FixedClock.now
  ) async throws -> SyncReport {
    try await SyncRun(
      plan: plan, store: store, remotes: remotes, log: log, now: now, options: options, clock: clock
    ).run()
  }

  @discardableResult
  public func sync(
    _ remote: any Remote, options: SyncOptions = SyncOptions(),
    now: @escaping @Sendable () -> Timestamp = FixedClock.now
  ) async throws -> SyncReport {
    try await sync(Remotes(["home": remote]), options: options, now: now)
  }

  // What the device holds.

  public func cards(_ account: AccountID? = nil) throws -> [Card] {
    try self.account(account).blockingRead { try $0.fetch(Card.all) }
  }

  public func card(_ id: String, _ account: AccountID? = nil) throws -> Card? {
    try CardID(id).flatMap { key in try self.account(account).blockingRead { try $0.find(Card.self, key) } }
  }

  public func outbox(_ account: AccountID? = nil) throws -> [OutboxEntry] {
    try self.account(account).blockingRead { try $0.outbox() }
  }

  public func conflicts(_ account: AccountID? = nil) throws -> [SyncConflict] {
    try self.account(account).blockingRead { try $0.fetch(SyncConflict.all) }
  }

  public func quarantine() throws -> [QuarantinedRow] {
    try store.device.blockingRead { try $0.fetch(QuarantinedRow.all) }
  }

  /// What the server last said of a card.
  public func remoteState(_ id: String) throws -> RemoteState? {
    try account().blockingRead { try $0.remoteState(of: Card.table.declaration, id) }
  }

  /// The rows of the store's file. The device's process ends before.
  public func dump() async throws -> [String] {
    await restart()
    return try StoreDump.lines(of: folder.path("ferry.sqlite"))
  }

  // What a person does.

  public func put(_ card: Card, _ account: AccountID? = nil) throws {
    try self.account(account).blockingWrite { _ = try $0.upsert(card) }
  }

  /// Changes a card that is there.
  public func edit(_ id: String, _ account: AccountID? = nil, _ change: (inout Card) -> Void) throws {
    guard var card = try card(id, account) else { throw GoldenFault("there is no card \(id)") }
    change(&card)
    try put(card, account)
  }

  public func delete(_ id: String, _ account: AccountID? = nil) throws {
    guard let key = CardID(id) else { throw GoldenFault("\(id) is a placeholder") }
    try self.account(account).blockingWrite { _ = try $0.delete(Card.self, key) }
  }
}

extension Card {
  /// A card with this id, which must be none of the placeholders.
  public static func make(_ id: String, _ change: (inout Card) -> Void = { _ in }) throws -> Card {
    guard let id = CardID(id) else { throw GoldenFault("\(id) is a placeholder") }
    var card = Card(id: id)
    change(&card)
    return card
  }

  /// The server's form of a card.
  public static func record(
    title: String = "", note: String? = nil, rank: Int64 = 0, changedAt: Int64 = 0, tags: [String] = [],
    body: String = "", kind: String = "plain"
  ) -> JSONObject {
    var record: JSONObject = [
      "title": .string(title), "rank": .integer(rank), "changedAt": .integer(changedAt),
      "tags": .array(tags.map { .string($0) }), "body": .string(body), "kind": .string(kind),
    ]
    record["note"] = note.map { .string($0) }
    return record
  }
}

/// A clock that lets nobody wait.
public struct NoWait: Clock {
  public typealias Duration = Swift.Duration
  public struct Instant: InstantProtocol {
    public var offset: Swift.Duration = .zero
    public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }
  public init() {}
  public var now: Instant { Instant() }
  public var minimumResolution: Swift.Duration { .nanoseconds(1) }
  public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
    try Task.checkCancellation()
    await Task.yield()
  }
}
