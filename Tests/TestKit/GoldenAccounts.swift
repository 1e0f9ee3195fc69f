import FerryKernel
import FerryStore
import Foundation

/// A store with some domains' tables and two accounts that only their server tells apart.
public struct GoldenAccounts: Sendable {
  public let store: Store
  public let home: AccountStore
  public let work: AccountStore
  private let folder: GoldenFolder

  public init(_ domains: [Domain]) throws {
    folder = try GoldenFolder()
    store = try Store.open(
      at: folder.url.appendingPathComponent("ferry.sqlite"), schemas: domains.map(\.schema))
    home = try store.addAccount(AccountID(server: "home", user: "alice"))
    work = try store.addAccount(AccountID(server: "work", user: "alice"))
  }

  /// Sends records from one account to the server and back to the other, as JSON text, and reads them there.
  public func roundTrip<R: Record>(_ records: [R], through feed: Feed) throws -> [R]
  where R.Scope == AccountScope {
    try home.blockingWrite(origin: .server) { _ = try $0.upsert(records) }
    let sent = try home.blockingRead { snapshot in
      try records.map { record in
        let key = R.table.keyText(of: record)
        guard let content = try feed.encode(key, snapshot) else { throw GoldenFault("\(key) can't be sent") }
        return (key, try JSONValue.object(content).text())
      }
    }
    try work.blockingWrite(origin: .server) { transaction in
      for (key, text) in sent {
        let remote = RemoteRecord(id: key, revision: 1, content: try JSONValue.parse(text: text).objectValue)
        guard try feed.apply(remote, transaction) == .written else {
          throw GoldenFault("\(text) was not taken")
        }
      }
    }
    return try work.blockingRead { snapshot in
      try records.map { record in
        guard let found = try snapshot.find(R.self, R.table.key(of: record)) else {
          throw GoldenFault("lost")
        }
        return found
      }
    }
  }

  /// What a server's record becomes here: for records that no encoding of ours would make.
  public func apply(_ json: String, id: String = "x", to feed: Feed) throws -> Applied {
    let content = try JSONValue.parse(text: json).objectValue
    return try home.blockingWrite(origin: .server) { transaction in
      try feed.apply(RemoteRecord(id: id, revision: 1, content: content), transaction)
    }
  }
}
