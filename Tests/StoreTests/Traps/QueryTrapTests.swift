import Foundation
import Testing

@testable import FerryStore

/// Each first does what was done, and sees it fail; then what Ferry does.
@Suite struct `The traps of queries` {
  let mailbox: Mailbox
  var account: AccountStore { mailbox.account }

  init() throws {
    mailbox = try Mailbox()
    try account.blockingWrite {
      try $0.insert([Folder("p"), Folder("a", kind: .archived), Folder("s", kind: .unknown("smart"))])
    }
  }

  private func ids(_ query: Query<Folder>) throws -> [String] {
    try account.blockingRead { try $0.fetch(query).map(\.id.rawValue) }
  }

  @Test func `Q1: an enum in a predicate compiles and finds nothing`() throws {
    // The faulty way: what Swift calls the case is bound, not what is stored; and nobody hears of it.
    let faulty = try account.blockingRead { snapshot in
      try snapshot.access.session.connection.integer(
        "SELECT count(*) FROM folder WHERE kind = ?", acrossAccounts: "a test"
      ) {
        try $0.bind("\(FolderKind.self).\(FolderKind.primary)", 1)
      }
    }
    #expect(faulty == 0)

    #expect(try ids(Folder.where { $0.kind == .primary }) == ["p"])
    #expect(try ids(Folder.where { $0.kind != .primary }) == ["a", "s"])
    #expect(try ids(Folder.where { [.archived, .unknown("smart")].contains($0.kind) }) == ["a", "s"])
    #expect(try ids(Folder.where { $0.kind == .unknown("smart") }) == ["s"])
  }

  @Test func `Q2: a value that this build doesn't know turns into another`() throws {
    // The faulty way.
    enum Closed: String { case primary, archived }
    #expect((Closed(rawValue: "smart") ?? .primary) == .primary)

    let key = Identifier<Folder>(known: "s")
    var folder = try #require(try account.blockingRead { try $0.find(Folder.self, key) })
    #expect(folder.kind.rawValue == "smart")
    folder.name = "renamed"
    try account.blockingWrite { try $0.upsert(folder) }
    let stored = try account.blockingRead { try $0.row(of: Folder.table.declaration, key: .text("s")) }
    #expect(stored?[2] == .text("smart"))
  }

  @Test func `Q3: the account's condition is forgotten once`() throws {
    let other = try mailbox.store.addAccount(AccountID(server: "work", user: "alice"))
    try other.blockingWrite { try $0.insert([Folder("p", name: "not alice's at home"), Folder("w")]) }
    // The faulty way: a statement that a person writes by hand.
    let faulty = try account.blockingRead {
      try $0.access.session.connection.integer(
        "SELECT count(*) FROM folder WHERE kind = 'primary'", acrossAccounts: "a test")
    }
    #expect(faulty == 3)

    // Ferry's: every statement over an account's table binds its account, whatever is asked.
    #expect(try ids(Folder.where { $0.kind == .primary || !($0.kind == .primary) }) == ["a", "p", "s"])
    var renderer = Renderer(Folder.table.declaration, account: 42)
    try renderer.select([.sql("*")], Folder.where { $0.name == "x" || $0.name == "y" })
    #expect(renderer.sql.contains("WHERE \"folder\".\"account_key\" = ?1 AND (("))
    #expect(renderer.parameters.first == .integer(42))
    // So does what it joins and what it looks for beside its rows, each table by itself.
    let wide = Folder.where { folder in
      folder.joined(Folder.self, by: \.parent).name == "not alice's at home"
        || folder.has(Folder.self, by: \.parent) {
          $0.joined(Folder.self, by: \.parent).name == "x"
            || $0.has(Folder.self, by: \.parent) { $0.kind == .primary }
        }
    }
    renderer = Renderer(Folder.table.declaration, account: 42)
    try renderer.select([.sql("*")], wide)
    let mentions = renderer.sql.ranges(of: "FROM \"folder\"") + renderer.sql.ranges(of: "JOIN \"folder\"")
    #expect(mentions.count == 5)
    #expect(renderer.sql.ranges(of: ".\"account_key\" = ?1").count == mentions.count)
    try account.blockingWrite { try $0.upsert(Folder("a", kind: .archived, parent: "w")) }
    #expect(try ids(Folder.where { $0.joined(Folder.self, by: \.parent).id != nil }) == [])
    try other.blockingWrite { try $0.insert(Folder("x", parent: "p")) }
    #expect(try ids(Folder.where { $0.has(Folder.self, by: \.parent) }) == [])
    let fixed = Folder.table.sql
    for sql in [fixed.find, fixed.delete, fixed.deleteAll] {
      #expect(sql.contains("WHERE \"account_key\" = ?"))
    }
    #expect(
      fixed.insert.contains("(\"account_key\", ")
        && fixed.upsert.contains("ON CONFLICT (\"account_key\", \"id\")"))
  }
}
