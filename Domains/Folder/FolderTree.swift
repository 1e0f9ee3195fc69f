import FerryStore

/// An account's folders as a tree, in their order.
///
/// Every folder is in it. One whose parent isn't there stands at the top; and so does the first one of a circle,
/// such as two devices make that move two folders into each other and hear of it later.
public struct FolderTree: Sendable, Equatable {
  /// A folder, and in how many others it lies.
  public struct Branch: Sendable, Equatable {
    public let folder: Folder
    /// 0 at the top.
    public let depth: Int
  }

  /// Every folder, followed by those that lie in it.
  public let branches: [Branch]
  /// Those that stand at the top only because they are in a circle.
  let circles: Set<FolderID>
  private let folders: [FolderID: Folder]
  private let parents: [FolderID: FolderID]
  private let contents: [FolderID?: [Folder]]

  public init(_ folders: [Folder]) {
    let ordered = folders.sorted { left, right in
      left.sortOrder == right.sortOrder
        ? left.id.rawValue.utf8.lexicographicallyPrecedes(right.id.rawValue.utf8)
        : left.sortOrder < right.sortOrder
    }
    var known: [FolderID: Folder] = [:]
    for folder in ordered { known[folder.id] = folder }
    let circles = FolderTree.circles(in: ordered, known)
    var parents: [FolderID: FolderID] = [:]
    var contents: [FolderID?: [Folder]] = [:]
    for folder in ordered {
      let parent = circles.contains(folder.id) ? nil : folder.parent.flatMap { known[$0]?.id }
      parents[folder.id] = parent
      contents[parent, default: []].append(folder)
    }
    var branches: [Branch] = []
    // The next one last. No recursion: nobody says how deep folders may lie.
    var waiting = (contents[nil] ?? []).reversed().map { Branch(folder: $0, depth: 0) }
    while let branch = waiting.popLast() {
      branches.append(branch)
      for inner in (contents[branch.folder.id] ?? []).reversed() {
        waiting.append(Branch(folder: inner, depth: branch.depth + 1))
      }
    }
    (self.branches, self.circles, self.folders) = (branches, circles, known)
    (self.parents, self.contents) = (parents, contents)
  }

  /// The folders in one folder, or those at the top, in their order.
  public func folders(in parent: FolderID?) -> [Folder] { contents[parent] ?? [] }

  /// The folder with this identifier; nil where there is none.
  public func folder(_ id: FolderID) -> Folder? { folders[id] }

  /// The folders from the top down to this one, which is the last; none where there is no such folder.
  public func path(to id: FolderID) -> [Folder] {
    var path: [Folder] = []
    var next = folders[id]
    while let folder = next {
      path.append(folder)
      next = parents[folder.id].flatMap { folders[$0] }
    }
    return path.reversed()
  }

  /// A folder and all that lie in it, however deep; none where there is no such folder.
  public func folders(from id: FolderID) -> [Folder] {
    guard let start = branches.firstIndex(where: { $0.folder.id == id }) else { return [] }
    let inner = branches[(start + 1)...].prefix { $0.depth > branches[start].depth }
    return [branches[start].folder] + inner.map(\.folder)
  }

  public static func == (left: FolderTree, right: FolderTree) -> Bool { left.branches == right.branches }

  /// Of each circle the folder that comes first.
  private static func circles(in ordered: [Folder], _ known: [FolderID: Folder]) -> Set<FolderID> {
    var places: [FolderID: Int] = [:]
    for (place, folder) in ordered.enumerated() { places[folder.id] = place }
    var circles: Set<FolderID> = []
    var seen: Set<FolderID> = []
    for folder in ordered {
      var path: [FolderID] = []
      var step: [FolderID: Int] = [:]
      var next: FolderID? = folder.id
      while let id = next, known[id] != nil, !seen.contains(id) {
        if let start = step[id] {
          // The way up came back to where it has been.
          let first = path[start...].min { places[$0, default: 0] < places[$1, default: 0] }
          if let first { circles.insert(first) }
          break
        }
        step[id] = path.count
        path.append(id)
        next = known[id]?.parent
      }
      seen.formUnion(path)
    }
    return circles
  }
}
