import Testing

@testable import FerryStore

@Suite struct `A connection's page cache` {
  @Test func `is small during a scan and large before and after`() throws {
    let mailbox = try Mailbox()
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert(
        (0..<Int64(PageCache.scanLength + 1)).map { Draft(id: $0, text: "", isLocal: true) })
    }
    var sizes: [Int64?] = []
    try mailbox.account.blockingRead { snapshot in
      let connection = snapshot.access.session.connection
      func note() throws { sizes.append(try connection.integer("PRAGMA cache_size")) }
      try note()
      var count = 0
      try snapshot.forEach(Draft.all) { _ in
        count += 1
        if count == PageCache.scanLength - 1 || count == PageCache.scanLength { try note() }
      }
      try note()
    }
    let (large, small) = (-Int64(PageCache.size), -Int64(PageCache.scanSize))
    #expect(sizes == [large, large, small, large])
  }

  @Test func `is large again after a scan that was broken off`() throws {
    struct Enough: Error {}
    let mailbox = try Mailbox()
    try mailbox.account.blockingWrite { transaction in
      try transaction.insert(
        (0..<Int64(PageCache.scanLength + 1)).map { Draft(id: $0, text: "", isLocal: true) })
    }
    try mailbox.account.blockingRead { snapshot in
      var count = 0
      #expect(throws: Enough.self) {
        try snapshot.forEach(Draft.all) { _ in
          count += 1
          if count > PageCache.scanLength { throw Enough() }
        }
      }
      let size = try snapshot.access.session.connection.integer("PRAGMA cache_size")
      #expect(size == -Int64(PageCache.size))
    }
  }
}
