import FerryKernel
import FerryStore
import FerrySync
import Foundation
import ItemDomain
import TestKit

/// A build of which the items' keys are made in another way than those of the build before it (traps K4).
///
///     crash-child FOLDER rekey-before
///     crash-child FOLDER rekey [POINT]
///
/// The points are `opened`, `asked FEED USER N` for the Nth page, and `applied N` within the transaction that
/// applies the Nth item of all. It prints what it asked the server for.
enum KeyChange {
  /// Puts the items that have crossed under keys of the old kind. Those that were never sent go: a key change
  /// waits until everything is pushed.
  static func prepare(_ store: Store) throws {
    for user in Golden.users {
      try store.account(AccountID(server: "home", user: user)).blockingWrite(origin: .server) { transaction in
        for item in try transaction.fetch(Item.all) {
          let isUnsent = try transaction.isInOutbox(Item.self, item.id)
          try transaction.confirm(Item.self, item.id)
          try transaction.delete(Item.self, item.id)
          guard !isUnsent, let id = ItemID("old-\(item.id.rawValue)") else { continue }
          try transaction.upsert(
            Item(
              id: id, remoteID: item.remoteID, folder: item.folder, title: item.title, preview: item.preview,
              isRead: item.isRead, isStarred: item.isStarred, updatedAt: item.updatedAt, score: item.score,
              tags: item.tags))
        }
      }
    }
  }

  /// Opens the store as the new build does, and syncs.
  static func run(_ folder: String, _ domains: [Domain], _ point: String?) async throws {
    let applied = Locked(0)
    let rekeyed = domains.map { domain in
      // What is pushed is gone with the process that is its server.
      if domain.name == "setting" { return domain.with(feeds: []) }
      guard domain.name == "item" else { return domain }
      let feeds = domain.feeds.map { feed in
        var feed = feed
        let apply = feed.apply
        feed.apply = { record, context, transaction in
          let outcome = try apply(record, context, transaction)
          let count = applied.withLock { count in
            count += 1
            return count
          }
          if point == "applied \(count)" { die() }
          return outcome
        }
        return feed
      }
      return domain.with(feeds: feeds, changes: [.empty(Item.table.declaration.asItIs)])
    }
    let roadmap = Golden.repository.appendingPathComponent("Config/roadmap.yaml").path
    let plan = try Plan(Roadmap.load(path: roadmap), domains: rekeyed)
    let store = try Store.open(
      at: URL(fileURLWithPath: "\(folder)/ferry.sqlite"),
      schemas: plan.schemas(rooms: [Journal.schema, SyncTables.schema]))
    if point == "opened" { die() }
    let remote = try scripted()
    let asked = Locked<[String: Int]>([:])
    remote.beforePage { request in
      // `feed user@server cursor`
      let name = "asked \(request.prefix { $0 != "@" })"
      let count = asked.withLock { asked in
        asked[name, default: 0] += 1
        return asked[name] ?? 0
      }
      if point == "\(name) \(count)" { die() }
    }
    let report = try await SyncRun(
      plan: plan, store: store, remotes: Remotes(["home": remote]), log: RecordingLog(), now: FixedClock.now
    ).run()
    print(remote.requests.joined(separator: "\n"))
    await store.close()
    guard report.failures == 0 else { throw GoldenFault("\(report.units)") }
  }

  /// The demo's server as a scripted one.
  private static func scripted() throws -> ScriptedRemote {
    let remote = ScriptedRemote(pageSize: 100)
    for user in Golden.users {
      let account = try AccountID(server: "home", user: user)
      for feed in ["folders", "items", "attachments"] {
        // The same in every process, as on a server that stays.
        remote.mark(feed, account, "demo")
        let records = try GoldenRemote(user, feed).records
        for (id, record) in records.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
          guard let content = record.value.objectValue else { throw GoldenFault("\(id) is no object") }
          remote.put(feed, account, id, content)
        }
        // As far as the directory's feed, in which one was changed twice: a server doesn't go back.
        if feed == "attachments" { remote.delete(feed, account, "gone") }
      }
    }
    return remote
  }
}

extension Domain {
  fileprivate func with(feeds: [Feed], changes more: [SchemaChange] = []) -> Domain {
    Domain(
      name, summary, dependsOn: dependsOn, tables: tables, changes: changes + more, crossings: crossings,
      feeds: feeds)
  }
}
