import FerryStore
import Foundation

/// From a commit to those who observe, and what streaming takes in memory.
enum ObserverJobs {
  static let all: [Job] = [
    Job(
      name: "store: commit to observer", work: .gauge { try await latencyOfStore() },
      baselines: [.gauge { try await latencyOfC() }],
      figures: [.gauge("median to C committing and fetching again", to: 0, goal: 2)]),
    Job(
      name: "store: deliveries", work: .gauge { try await deliveries() },
      figures: [.gauge(in: "elements a transaction", goal: 1)]),
    Job(
      name: "store: commit to observer in another process", work: .gauge { try await foreignLatency() },
      figures: [.gauge("slowest of 20", in: "ms", goal: 150)]),
    Job(
      name: "store: stream 1,000,000 in memory", work: .gauge { try await streamingMemory() },
      figures: [.gauge("beyond 10,000", in: "MB", goal: 8)]),
  ]

  /// What this program does when it is started as a part of a job.
  static let parts: [String: @Sendable () async throws -> Void] = [
    "foreign writer": writeNowAndThen, "streaming": printStreamingMemory,
  ]

  private static let commits = 200

  private static func latest(of account: AccountStore) -> Observation<[SampleItem]> {
    let folder = SampleItems.folder(0)
    return account.observe(
      SampleItem.where { $0.folder == folder }.order { $0.updatedAt.descending }.limit(50))
  }

  /// An item that comes before all others in its folder.
  private static func item(at nanoseconds: Int, _ number: Int = 0) async throws -> SampleItem {
    var item = try await StoreFixture.shared.get().singles[number]
    item.folder = SampleItems.folder(0)
    item.updatedAt = Timestamp(nanoseconds: 4_000_000_000_000_000_000 + Int64(nanoseconds))
    return item
  }

  private static func now() -> Int { Int(Cost.seconds(CLOCK_MONOTONIC) * 1_000_000_000) }

  /// A store of its own with all rows.
  private static func copy(_ name: String) async throws -> URL {
    let fixture = try await StoreFixture.shared.get()
    let url = try fixture.fresh(name)
    try FileManager.default.copyItem(at: fixture.filled, to: url)
    return url
  }

  /// - Returns: the median of the seconds from just before a commit to the element in the observer's task.
  private static func latencyOfStore() async throws -> Double {
    let account = try StoreFixture.open(try await copy("latency"))
    let (elements, element) = AsyncStream.makeStream(of: (time: Int, count: Int).self)
    let seconds = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await list in latest(of: account) { element.yield((now(), list.count)) }
      }
      var arrivals = elements.makeAsyncIterator()
      _ = await arrivals.next()
      var seconds: [Double] = []
      for number in 1...commits {
        let item = try await item(at: number, number)
        let start = try await account.write(origin: .server) { transaction in
          try transaction.upsert(item)
          return now()
        }
        guard let arrival = await arrivals.next() else { break }
        seconds.append(Double(arrival.time - start) / 1_000_000_000)
      }
      group.cancelAll()
      return seconds
    }
    await account.store.close()
    return seconds.sorted()[seconds.count / 2]
  }

  private static func latencyOfC() async throws -> Double {
    let url = try await copy("latency-raw")
    let (writer, reader) = (try RawStore(url, isTuned: false), try RawStore(url, isTuned: false))
    var items: [SampleItem] = []
    for number in 1...commits { items.append(try await item(at: number, number)) }
    let raw = RawItems(items)
    let seconds = try items.indices.map { try writer.commit($0, of: raw, listingOn: reader, limit: 50) }
    return seconds.sorted()[seconds.count / 2]
  }

  /// - Returns: how many elements an observer gets of a transaction that changes a hundred of its rows.
  private static func deliveries() async throws -> Double {
    let account = try StoreFixture.open(try await copy("deliveries"))
    let (elements, element) = AsyncStream.makeStream(of: Int64.self)
    let transactions = 50
    let count = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await list in latest(of: account) { element.yield(list[0].updatedAt.nanoseconds) }
      }
      var arrivals = elements.makeAsyncIterator()
      _ = await arrivals.next()
      var count = 0
      for number in 1...transactions {
        var items: [SampleItem] = []
        for index in 0..<100 { items.append(try await item(at: number * 100 + index, index)) }
        let written = items
        try await account.write(origin: .server) { try $0.upsert(written) }
        while let time = await arrivals.next() {
          count += 1
          if time == written[99].updatedAt.nanoseconds { break }
        }
      }
      group.cancelAll()
      return count
    }
    await account.store.close()
    return Double(count) / Double(transactions)
  }

  /// - Returns: the longest time in milliseconds from just before a commit of another process to the element.
  private static func foreignLatency() async throws -> Double {
    let account = try StoreFixture.open(try await copy("foreign"))
    let (elements, element) = AsyncStream.makeStream(of: Int.self)
    let slowest = try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for try await list in latest(of: account) {
          element.yield(now() - Int(list[0].updatedAt.nanoseconds - 4_000_000_000_000_000_000))
        }
      }
      var arrivals = elements.makeAsyncIterator()
      _ = await arrivals.next()
      let end = try Child.start("foreign writer")
      var slowest = 0
      for _ in 0..<20 {
        guard let latency = await arrivals.next() else { break }
        slowest = max(slowest, latency)
      }
      group.cancelAll()
      _ = try await end()
      return slowest
    }
    await account.store.close()
    return Double(slowest) / 1_000_000
  }

  private static func writeNowAndThen() async throws {
    let account = try StoreFixture.open(StoreFolder.url.appendingPathComponent("foreign.sqlite"))
    var samples = SampleItems(1)
    guard var item = samples.next() else { return }
    item.folder = SampleItems.folder(0)
    for number in 0..<20 {
      // Longer than an observer takes to look, and never in step with it.
      try await Task.sleep(for: .milliseconds(170 + number * 7))
      try account.blockingWrite(origin: .server) { transaction in
        item.updatedAt = Timestamp(nanoseconds: 4_000_000_000_000_000_000 + Int64(now()))
        try transaction.upsert(item)
      }
    }
    await account.store.close()
  }

  /// - Returns: by how many MB a million rows raise a process's peak beyond that of ten thousand.
  private static func streamingMemory() async throws -> Double {
    _ = try await Million.shared.get()
    let output = try await Child.start("streaming")()
    guard let bytes = Double(output.split(separator: "\n").last ?? "") else {
      throw BenchError(command: ["streaming"], status: 0)
    }
    return bytes / 1_000_000
  }

  private static func printStreamingMemory() async throws {
    let account = try StoreFixture.open(Million.url)
    _ = try StoreReadJobs.stream(account, limit: 10_000)
    let before = try Cost.ownPeak()
    _ = try StoreReadJobs.stream(account)
    print(try Cost.ownPeak() - before)
    await account.store.close()
  }
}
