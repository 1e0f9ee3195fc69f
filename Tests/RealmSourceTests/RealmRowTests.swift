import FerryKernel
import FerryStore
import Foundation
import RealmSource
import TestKit
import Testing

/// Rows of `.realm` files as legacy rows.
@Suite struct RealmRowTests {
  static let documents = ["app/alice", "app/bob", "app/empty", "app/blank", "formats/format-24"]
  static let account = LibraryRows.alice

  static func source(_ path: String) -> RealmSource {
    RealmSource([
      (account, Golden.repository.appendingPathComponent("Tests/Fixtures/realm/\(path).realm").path)
    ])
  }

  @Test("Every class, property and row is what the library that wrote the file says", arguments: documents)
  func equalGolden(_ path: String) throws {
    let (source, golden) = (RealmRowTests.source(path), try GoldenDocument(path))
    let classes = try source.classes(of: RealmRowTests.account)
    #expect(classes.map(\.name) == golden.classes.map(\.name))
    for expected in golden.classes {
      let found = try #require(classes.first { $0.name == expected.name })
      #expect(found.properties == expected.properties)
      #expect(found.rowCount == expected.rows.count)
      let rows = try source.rows(of: expected.name)
      #expect(rows.map(\.position) == expected.rows.map(\.position), "\(expected.name)")
      for (row, golden) in zip(rows, expected.rows) {
        for (index, name) in expected.properties.enumerated() {
          #expect(row.values[index] == golden.values[index], "\(expected.name) \(row.position) \(name)")
        }
      }
    }
  }

  @Test("Links lead to primary keys, of whatever type, and are null where they lead nowhere")
  func links() throws {
    let source = RealmRowTests.source("app/alice")
    let items = try source.rows(of: "NoteSummary", ["container"]).map(\.values[0])
    let folders = try source.rows(of: "NoteContainer", ["id"]).compactMap { LegacyKey($0.values[0]) }
    let targets = Set(items.compactMap { LegacyKey($0) })
    #expect(targets.isSubset(of: folders))
    #expect(targets.contains(.integer(-7)))
    #expect(items.contains(.null))
    let attachments = try source.rows(of: "NoteAttachment", ["id", "item"])
    #expect(attachments.allSatisfy { if case .text = $0.values[0] { true } else { false } })
  }

  @Test("Properties come in the order asked for, also twice")
  func order() throws {
    let source = RealmRowTests.source("app/alice")
    let all = try source.rows(of: "Setting")
    let some = try source.rows(of: "Setting", ["localOnly", "key", "localOnly"])
    for (row, part) in zip(all, some) {
      #expect(part.values == [row.values[2], row.values[0], row.values[2]])
      #expect(part.position == row.position)
    }
  }

  @Test("Reading goes on after any position, and finds any row by its own")
  func positions() throws {
    let source = RealmRowTests.source("app/alice")
    let all = try source.rows(of: "LogEntry")
    for (index, row) in all.enumerated() {
      var rest: [Int64] = []
      try source.forEachRow(
        of: "LogEntry", account: RealmRowTests.account, properties: ["at"], after: row.position
      ) {
        rest.append($0.position)
      }
      #expect(rest == all[(index + 1)...].map(\.position))
      #expect(try source.row(of: "LogEntry", account: RealmRowTests.account, at: row.position) == row)
    }
    for row in try source.rows(of: "NoteAttachment") {
      #expect(try source.row(of: "NoteAttachment", account: RealmRowTests.account, at: row.position) == row)
    }
    let beyond = try #require(all.last).position + 1
    #expect(try source.row(of: "LogEntry", account: RealmRowTests.account, at: beyond) == nil)
  }
}

extension RealmSource {
  /// The rows of a class.
  func rows(of name: String, _ properties: [String]? = nil) throws -> [LegacyRow] {
    var rows: [LegacyRow] = []
    try forEachRow(of: name, account: RealmRowTests.account, properties: properties, after: nil) {
      rows.append($0)
    }
    return rows
  }
}
