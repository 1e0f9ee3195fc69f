import FerryStore
import Testing

@Suite struct `A query begun while the same query is running` {
  let mailbox: Mailbox

  init() throws {
    mailbox = try Mailbox()
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert([
        Folder("a"), Folder("b", parent: "a"), Folder("c", parent: "a"), Folder("d", parent: "b"),
      ])
    }
  }

  private func children(_ parent: String?) -> Query<Folder> {
    let id = parent.flatMap { Identifier<Folder>($0) }
    return Folder.where { $0.parent == id }
  }

  private func walk(_ snapshot: borrowing Snapshot<AccountScope>, _ parent: String?, _ seen: inout [String])
    throws
  {
    var found: [String] = []
    // One shape of SQL on every level, each run inside the one above.
    try snapshot.forEach(children(parent)) { folder in
      found.append(folder.id.rawValue)
      var below: [String] = []
      try walkAgain(snapshot, folder.id.rawValue, &below)
      found += below
    }
    seen += found
  }

  private func walkAgain(
    _ snapshot: borrowing Snapshot<AccountScope>, _ parent: String?, _ seen: inout [String]
  ) throws {
    try walk(snapshot, parent, &seen)
  }

  @Test func `has a statement of its own, so that a tree can be walked`() throws {
    let seen = try mailbox.account.blockingRead { snapshot in
      var seen: [String] = []
      try walk(snapshot, nil, &seen)
      return seen
    }
    #expect(seen == ["a", "b", "d", "c"])
  }

  @Test func `leaves the outer one whole when it throws`() throws {
    struct Enough: Error {}
    let counts = try mailbox.account.blockingRead { snapshot in
      var count = 0
      try snapshot.forEach(Folder.all) { _ in
        count += 1
        do { try snapshot.forEach(Folder.all) { _ in throw Enough() } } catch is Enough {}
      }
      return count
    }
    #expect(counts == 4)
  }

  @Test func `in a write sees each row once, though the rows are changed meanwhile`() throws {
    let names = try mailbox.account.blockingWrite { transaction in
      var names: [String] = []
      for folder in try transaction.fetch(Folder.all) {
        var renamed = folder
        renamed.name = try "\(transaction.count(Folder.where { $0.name == "" }))"
        try transaction.upsert(renamed)
        names.append(renamed.name)
      }
      return names
    }
    #expect(names == ["4", "3", "2", "1"])
  }

  @Test func `after one that was left half-way finds everything`() throws {
    struct Enough: Error {}
    for _ in 0..<2 {
      #expect(throws: Enough.self) {
        try mailbox.account.blockingRead { try $0.forEach(Folder.all) { _ in throw Enough() } }
      }
    }
    #expect(try mailbox.account.blockingRead { try $0.count(Folder.all) } == 4)
    #expect(try mailbox.account.blockingRead { try $0.fetch(Folder.all) }.count == 4)
  }
}
