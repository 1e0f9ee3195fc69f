import Dispatch
import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit

/// A server with a feed full of records, devices that sync with it, and curl. Three users: one has many records to
/// pull, one a tenth of them, and one none, and pushes.
struct Lab {
  private let fixture: KintoFixture
  private let puller: KintoUser
  private let tenth: KintoUser
  private let pusher: KintoUser
  private let folder: GoldenFolder

  init(records: Int) async throws {
    fixture = try await .own(.postgresql)
    (puller, tenth, pusher) = (try await fixture.user(), try await fixture.user(), try await fixture.user())
    folder = try GoldenFolder()
    try await fill(puller, records)
    try await fill(tenth, records / 10)
    try await fill(pusher, 0)
  }

  private func fill(_ user: KintoUser, _ records: Int) async throws {
    // The first request makes the feed.
    _ = try await fixture.request("GET", "/buckets/default/collections/cards/records", as: user)
    let greeting = try await fixture.request("GET", "/", as: user).body
    let bucket = greeting["user"]?["bucket"]?.stringValue ?? ""
    try await fixture.sql(
      """
      SET session_replication_role = replica;
      INSERT INTO objects (id, parent_id, resource_name, last_modified, data, deleted)
      SELECT 'cards__r' || lpad(i::text, 6, '0'), '/buckets/\(bucket)/collections/cards', 'record',
        from_epoch((extract(epoch from now()) * 1000)::bigint - 2000000 + i),
        jsonb_build_object('title', 'title of record ' || i, 'body', repeat(md5(i::text) || ' ', 3), 'rank', i,
          'changedAt', 1700000000000000000 + i, 'kind', 'plain', 'tags', jsonb_build_array('alpha', 'bravo')), false
      FROM generate_series(1, \(records)) AS i;
      ANALYZE objects;
      """)
  }

  /// A remote that has a connection of its own.
  private func remote(_ user: KintoUser, _ client: any HTTPClient = CurlClient()) throws -> KintoRemote {
    guard let secret = Secret(user.password) else { throw GoldenFault("no secret") }
    return KintoRemote(
      server: try KintoServer(name: "bench", url: fixture.url), client: client, secret: { _ in secret },
      now: { Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)) })
  }

  private func account(_ user: KintoUser) throws -> AccountID {
    try AccountID(server: "bench", user: user.name)
  }

  /// The addresses of the pages that a pull asks for.
  func addresses(page limit: Int) async throws -> [String] {
    let (remote, account) = (try remote(puller), try account(puller))
    let records = "\(fixture.url)/buckets/default/collections/cards/records"
    var (addresses, position) = ([String](), PullPosition.beginning)
    while true {
      addresses.append("\(records)?_since=\(position.cursor ?? "0")&_sort=last_modified&_limit=\(limit)")
      let page = try await remote.changes(in: "cards", of: account, from: position, limit: limit)
      if !page.hasMore { return addresses }
      position = .after(page.cursor)
    }
  }

  /// A device that has nothing yet.
  func newDevice() async throws -> SyncDevice { try await SyncDevice([try account(puller)]) }

  /// Lets a device pull a tenth of the records.
  func pullTenth(page: Int) async throws {
    let device = try await SyncDevice([try account(tenth)])
    try await pull(into: device, of: tenth, page: page)
    await device.restart()
  }

  /// A device with cards that no server has seen.
  func editedDevice(edits: Int, run: String) async throws -> SyncDevice {
    let device = try await SyncDevice([try account(pusher)])
    let cards = try (0..<edits).map { number in
      try Card.make("\(run)-\(number)") { ($0.title, $0.rank) = ("title of record \(number)", Int64(number)) }
    }
    try device.account().blockingWrite { _ = try $0.upsert(cards) }
    return device
  }

  /// Lets the engine pull everything into a store.
  ///
  /// - Returns: for how long nothing was asked of the server.
  @discardableResult
  func pull(into device: SyncDevice, of user: KintoUser? = nil, page: Int) async throws -> Duration {
    var options = SyncOptions()
    options.pageSize = page
    let client = WaitingClient()
    let start = ContinuousClock.now
    let report = try await device.sync(
      Remotes(["bench": try remote(user ?? puller, client)]), options: options)
    let idle = ContinuousClock.now - start - client.waited
    guard report.failures == 0, report.total.pull.written > 0 else { throw GoldenFault("\(report.units)") }
    return idle
  }

  /// Lets the engine push everything that waits in a store. What others pushed is pulled before, as always.
  func push(from device: SyncDevice, edits: Int) async throws {
    let report = try await device.sync(Remotes(["bench": try remote(pusher)]))
    guard report.total.push.written == edits else { throw GoldenFault("\(report.units)") }
  }

  /// The bodies of the same pushes, in files.
  func bodies(edits: Int, run: String) throws -> [String] {
    let records = "/buckets/default/collections/cards/records"
    return try stride(from: 0, to: edits, by: 50).map { start in
      let parts = (start..<min(start + 50, edits)).map { number -> JSONValue in
        [
          "method": "PUT", "path": .string("\(records)/cards__\(run)-\(number)"),
          "headers": ["If-None-Match": "*"],
          "body": ["data": .object(Card.record(title: "title of record \(number)", rank: Int64(number)))],
        ]
      }
      let path = folder.path("\(run)-\(start).json")
      try Data(JSONValue.object(["requests": .array(parts)]).bytes()).write(to: URL(fileURLWithPath: path))
      return path
    }
  }

  /// Fetches addresses with curl and throws what comes away.
  func curl(_ addresses: [String]) throws {
    try run(puller, [addresses.map { "url = \"\($0)\"\noutput = /dev/null\n" }.joined()])
  }

  /// Posts bodies with curl.
  func curl(posting bodies: [String]) throws {
    try run(
      pusher,
      bodies.map { path in
        """
        url = "\(fixture.url)/batch"
        header = "Content-Type: application/json"
        data-binary = "@\(path)"
        output = /dev/null

        """
      })
  }

  /// Runs curl with a file of options, a section for each request: no password is in its arguments.
  private func run(_ user: KintoUser, _ sections: [String]) throws {
    let authorization = "user = \"\(user.name):\(user.password)\"\n"
    let path = folder.path("curl")
    let text = sections.map { "\(authorization)fail\nsilent\n\($0)" }.joined(separator: "next\n")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "--config", path]
    // Foundation's own waiting takes a whole processor, which the server needs.
    let end = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in end.signal() }
    try process.run()
    end.wait()
    guard process.terminationStatus == 0 else {
      throw GoldenFault("curl ended with \(process.terminationStatus)")
    }
  }
}

/// Measures for how long a server is waited for.
private final class WaitingClient: HTTPClient {
  private let base = CurlClient()
  private let sum = Locked(Duration.zero)

  var waited: Duration { sum.withLock { $0 } }

  func send(_ request: HTTPRequest, receive: @escaping HTTPReceiver) async throws -> HTTPHead {
    let start = ContinuousClock.now
    defer { sum.withLock { $0 += ContinuousClock.now - start } }
    return try await base.send(request, receive: receive)
  }
}

/// What this process holds in memory, in bytes; 0 where the system doesn't say.
enum Memory {
  /// The most that it ever held.
  static var peak: Int {
    let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)  // why: only Linux has it
    let line = text?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? 0
  }

  static var resident: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)  // why: only Linux has it
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
