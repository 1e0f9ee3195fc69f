import FerryKernel
import Foundation
import TestKit
import Testing

@Suite(.waitsOnThreads) struct RealmSchemaJourneys {
  @Test func `A person sees each class with its properties, types and key`() throws {
    let outcome = try RealmDesk("app/alice").run("schema", "alice.realm")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n").map { line in
      line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    for line in [
      "NoteSummary (300 rows)", "id int primary", "container NoteContainer", "preview string?",
      "tags list<string>",
      "EmbeddedGeo (0 rows, embedded)", "dictLink dictionary<NoteSummary?>", "setMixed set<mixed?>",
      "at timestamp",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func `A script gets every declaration as the golden document has it`() throws {
    let schema = try RealmDesk("formats/format-24").run("schema", "format-24.realm", "--json").json
    let golden = try JSONValue.parse(Data(contentsOf: RealmDesk.fixture("formats/format-24.json")))
    let tables = try golden.list("tables").filter { $0["name"]?.stringValue?.hasPrefix("class_") == true }
    let classes = try schema.list("classes")
    #expect(classes.count == tables.count)
    for (entry, table) in zip(classes, tables) {
      #expect(try "class_" + entry.text("name") == table.text("name"))
      #expect(try entry.text("table") == table.text("name"))
      #expect(entry["primaryKey"]?.stringValue == table["primary_key"]?.stringValue)
      #expect((entry["kind"]?.stringValue == "embedded") == table["embedded"]?.boolValue)
      #expect(entry["rows"]?.integerValue == Int64(try table.list("rows").count))
      let pairs = zip(try entry.list("properties"), try table.list("columns"))
      for (property, column) in pairs {
        for name in ["name", "type", "collection"] { #expect(try property.text(name) == column.text(name)) }
        #expect(property["nullable"]?.boolValue == column["nullable"]?.boolValue)
        #expect(property["target"]?.stringValue.map { "class_" + $0 } == column["target"]?.stringValue)
      }
    }
  }

  @Test func `Record declarations are a domain's start`() throws {
    let outcome = try RealmDesk("app/alice").run("schema", "alice.realm", "--swift")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains(
        """
        /// `NoteContainer`, 6 rows. `id` is its primary key `id`, as text.
        public struct NoteContainer: Record, Equatable {
          public typealias Key = NoteContainerID
          public let id: NoteContainerID
          public var name: String
          public var typeRaw: String
          public var sortOrder: Int64
          public var parent: NoteContainerID?

          public init(
            id: NoteContainerID, name: String, typeRaw: String, sortOrder: Int64, parent: NoteContainerID?
          ) {
            self.id = id
            self.name = name
            self.typeRaw = typeRaw
            self.sortOrder = sortOrder
            self.parent = parent
          }

          public static let table = Table<NoteContainer>(
            "note_container", key: \\.id,
            columns: Column("id", \\.id), Column("name", \\.name), Column("type_raw", \\.typeRaw),
            Column("sort_order", \\.sortOrder), Column("parent", \\.parent, to: NoteContainer.self),
            make: NoteContainer.init(
              id:name:typeRaw:sortOrder:parent:
            ))
        }

        public typealias NoteContainerID = Identifier<NoteContainer>
        """))
  }

  @Test func `Record declarations compile against the store, whatever classes are called`() throws {
    guard let compiler = try Compiler() else {
      return print("skipped: no swiftc on the PATH, or no module to import")
    }
    let desk = try RealmDesk("app/alice", "formats/format-24")
    for name in ["alice", "format-24"] {
      try desk.write(try desk.run("schema", "\(name).realm", "--swift").output.utf8, to: "\(name).swift")
      #expect(try compiler.complaints(of: desk.folder.path("\(name).swift")) == "")
    }
  }

  @Test func `Two forms at once are a fault of the command line`() throws {
    let outcome = try RealmDesk("app/alice").run("schema", "alice.realm", "--swift", "--json")
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
  }
}

/// The compiler, with the modules of this build.
private struct Compiler {
  private let modules: String
  private let path: String

  /// nil where there is none.
  init?() throws {
    let folders = [Bundle.main.bundleURL] + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    let places = folders.map { $0.appendingPathComponent("Modules") }
    let manager = FileManager.default
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
      "\($0)/swiftc"
    }
    guard
      let modules = places.first(where: {
        manager.fileExists(atPath: $0.appendingPathComponent("FerryStore.swiftmodule").path)
      }),
      let path = paths.first(where: manager.isExecutableFile(atPath:))
    else { return nil }
    (self.modules, self.path) = (modules.path, path)
  }

  func complaints(of file: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    let map = Golden.repository.appendingPathComponent("Platform/CSQLite/module.modulemap").path
    process.arguments = [
      "-typecheck", "-swift-version", "6", "-I", modules, "-Xcc", "-fmodule-map-file=\(map)", file,
    ]
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let errors = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: errors, as: UTF8.self)
  }
}
