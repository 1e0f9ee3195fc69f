import Foundation
import RealmFile

/// Reading a file of 150,411 rows and 1.36 million cells.
enum RealmJobs {
  static let all: [Job] = [
    Job(
      name: "realm: read every cell", work: .process { try readEveryCell() }, baselines: [gzip],
      files: [medium],
      figures: [.cpu(goal: 0.20), .memory(beyond: medium, goal: 64)]),
    Job(
      name: "realm: golden JSON", work: .process { try writeJSON() }, baselines: [gzip], files: [medium],
      figures: [.cpu(goal: 0.60), .memory(beyond: medium, goal: 64)]),
  ]

  private static let shared = ProcessInfo.processInfo.environment["FERRY_SHARED"] ?? "../shared"
  static let medium = shared + "/fixtures/realm/large/medium.realm"
  private static let gzip = Work.program(["gzip", "-1", "-c", medium])

  private static func readEveryCell() throws {
    let file = try RealmFile(path: medium)
    // Printed, so that no reading can be left out.
    var (cells, bytes) = (0, 0)
    for table in file.tables {
      let rows = table.rows()
      let columns = table.columns.count
      while let row = try rows.next() {
        for column in 0..<columns {
          if case .text(let text) = try row.cell(at: column) { bytes += text.count }
          cells += 1
        }
      }
    }
    print(cells, bytes)
  }

  private static func writeJSON() throws {
    let output = FileHandle.standardOutput
    try RealmFile(path: medium).writeJSON { try output.write(contentsOf: Data($0)) }
  }
}
