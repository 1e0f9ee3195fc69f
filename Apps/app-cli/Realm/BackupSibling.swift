import Foundation
import RealmFile

/// A copy that the Realm library made before it upgraded a file, and left beside it: `name.vN.backup.realm`.
struct BackupSibling {
  /// The copy.
  let path: String
  /// The file format that it was made from.
  let format: Int

  /// The copies beside a file, oldest format first. Where the folder can't be listed there are none to name.
  static func all(of path: String) -> [BackupSibling] {
    let file = URL(fileURLWithPath: path)
    let folder = file.deletingLastPathComponent()
    let name = file.lastPathComponent
    let stem = (name.hasSuffix(".realm") ? String(name.dropLast(".realm".count)) : name) + ".v"
    // why: the folder may be closed to listing while the file in it can be read; then there is nothing to name.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let prefix = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
    return names.compactMap { sibling in
      guard sibling.hasPrefix(stem), sibling.hasSuffix(".backup.realm"),
        let format = Int(sibling.dropFirst(stem.count).dropLast(".backup.realm".count))
      else { return nil }
      return BackupSibling(path: prefix + sibling, format: format)
    }
    .sorted { $0.format < $1.format }
  }

  /// What to add to a remedy where a copy may help.
  static func hint(for error: RealmFileError, _ path: String) -> String {
    switch error {
    case .damaged, .unsupportedFormat:
      guard let newest = all(of: path).last else { return "" }
      return " There is \(newest.path)."
    default: return ""
    }
  }
}
