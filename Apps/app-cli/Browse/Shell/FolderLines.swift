import FerryStore
import FolderDomain
import ItemDomain

/// The lines of the tree on the left, from one state of the store.
enum FolderLines {
  static func read(_ snapshot: borrowing Snapshot<AccountScope>) throws -> [FolderLine] {
    let counts = try FolderDAO.counts(snapshot)
    var lines = try FolderDAO.tree(snapshot).branches.map { branch in
      let count = counts[branch.folder.id]
      return FolderLine(
        place: .folder(branch.folder.id), name: branch.folder.name, depth: branch.depth, total: count.all,
        unread: count.unread)
    }
    if counts.unfiled.all > 0 {
      lines.append(
        FolderLine(
          place: .unfiled, name: "(no folder)", total: counts.unfiled.all, unread: counts.unfiled.unread))
    }
    lines.append(
      FolderLine(
        place: .everything, name: "All items", total: counts.total.all, unread: counts.total.unread))
    lines.append(FolderLine(place: .drafts, name: "Drafts", total: try snapshot.count(Draft.all)))
    return lines
  }
}
