import FerryStore

/// Reading: Store and both C sides on one file.
enum StoreReadJobs {
  static let all: [Job] = [
    job("fetch 100,000", turns: 3, plain: 1.25, tuned: 1.25) { fixture in
      let items = try fixture.account.blockingRead { try $0.fetch(SampleItem.all) }
      try check(items.count, StoreFixture.count)
    } raw: { fixture, side in
      try check(try side.fetch(), StoreFixture.count)
    },
    job("fetch 100,000, by the initializer", turns: 3, plain: 1.25, tuned: 1.25) { fixture in
      let items = try fixture.account.blockingRead { try $0.fetch(PlainItem.all) }
      try check(items.count, StoreFixture.count)
    } raw: { fixture, side in
      try check(try side.fetch(), StoreFixture.count)
    },
    job("20,000 look-ups in one read", turns: 3, plain: 0.85, tuned: 1.2) { fixture in
      let found = try fixture.account.blockingRead { snapshot in
        var found = 0
        for key in keys where try snapshot.find(SampleItem.self, key) != nil { found += 1 }
        return found
      }
      try check(found, keys.count)
    } raw: { _, side in
      try check(try side.find(rawKeys, singly: false), keys.count)
    },
    job("20,000 look-ups, a read each", turns: 3, plain: 1, tuned: 1.25) { fixture in
      var found = 0
      for key in keys
      where try fixture.account.blockingRead({ try $0.find(SampleItem.self, key) }) != nil { found += 1 }
      try check(found, keys.count)
    } raw: { _, side in
      try check(try side.find(rawKeys, singly: true), keys.count)
    },
    job("2,000 ordered queries, limit 50", turns: 2, plain: 0.8, tuned: 1.15) { fixture in
      let found = try fixture.account.blockingRead { snapshot in
        var found = 0
        for folder in folders {
          let query = SampleItem.where { $0.folder == folder }.order { $0.updatedAt.descending }.limit(50)
          found += try snapshot.fetch(query).count
        }
        return found
      }
      try check(found, folders.count * 50)
    } raw: { _, side in
      try check(try side.list(rawFolders, limit: 50), folders.count * 50)
    },
    Job(
      name: "store: stream 1,000,000",
      work: .here {
        let account = try await Million.shared.get().0
        return Run { try await check(stream(account)) }
      },
      baselines: [
        .here {
          let side = try await Million.shared.get().1
          return Run { try await check(Int(side.stream())) }
        },
        .here {
          let side = try await Million.shared.get().2
          return Run { try await check(Int(side.stream())) }
        },
      ],
      figures: [.cpu("to plain C", to: 0, goal: 1.45), .cpu("to tuned C", to: 1, goal: 1.4)]),
  ]

  /// Adds up an account's rows, or the first ones, one at a time.
  static func stream(_ account: AccountStore, limit: Int? = nil) throws -> Int {
    let query = limit.map { SampleItem.all.limit($0) } ?? SampleItem.all
    return try account.blockingRead { snapshot in
      var sum = 0
      try snapshot.forEach(query) { item in
        sum += item.id.rawValue.utf8.count + item.folder.utf8.count + item.title.utf8.count
        sum += (item.preview?.utf8.count ?? 0) + (item.isRead ? 1 : 0) + (item.isStarred ? 1 : 0)
        sum += Int(item.updatedAt.nanoseconds & 1) + Int(item.score ?? 0)
        switch item.kind {
        case .primary: break
        case .archived: sum += 1
        case .shared: sum += 2
        case .unknown: sum += 3
        }
      }
      return sum
    }
  }

  /// What all sides must get out of streaming.
  private static let sum = Once { Int(try await Million.shared.get().1.stream()) }

  private static func check(_ sum: Int) async throws { try check(sum, try await StoreReadJobs.sum.get()) }

  /// Spread over the whole file.
  private static let keys = (0..<20_000).compactMap { SampleItems.key($0 * 7919 % StoreFixture.count) }
  private static let rawKeys = RawTexts(keys.map(\.rawValue))
  private static let folders = (0..<2000).map { SampleItems.folder($0 * 37 % SampleItems.folderCount) }
  private static let rawFolders = RawTexts(folders)

  private static func job(
    _ name: String, turns: Int, plain: Double, tuned: Double,
    _ body: @escaping @Sendable (StoreFixture) throws -> Void,
    raw: @escaping @Sendable (StoreFixture, RawStore) throws -> Void
  ) -> Job {
    Job(
      name: "store: \(name)",
      work: .here {
        let fixture = try await StoreFixture.shared.get()
        return Run { try body(fixture) }
      },
      baselines: [
        .here {
          let fixture = try await StoreFixture.shared.get()
          return Run { try raw(fixture, fixture.plain) }
        },
        .here {
          let fixture = try await StoreFixture.shared.get()
          return Run { try raw(fixture, fixture.tuned) }
        },
      ],
      turns: turns,
      figures: [.cpu("to plain C", to: 0, goal: plain), .cpu("to tuned C", to: 1, goal: tuned)])
  }

  private static func check(_ found: Int, _ expected: Int) throws {
    guard found == expected else { throw WrongResult(found: found, expected: expected) }
  }
}

/// A side of a comparison that didn't do its work.
struct WrongResult: Error, CustomStringConvertible {
  let found: Int
  let expected: Int

  var description: String { "A job found \(found) and should have found \(expected)." }
}
