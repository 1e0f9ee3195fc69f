import FerryKernel
import Foundation
import TestKit
import Testing

/// What `make new-domain` writes and refuses. That it builds and crosses is shown by `make check-new-domain`.
@Suite(.waitsOnThreads) struct `make new-domain` {
  private let folder: GoldenFolder

  init() throws {
    folder = try GoldenFolder()
    let parts = [
      "Makefile", "Tuist-free-Makefile", "Package.swift", ".swift-format", "Config", "Domains", "Apps",
      "Platform",
    ]
    for part in parts {
      try FileManager.default.copyItem(
        at: Golden.repository.appendingPathComponent(part), to: folder.url.appendingPathComponent(part))
    }
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("Tests"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: Golden.repository.appendingPathComponent("Tests/TestKit"),
      to: folder.url.appendingPathComponent("Tests/TestKit"))
  }

  private func make(_ name: String) throws -> Tool.Outcome {
    try Tool(path: "/usr/bin/env").run(
      ["bash", "Config/new-domain/new-domain.sh", name], in: folder.path)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: folder.path(path), encoding: .utf8)
  }

  /// Every file with its text, but for those of the rooms that it has no business in.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: folder.path(path), isDirectory: &isFolder)
      if isThere, !isFolder.boolValue {
        files[path] = try Data(contentsOf: URL(fileURLWithPath: folder.path(path)))
      }
    }
    return files
  }

  @Test func `writes a domain, its tests, a line in each list and a step that is off, and nothing else`()
    throws
  {
    let before = try files()
    let outcome = try make("ReadingList")
    #expect(outcome.status == 0, "\(outcome)")
    let after = try files()
    #expect(
      Set(after.keys).subtracting(before.keys) == [
        "Domains/ReadingList/ReadingList.swift", "Domains/ReadingList/ReadingListDAO.swift",
        "Domains/ReadingList/ReadingListDomain.swift", "Tests/ReadingListTests/ReadingListTests.swift",
      ])
    let lists = ["Package.swift", "Apps/Composition/RegisteredDomains.swift", "Config/roadmap.yaml"]
    #expect(Set(before.keys.filter { before[$0] != after[$0] }) == Set(lists))
    let added = try lists.map { list in
      let old = String(decoding: try #require(before[list]), as: UTF8.self).split(separator: "\n")
      return try text(list).split(separator: "\n").difference(from: old).map { change -> String in
        guard case .insert(_, let line, _) = change else { return "- removed" }
        return String(line)
      }
    }
    #expect(added[0] == ["  (\"ReadingList\", []),"])
    #expect(added[1] == ["import ReadingListDomain", "    .readingList,"])
    let roadmap = try Roadmap.load(path: folder.path("Config/roadmap.yaml"))
    #expect(roadmap.steps.map(\.domain.value).suffix(2) == ["reading-list", "log"])
    #expect(roadmap.steps.filter { !$0.isEnabled }.map(\.domain.value) == ["reading-list"])
    #expect(added[2].contains { $0.contains("reading-list") })
    #expect(try text("Domains/ReadingList/ReadingListDAO.swift").firstMatch(of: /@\w+@/) == nil)
  }

  @Test(arguments: [
    "", "bookmark", "Book mark", "Bookmark2", "../Bookmark", "Bookmark;ls", "HTMLPage", "Item", "Folder",
    "Log",
    "Store", "Record", "Default", "Protocol", "Data", "Task", "Suite", "북마크",
    "SomethingWhoseNameIsSimplyMuchTooLongForAnything",
  ])
  func `refuses a name that can't be one or is taken, with a sentence, and writes nothing`(name: String)
    throws
  {
    let before = try files()
    let outcome = try make(name)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("new-domain: ") && outcome.errors.split(separator: "\n").count == 1)
    #expect(try files() == before)
  }

  @Test func `refuses to make one twice, and where a list isn't as it knows it`() throws {
    #expect(try make("Bookmark").status == 0)
    let made = try files()
    #expect(try make("Bookmark").status == 64)
    #expect(try files() == made)
    let package = try text("Package.swift").replacing("  (\"Log\", []),\n", with: "")
    try Data(package.utf8).write(to: URL(fileURLWithPath: folder.path("Package.swift")))
    let broken = try files()
    let outcome = try make("Comment")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("Package.swift"))
    #expect(try files() == broken)
  }
}
