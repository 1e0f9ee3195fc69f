import FerryStore
import Foundation

/// Writing: every side on files of its own. Closing is part of the work, since Store leaves to it what plain C
/// does inside a commit; it isn't where single transactions are timed.
enum StoreWriteJobs {
  static let all: [Job] = [
    Job(
      name: "store: bulk insert 100,000", work: .here { try await insert(origin: .server) },
      baselines: [
        .here { try await insert(isTuned: false) }, .here { try await insert(isTuned: true) },
      ],
      figures: [.cpu("to plain C", to: 0, goal: 1.05), .cpu("to tuned C", to: 1, goal: 1.1)]),
    Job(
      name: "store: upsert 100,000, half unchanged", work: .here { try await upsert(origin: .server) },
      baselines: [
        .here { try await upsert(isTuned: false) }, .here { try await upsert(isTuned: true) },
      ],
      figures: [.cpu("to plain C", to: 0, goal: 0.75), .cpu("to tuned C", to: 1, goal: 1.15)]),
    Job(
      name: "store: 1,000 single transactions", work: .here { try await singly(origin: .server) },
      baselines: [
        .here { try await singly(isTuned: false) }, .here { try await singly(isTuned: true) },
      ], turns: 2,
      figures: [.wall("to plain C", to: 0, goal: 0.8), .wall("to tuned C", to: 1, goal: 1.1)]),
    Job(
      name: "store: tracked insert 100,000", work: .here { try await insert(origin: .local) },
      baselines: [.here { try await insert(origin: .server) }],
      figures: [.cpu("to untracked", goal: 1.8)]),
    Job(
      name: "store: tracked upsert 100,000", work: .here { try await upsert(origin: .local) },
      baselines: [.here { try await upsert(origin: .server) }],
      figures: [.cpu("to untracked", goal: 1.8)]),
    Job(
      name: "store: 1,000 tracked transactions", work: .here { try await singly(origin: .local) },
      baselines: [.here { try await singly(origin: .server) }], turns: 2,
      figures: [.wall("to untracked", goal: 1.8)]),
    Job(
      name: "store: 5,000 transactions", work: .gauge { try await slowestOfStore() },
      baselines: [.gauge { try await slowestOfC() }],
      figures: [
        .gauge("slowest to plain C", to: 0, goal: 0.2),
        Figure(name: "write-ahead log", unit: "MB", goal: Double(64 << 20) / 1_000_000) { _, _ in
          logSizes.withLock { $0.max() ?? 0 }
        },
      ]),
  ]

  private static func insert(origin: Origin) async throws -> Run {
    let fixture = try await StoreFixture.shared.get()
    let account = try StoreFixture.open(try fixture.fresh("insert"))
    return Run {
      try account.blockingWrite(origin: origin) { try $0.insert(fixture.items) }
      await account.store.close()
    }
  }

  private static func insert(isTuned: Bool) async throws -> Run {
    let fixture = try await StoreFixture.shared.get()
    let store = OnlyReference(try RawStore(try fixture.fresh("insert-raw"), isTuned: isTuned))
    try store.get().make(like: fixture.model)
    return Run {
      try store.get().insert(fixture.raw)
      store.release()
    }
  }

  private static func upsert(origin: Origin) async throws -> Run {
    let fixture = try await StoreFixture.shared.get()
    let turn = try await nextTurn("upsert-store-\(origin)")
    let account = try StoreFixture.open(turn.url)
    return Run {
      let items = turn.isOdd ? fixture.changed : fixture.items
      let counts = try account.blockingWrite(origin: origin) { try $0.upsert(items) }
      await account.store.close()
      guard counts.updated == StoreFixture.count / 2 else {
        throw WrongResult(found: counts.updated, expected: StoreFixture.count / 2)
      }
    }
  }

  private static func upsert(isTuned: Bool) async throws -> Run {
    let fixture = try await StoreFixture.shared.get()
    let turn = try await nextTurn("upsert-raw-\(isTuned)")
    let store = OnlyReference(try RawStore(turn.url, isTuned: isTuned))
    return Run {
      try store.get().upsert(turn.isOdd ? fixture.rawChanged : fixture.raw)
      store.release()
    }
  }

  private static func singly(origin: Origin) async throws -> Run {
    let turn = try await nextTurn("singly-store-\(origin)")
    let account = try StoreFixture.open(turn.url)
    let items = try await singles(turn.number, 1000)
    return Run {
      for item in items { try account.blockingWrite(origin: origin) { try $0.upsert(item) } }
    } finish: {
      await account.store.close()
    }
  }

  private static func singly(isTuned: Bool) async throws -> Run {
    let turn = try await nextTurn("singly-raw-\(isTuned)")
    let store = OnlyReference(try RawStore(turn.url, isTuned: isTuned))
    let items = RawItems(try await singles(turn.number, 1000))
    return Run {
      try store.get().upsertSingly(items, count: 1000)
    } finish: {
      store.release()
    }
  }

  private static let logSizes = Locked<[Double]>([])

  private static func slowestOfStore() async throws -> Double {
    let turn = try await nextTurn("slowest-store")
    let account = try StoreFixture.open(turn.url)
    let items = try await singles(turn.number, StoreFixture.singleCount)
    // The first commit of all makes the log.
    try account.blockingWrite(origin: .server) { try $0.upsert(items[0].changed(0)) }
    var slowest = 0.0
    for item in items {
      let start = Cost.seconds(CLOCK_MONOTONIC)
      try account.blockingWrite(origin: .server) { try $0.upsert(item) }
      slowest = max(slowest, Cost.seconds(CLOCK_MONOTONIC) - start)
    }
    // The file of the log is as long as the log has ever been.
    let log = Double(try size(of: turn.url.path + "-wal")) / 1_000_000
    logSizes.withLock { $0.append(log) }
    await account.store.close()
    return slowest
  }

  private static func slowestOfC() async throws -> Double {
    let turn = try await nextTurn("slowest-raw")
    let store = try RawStore(turn.url, isTuned: false)
    let items = RawItems(try await singles(turn.number, StoreFixture.singleCount))
    try store.upsertSingly(RawItems([try await singles(turn.number, 1)[0].changed(0)]), count: 1)
    return try store.upsertSingly(items, count: items.count).max() ?? 0
  }

  /// Rows that differ from those of the turn before.
  private static func singles(_ turn: Int, _ count: Int) async throws -> [SampleItem] {
    try await StoreFixture.shared.get().singles.prefix(count).map { $0.changed(turn) }
  }

  private struct Turn {
    let number: Int
    let url: URL
    var isOdd: Bool { number % 2 == 1 }
  }

  private static let turns = Locked<[String: Int]>([:])

  /// A file with the rows of the turn before; in the first turn, with all rows as they were made.
  private static func nextTurn(_ name: String) async throws -> Turn {
    let fixture = try await StoreFixture.shared.get()
    let number = turns.withLock { turns in
      turns[name, default: 0] += 1
      return turns[name, default: 0]
    }
    let url = fixture.folder.appendingPathComponent(name + ".sqlite")
    if number == 1 { try FileManager.default.copyItem(at: fixture.filled, to: url) }
    return Turn(number: number, url: url)
  }
}

/// A C side that goes when it is said.
private final class OnlyReference: Sendable {
  private let store: Locked<RawStore?>

  init(_ store: RawStore) { self.store = Locked(store) }

  func get() throws -> RawStore {
    guard let store = store.withLock({ $0 }) else { throw RawError(code: 21, doing: "using a closed store") }
    return store
  }

  func release() { store.withLock { $0 = nil } }
}
