import FerryKernel
import Foundation
import TestKit
import Testing

/// K4 under kill -9: a change of how the items' keys are made comes to the same end from wherever it died.
@Suite(.waitsOnThreads) struct `Trap K4, a change of how the items' keys are made, killed` {
  static let points =
    ["opened", "asked attachments alice 1"]
    + [("alice", 1), ("alice", 2), ("alice", 3), ("bob", 1), ("bob", 3)].map { "asked items \($0) \($1)" }
    + [1, 150, 290, 291, 580].map { "applied \($0)" }

  /// A store in which the build before has left its items under its keys.
  private static let old = Task {
    let folder = try GoldenFolder()
    let ended = try await CrashChild(folder.path, arguments: ["rekey-before"]).ended()
    guard ended == .exited(0) else { throw GoldenFault("the preparation \(ended)") }
    return folder
  }

  private static func copyOfOld() async throws -> GoldenFolder {
    let folder = try GoldenFolder()
    let source = try await old.value.path("ferry.sqlite")
    try FileManager.default.copyItem(atPath: source, toPath: folder.path("ferry.sqlite"))
    return folder
  }

  /// The items' keys, from the file as it is.
  private static func items(_ folder: GoldenFolder) throws -> [String] {
    try StoreDump.lines(of: folder.path("ferry.sqlite")).filter { $0.hasPrefix("item: ") }
  }

  private static let whole = Task {
    let folder = try await copyOfOld()
    let child = CrashChild(folder.path, arguments: ["rekey"])
    guard try await child.ended() == .exited(0) else { throw GoldenFault("it failed") }
    return (
      lines: try StoreDump.lines(of: folder.path("ferry.sqlite")), requests: try child.said(), folder: folder
    )
  }

  @Test func `it empties the table and pulls every item again, once`() async throws {
    let old = try await Self.items(Self.old.value)
    #expect(old.count == 580 && old.allSatisfy { $0.contains("\"old-") })
    let (lines, requests, folder) = try await Self.whole.value
    let items = lines.filter { $0.hasPrefix("item: ") }
    #expect(items.count == 580 && items.allSatisfy { !$0.contains("\"old-") })
    #expect(!lines.contains { $0.hasPrefix("store_refill") || $0.contains("/whole") })
    for user in Golden.users {
      #expect(
        requests.filter { $0.hasPrefix("items \(user)") } == [
          "items \(user)@home -", "items \(user)@home 100", "items \(user)@home 200",
        ])
    }
    // Other feeds go on from where they were, and so does this one from now on.
    #expect(!requests.contains { !$0.hasPrefix("items") && $0.hasSuffix(" -") })
    let again = CrashChild(folder.path, arguments: ["rekey"])
    #expect(try await again.ended() == .exited(0))
    #expect(
      try again.said().filter { $0.hasPrefix("items") } == ["items alice@home 290", "items bob@home 290"])
    #expect(StoreDump.differences(lines, try StoreDump.lines(of: folder.path("ferry.sqlite"))) == [])
  }

  @Test(arguments: points)
  func `it comes to the same end`(point: String) async throws {
    let expected = try await Self.whole.value.lines
    let folder = try await Self.copyOfOld()
    #expect(
      try await CrashChild(folder.path, arguments: ["rekey", point]).ended() == .killed(SIGKILL), "\(point)")
    // No item is ever there under both keys.
    let between = try Self.items(folder)
    #expect(!between.contains { $0.contains("\"old-") })
    #expect(try await CrashChild(folder.path, arguments: ["rekey"]).ended() == .exited(0))
    let found = try StoreDump.lines(of: folder.path("ferry.sqlite"))
    #expect(StoreDump.differences(expected, found).prefix(5) == [])
  }
}
