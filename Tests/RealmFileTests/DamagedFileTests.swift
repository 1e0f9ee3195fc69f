import Foundation
import Testing

@testable import RealmFile

/// The damaged files that a tool beside the repository makes of a file beside it.
@Suite(
  "The 74 damaged files", .enabled(if: Fixtures.hasShared && DamagedFiles.tool != nil, Fixtures.missingShared)
)
struct DamagedFileTests {
  @Test("Each ends in right rows or a clean error, and salvage loses no more than the damaged part")
  func all() throws {
    let folder = try TemporaryFolder()
    let names = try DamagedFiles.make(in: folder.url)
    #expect(names.count == 74)
    let clean: Set = [
      "realm.damaged", "realm.notARealmFile", "realm.unsupportedFormat", "realm.emptyFile",
    ]
    for name in names {
      let path = folder.url.appending(path: "\(name).realm").path
      do throws(RealmFileError) {
        #expect(try RealmFile(path: path).readEverything() == DamagedFiles.cells, "\(name)")
        #expect(!DamagedFiles.alwaysRefused.contains(name), "\(name)")
      } catch {
        #expect(clean.contains(error.code), "\(name): \(error)")
        try salvage(name, path)
      }
    }
  }

  private func salvage(_ name: String, _ path: String) throws(RealmFileError) {
    let report: SalvageReport
    do throws(RealmFileError) {
      report = try RealmFile(salvaging: path).salvageReport()
    } catch {
      #expect(DamagedFiles.nothingLeft.contains(name), "\(name): \(error)")
      return
    }
    let expected = DamagedFiles.losses[name]
    #expect(report.rows == DamagedFiles.rows - (expected?.rows ?? 0), "\(name)")
    // A hundred bytes of garbage hit few cells.
    let allowed = name.hasPrefix("garbage") ? 0...8 : (expected?.cells ?? 0)...(expected?.cells ?? 0)
    #expect(allowed.contains(report.lostCells), "\(name): \(report.lostCells)")
    #expect(!report.isComplete || name == "spec-type-flipped", "\(name)")
  }
}

private enum DamagedFiles {
  static let cells = 67_608
  static let rows = 7_515
  /// Files of which no table is left, or which are not to be read.
  static let nothingLeft: Set = [
    "truncated-0", "truncated-10", "truncated-24", "truncated-1000", "truncated-half", "format-25",
    "format-99",
  ]
  /// Files whose damage is in what every reader needs.
  static let alwaysRefused: Set = [
    "truncated-half", "mnemonic-flipped", "topref-zero", "format-4", "cluster-cyclic", "cluster-child-twice",
    "tables-ref-is-top", "names-shorter", "title-size-one", "inner-size-huge",
  ]
  /// What is lost for good: a run of rows with its cluster, all rows with the root of the tree they are in, or the
  /// cells of one leaf.
  static let losses: [String: (rows: Int, cells: Int)] = [
    "cluster-child-past-end": (206, 0), "cluster-child-twice": (206, 0), "leaf-size-huge": (206, 0),
    "cluster-cyclic": (1975, 0), "cluster-ref-is-table": (1975, 0), "inner-size-huge": (1975, 0),
    "spec-ref-shifted": (1975, 0), "id-size-one": (0, 206), "leaf-column-is-leaf": (0, 206),
    "title-size-huge": (0, 206), "title-size-one": (0, 206),
  ]

  static let tool: URL? = {
    guard
      let tool = Fixtures.shared?.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "tools/damage.py")
    else { return nil }
    return FileManager.default.fileExists(atPath: tool.path) ? tool : nil
  }()

  /// Makes the files; returns their names.
  static func make(in folder: URL) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", try #require(tool).path, try Fixtures.shared("large/small.realm").path, folder.path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".realm") }
      .map { String($0.dropLast(6)) }.sorted()
  }
}
