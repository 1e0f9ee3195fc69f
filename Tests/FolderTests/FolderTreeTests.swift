import FerryStore
import FolderDomain
import TestKit
import Testing

@Suite struct `A tree of folders` {
  /// `a`, `  b`: each folder below its parent.
  private func picture(_ tree: FolderTree) -> [String] {
    tree.branches.map { String(repeating: "  ", count: $0.depth) + $0.folder.id.rawValue }
  }

  @Test func `has the folders of one parent in their order, equal ones by key`() throws {
    let tree = FolderTree([
      try folder("b", order: 1), try folder("a", order: 1), try folder("c", order: .min),
      try folder("d", order: 9, in: "c"), try folder("e", order: -9, in: "c"),
    ])
    #expect(picture(tree) == ["c", "  e", "  d", "a", "b"])
    #expect(tree.folders(in: try folderID("c")).map(\.id.rawValue) == ["e", "d"])
    #expect(tree.folders(in: nil).map(\.id.rawValue) == ["c", "a", "b"])
    #expect(tree.folders(in: try folderID("a")).isEmpty)
    #expect(try tree.folders(from: folderID("c")).map(\.id.rawValue) == ["c", "e", "d"])
    #expect(try tree.path(to: folderID("d")).map(\.id.rawValue) == ["c", "d"])
    #expect(try tree.path(to: folderID("z")).isEmpty)
    #expect(try tree.folders(from: folderID("z")).isEmpty)
  }

  @Test func `has at the top what lies in a folder that isn't there`() throws {
    let tree = FolderTree([try folder("a", in: "gone"), try folder("b", in: "a")])
    #expect(picture(tree) == ["a", "  b"])
    #expect(FolderTree([]).branches.isEmpty)
  }

  @Test func `opens a circle at the folder that comes first, wherever others hang on it`() throws {
    #expect(picture(FolderTree([try folder("a", in: "a")])) == ["a"])
    let tree = FolderTree([
      try folder("a", order: 3, in: "b"), try folder("b", order: 2, in: "c"),
      try folder("c", order: 5, in: "a"),
      try folder("d", order: -1, in: "c"), try folder("e", order: 4),
    ])
    #expect(picture(tree) == ["b", "  a", "    c", "      d", "e"])
    #expect(try tree.path(to: folderID("d")).map(\.id.rawValue) == ["b", "a", "c", "d"])
  }

  @Test func `goes as deep as folders do`() throws {
    let chain = try (0..<20_000).map { try folder("\($0)", in: $0 == 0 ? nil : "\($0 - 1)") }
    let tree = FolderTree(chain.reversed())
    #expect(tree.branches.last?.depth == 19_999)
    #expect(try tree.path(to: folderID("19999")).count == 20_000)
  }

  @Test func `has every folder once, below its parent unless that is gone or the way up leads back`() throws {
    print("FERRY_SEED=\(FolderDesk.seed)")
    var random = SplitMix64(seed: FolderDesk.seed)
    for round in 0..<300 {
      let count = Int.random(in: 0...12, using: &random)
      let folders = try (0..<count).map { index in
        // Parents among themselves, of whom some aren't there.
        let parent = Int.random(in: -3..<count + 2, using: &random)
        return try folder(
          "\(index)", order: .random(in: 0...3, using: &random), in: parent < 0 ? nil : "\(parent)")
      }
      let tree = FolderTree(folders)
      let context: Comment = "FERRY_SEED=\(FolderDesk.seed), round \(round): \(folders)"
      #expect(Set(tree.branches.map(\.folder.id)) == Set(folders.map(\.id)), context)
      #expect(tree.branches.count == count, context)
      let parents = Dictionary(uniqueKeysWithValues: folders.map { ($0.id, $0.parent) })
      for branch in tree.branches {
        let path = tree.path(to: branch.folder.id)
        #expect(path.count == branch.depth + 1, context)
        #expect(path.last == branch.folder, context)
        if let shown = path.dropLast().last {
          #expect(branch.folder.parent == shown.id, context)
        } else if let parent = branch.folder.parent, parents.keys.contains(parent) {
          // At the top although its parent is there: then the way up leads back to it.
          var next: FolderID? = parent
          for _ in folders where next != branch.folder.id { next = next.flatMap { parents[$0] ?? nil } }
          #expect(next == branch.folder.id, context)
        }
      }
      for parent in [nil] + folders.map({ Optional($0.id) }) {
        let orders = tree.folders(in: parent).map(\.sortOrder)
        #expect(orders == orders.sorted(), context)
      }
    }
  }
}
