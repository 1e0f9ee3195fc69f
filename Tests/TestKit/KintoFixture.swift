import FerryKernel
import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A Kinto server of this test run's own, on a free port; it and its database end with the test process, however
/// that ends. Tests share it and are kept apart by accounts: each account has a bucket of its own.
///
/// Where there can't be one (no PyPI, no PostgreSQL), a test that asks for it fails with the reason.
public final class KintoFixture: Sendable {
  /// Which server.
  public struct Kind: Sendable, Hashable {
    fileprivate let arguments: [String]

    /// In memory: gone when it is restarted. No transactions.
    public static let memory = Kind(arguments: [])
    /// PostgreSQL with eight threads, as a plain installation is: batches undo each other, readers miss records.
    public static let postgresql = Kind(arguments: ["--backend", "postgresql"])
    /// PostgreSQL with the lock that cures the races.
    public static let lockedPostgresql = Kind(arguments: ["--backend", "postgresql", "--write-lock"])

    /// The same with a setting of Kinto's, which makes it a server of its own.
    public func with(_ setting: String, _ value: String) -> Kind {
      Kind(arguments: arguments + ["--set", "\(setting)=\(value)"])
    }
  }

  public let port: Int
  /// The server's process, as it was started first.
  public let server: pid_t
  private let pipes: Locked<Pipes>

  private struct Pipes {
    let input: Int32
    let output: FileHandle
    var rest: [UInt8] = []
    /// Kept so that the process isn't waited for by nobody.
    let process: Process
  }

  public var url: String { "http://127.0.0.1:\(port)/v1" }

  /// The server of this kind that the whole run shares.
  public static func shared(_ kind: Kind) async throws -> KintoFixture { try await Shared.all.fixture(kind) }

  /// A server that one test has to itself, to kill and restart. It ends with this value.
  public static func own(_ kind: Kind) async throws -> KintoFixture {
    try await aside { try KintoFixture(kind) }
  }

  /// Runs what blocks on a thread of its own: Swift's are few, and other tests need them.
  private static func aside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws
    -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  private actor Shared {
    static let all = Shared()
    private var starting: [Kind: Task<KintoFixture, any Error>] = [:]

    func fixture(_ kind: Kind) async throws -> KintoFixture {
      let task = starting[kind] ?? Task { try await KintoFixture.own(kind) }
      starting[kind] = task
      return try await task.value
    }
  }

  private init(_ kind: Kind) throws {
    let folder = Golden.repository
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "python3", folder.appendingPathComponent("Config/kinto/serve.py").path, "--commands", "--environment",
        folder.appendingPathComponent(".build/kinto/environment").path,
      ] + kind.arguments
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // No other process of the test's may hold this end open: its end is the sign to end.
    let writing = dup(input.fileHandleForWriting.fileDescriptor)
    _ = fcntl(writing, F_SETFD, FD_CLOEXEC)
    try input.fileHandleForWriting.close()
    let pipes = Locked(Pipes(input: writing, output: output.fileHandleForReading, process: process))
    let greeting = try pipes.withLock { try KintoFixture.line(&$0) }
    if let failure = greeting["failure"]?.stringValue { throw GoldenFault(failure) }
    port = Int(greeting["port"]?.integerValue ?? 0)
    server = pid_t(clamping: greeting["process"]?.integerValue ?? 0)
    self.pipes = pipes
  }

  deinit {
    pipes.withLock { pipes in
      close(pipes.input)
      pipes.process.waitUntilExit()
    }
  }
}

extension KintoFixture {
  /// Ends the server at once.
  public func killServer() async throws { _ = try await order(["do": "kill server"]) }
  /// Starts it again on the same port.
  public func startServer() async throws { _ = try await order(["do": "start server"]) }
  /// Ends the database as a power failure does.
  public func killDatabase() async throws { _ = try await order(["do": "kill database"]) }
  public func startDatabase() async throws { _ = try await order(["do": "start database"]) }

  /// The rows of a query to the server's database.
  @discardableResult
  public func sql(_ text: String) async throws -> [String] {
    try await order(["do": "sql", "text": .string(text)])["rows"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// What the server answers to a request, asked past all code that is under test.
  public struct Answer: Sendable {
    public let status: Int
    public let headers: JSONObject
    public let body: JSONValue
  }

  /// Asks the server; `path` begins behind the version.
  @discardableResult
  public func request(
    _ method: String, _ path: String, as user: KintoUser? = nil, headers: JSONObject = [:],
    _ body: JSONValue? = nil
  ) async throws -> Answer {
    var text: JSONObject = [
      "do": "request", "method": .string(method), "path": .string(path), "headers": .object(headers),
    ]
    text["user"] = user.map { .string("\($0.name):\($0.password)") }
    text["body"] = body
    let answer = try await order(text)
    return Answer(
      status: Int(answer["status"]?.integerValue ?? 0), headers: answer["headers"]?.objectValue ?? [:],
      body: answer["body"] ?? .null)
  }

  /// A new account, so that a test is alone with its data.
  public func user() async throws -> KintoUser {
    let name = "u\(UUID().uuidString.lowercased())"
    let user = KintoUser(name: name, password: "pw-\(name)")
    let answer = try await request(
      "PUT", "/accounts/\(name)", ["data": ["password": .string(user.password)]])
    guard answer.status == 201 else { throw GoldenFault("no account could be made: \(answer)") }
    return user
  }

  private func order(_ order: JSONObject) async throws -> JSONValue {
    let bytes = try JSONValue.object(order).bytes() + [0x0a]
    let answer = try await KintoFixture.aside { [pipes] in
      try pipes.withLock { pipes in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { write(pipes.input, $0.baseAddress, $0.count) }
          guard count > 0 else { throw GoldenFault("the server's process has ended") }
          rest = rest.dropFirst(count)
        }
        return try KintoFixture.line(&pipes)
      }
    }
    if let failure = answer["failure"]?.stringValue { throw GoldenFault(failure) }
    return answer
  }

  private static func line(_ pipes: inout Pipes) throws -> JSONValue {
    while true {
      if let end = pipes.rest.firstIndex(of: 0x0a) {
        let line = pipes.rest[..<end]
        pipes.rest = Array(pipes.rest[(end + 1)...])
        return try JSONValue.parse(line)
      }
      let data = pipes.output.availableData
      guard !data.isEmpty else { throw GoldenFault("the server's process has ended") }
      pipes.rest += data
    }
  }
}

/// An account on a Kinto server.
public struct KintoUser: Sendable {
  public let name: String
  public let password: String

  public init(name: String, password: String) { (self.name, self.password) = (name, password) }
}
