import Foundation
import Testing

@testable import RealmFile

/// The files that mutations begin with: some of every format that is at hand.
enum FuzzSeeds {
  static let all: [(name: String, bytes: [UInt8])] = handmade + read(committed) + read(shared)

  /// Those that are read at once.
  static let small = all.filter { $0.bytes.count < 100_000 }
  /// Those in which most changes hit nothing, but that have everything in them.
  static let large = all.filter { $0.bytes.count >= 100_000 }

  /// The file that a round of fuzzing changes: mostly small ones.
  static func seed(round: Int) -> (name: String, bytes: [UInt8]) {
    round % 8 == 7 ? large[round / 8 % large.count] : small[round % small.count]
  }

  private static let committed = [
    "app/alice", "app/empty", "formats/format-10", "formats/format-22", "formats/format-23",
    "formats/format-24",
  ].map { Fixtures.committed("\($0).realm") }

  private static var shared: [URL] {
    guard let root = Fixtures.shared else { return [] }
    return Fixtures.goldenNames(below: "public").map { root.appending(path: $0) }
  }

  private static func read(_ urls: [URL]) -> [(name: String, bytes: [UInt8])] {
    urls.compactMap { url in
      do {
        let bytes = [UInt8](try Data(contentsOf: url))
        // Encrypted files end in one error whatever is changed.
        return Array(bytes[16..<20]) == Array("T-DB".utf8) ? (url.lastPathComponent, bytes) : nil
      } catch {
        Issue.record("\(url.path): \(error)")
        return nil
      }
    }
  }

  private static var handmade: [(name: String, bytes: [UInt8])] {
    [("columns of format 9", columns(format: 9)), ("columns of format 3", columns(format: 3))]
  }

  /// A table with every kind of column that formats up to 9 have, in trees of several leaves.
  private static func columns(format: UInt8) -> [UInt8] {
    var file = HandmadeFile()
    file.format = format
    let slot = HandmadeFile.tagged(1)
    func tree(_ leaf: (inout HandmadeFile, Range<Int64>) -> Int64) -> Int64 {
      let leaves = [leaf(&file, 0..<4), leaf(&file, 4..<8), leaf(&file, 8..<9)]
      return file.inner([HandmadeFile.tagged(4)] + leaves + [HandmadeFile.tagged(9)])
    }
    let element = file.treeSpec([.init(name: "", type: 2, attributes: 16, root: 0)])
    let list = file.refs([file.mediumStrings(["a", nil], marks: [1, 0])])
    let long = file.refs([file.blob(Array("long".utf8) + [0])] + Array(repeating: 0, count: 8), flags: 0x20)
    let seconds = tree { $0.integers([-9] + Array($1)) }
    let nanoseconds = tree { $0.integers(Array($1)) }
    let columns: [HandmadeFile.TreeColumn] = [
      .init(name: "int", type: 0, attributes: 1, root: tree { $0.integers(Array($1)) }),
      .init(name: "int?", type: 0, attributes: 16, root: tree { $0.integers([1] + Array($1)) }),
      .init(name: "string", type: 2, root: tree { $0.strings($1.map { "\($0)" }) }),
      .init(
        name: "medium", type: 2, attributes: 16,
        root: tree { file, range in file.mediumStrings(range.map { "\($0)" }, marks: range.map { $0 % 2 }) }),
      .init(name: "long", type: 2, attributes: 16, root: long),
      .init(name: "date", type: 7, root: tree { $0.integers(Array($1)) }),
      .init(name: "time", type: 8, attributes: 16, root: file.timestamps(seconds, nanoseconds)),
      .init(
        name: "interned", type: 3, root: tree { $0.integers($1.map { $0 % 3 }) },
        strings: file.strings(["x", "y", "z"])),
      .init(name: "link", type: 12, root: tree { $0.integers(Array($1)) }, subspec: [slot]),
      .init(
        name: "links", type: 13,
        root: tree { file, range in file.refs(range.map { _ in file.integers([0, 1]) }) },
        subspec: [slot]),
      .init(
        name: "list", type: 5, root: file.refs([list] + Array(repeating: 0, count: 8)), subspec: [element]),
      .init(name: "", type: 14, root: tree { $0.refs($1.map { _ in 0 }) }, subspec: [slot, slot]),
    ]
    file.table(
      "pk",
      trees: [
        .init(name: "pk_table", type: 2, root: file.strings(["A"])),
        .init(name: "pk_property", type: 2, root: file.strings(["int"])),
      ])
    file.table("class_A", trees: columns)
    return file.finish()
  }
}
