import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote
import TestKit

/// A server with a feed full of records, our remote, and curl.
struct Lab {
  private let fixture: KintoFixture
  private let user: KintoUser
  private let account: AccountID
  private let remote: KintoRemote
  private let folder: GoldenFolder
  private let bucket: String

  init(records: Int) async throws {
    fixture = try await .own(.postgresql)
    user = try await fixture.user()
    folder = try GoldenFolder()
    account = try AccountID(server: "bench", user: user.name)
    guard let secret = Secret(user.password) else { throw GoldenFault("no secret") }
    remote = KintoRemote(
      server: try KintoServer(name: "bench", url: fixture.url), client: CurlClient(), secret: { _ in secret },
      now: { Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)) })
    _ = try await remote.session(of: account)
    _ = try await remote.count(in: "notes", of: account)
    _ = try await remote.count(in: "edits", of: account)
    let greeting = try await fixture.request("GET", "/", as: user).body
    bucket = greeting["user"]?["bucket"]?.stringValue ?? ""
    try await fixture.sql(
      """
      SET session_replication_role = replica;
      INSERT INTO objects (id, parent_id, resource_name, last_modified, data, deleted)
      SELECT 'notes__r' || lpad(i::text, 6, '0'), '/buckets/\(bucket)/collections/notes', 'record',
        from_epoch((extract(epoch from now()) * 1000)::bigint - 2000000 + i),
        jsonb_build_object('title', 'title of record ' || i, 'body', repeat(md5(i::text) || ' ', 3), 'n', i,
          'done', i % 3 = 0, 'price', round((i * 7919 % 100000) / 100.0, 2),
          'tags', jsonb_build_array('alpha', 'bravo')), false
      FROM generate_series(1, \(records)) AS i;
      ANALYZE objects;
      """)
  }

  /// Pulls everything.
  func pull(page limit: Int) async throws -> (addresses: [String], count: Int) {
    let records = "\(fixture.url)/buckets/default/collections/notes/records"
    var (addresses, count, position) = ([String](), 0, PullPosition.beginning)
    while true {
      let since = position.cursor ?? "0"
      addresses.append("\(records)?_since=\(since)&_sort=last_modified&_limit=\(limit)")
      let page = try await remote.changes(in: "notes", of: account, from: position, limit: limit)
      count += page.records.count
      if !page.hasMore { return (addresses, count) }
      position = .after(page.cursor)
    }
  }

  /// Pushes new records, a batch after the other.
  func push(edits: Int, run: String) async throws {
    var rest = (0..<edits).map { RemoteChange.create("\(run)-\($0)", Lab.content($0)) }[...]
    while !rest.isEmpty {
      let batch = rest.prefix(50)
      for outcome in try await remote.push(Array(batch), to: "edits", of: account) {
        guard case .done = outcome else { throw GoldenFault("not done: \(outcome)") }
      }
      rest = rest.dropFirst(50)
    }
  }

  /// The bodies of the same pushes, in files.
  func bodies(edits: Int, run: String) throws -> [String] {
    let records = "/buckets/default/collections/edits/records"
    return try stride(from: 0, to: edits, by: 50).map { start in
      let parts = (start..<min(start + 50, edits)).map { number -> JSONValue in
        [
          "method": "PUT", "path": .string("\(records)/edits__\(run)-\(number)"),
          "headers": ["If-None-Match": "*"], "body": ["data": .object(Lab.content(number))],
        ]
      }
      let path = folder.path("\(run)-\(start).json")
      try Data(JSONValue.object(["requests": .array(parts)]).bytes()).write(to: URL(fileURLWithPath: path))
      return path
    }
  }

  private static func content(_ number: Int) -> JSONObject {
    ["title": .string("title of record \(number)"), "n": .integer(Int64(number)), "done": false]
  }

  /// Fetches addresses with curl and throws what comes away.
  func curl(_ addresses: [String]) throws {
    try run([addresses.map { "url = \"\($0)\"\noutput = /dev/null\n" }.joined()])
  }

  /// Posts bodies with curl.
  func curl(posting bodies: [String]) throws {
    try run(
      bodies.map { path in
        """
        url = "\(fixture.url)/batch"
        header = "Content-Type: application/json"
        data-binary = "@\(path)"
        output = /dev/null

        """
      })
  }

  private var authorization: String { "user = \"\(user.name):\(user.password)\"\n" }

  /// Runs curl with a file of options, a section for each request: no password is in its arguments.
  private func run(_ sections: [String]) throws {
    let path = folder.path("curl")
    let text = sections.map { "\(authorization)fail\nsilent\n\($0)" }.joined(separator: "next\n")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["curl", "--config", path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw GoldenFault("curl ended with \(process.terminationStatus)")
    }
  }
}

/// What this process holds in memory, in bytes; 0 where the system doesn't say.
enum Memory {
  static var resident: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)  // why: only Linux has it
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4096
  }
}
