#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file or folder that Realm keeps beside a database (the format specification, section 19).
///
/// None of them is needed for reading, and none is touched by it.
public struct RealmCompanion: Sendable, Hashable {
  /// What a companion is for.
  public enum Kind: Sendable, Hashable {
    /// A copy made before an upgrade from this file format: a database in its own right.
    case backup(format: Int)
    /// Who has the database open; left behind afterwards.
    case lock
    /// Pipes and mutexes of processes that have the database open.
    case management
    /// A pipe by which processes tell each other of commits.
    case note
    /// The history of very old versions.
    case log
    /// What an interrupted compaction has left.
    case compactionLeftover
  }

  /// The path, in the folder of the database as it was given.
  public let path: String
  /// What it is for.
  public let kind: Kind
}

extension RealmFile {
  /// What Realm has put beside the file at `path`, in the order of names. The file itself need not exist.
  public static func companions(of path: String) throws(RealmFileError) -> [RealmCompanion] {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    var companions: [RealmCompanion] = []
    for entry in try FolderListing.names(in: folder.isEmpty ? "." : folder).sorted() {
      if let kind = kind(of: entry, beside: name) {
        companions.append(.init(path: folder + entry, kind: kind))
      }
    }
    return companions
  }

  /// The copies that Realm made of the file at `path` before it upgraded it, that of the latest format first.
  ///
  /// Each is a database in its own right, named `name.vN.backup.realm` for format N.
  public static func backupSiblings(of path: String) throws(RealmFileError) -> [String] {
    var backups: [(path: String, format: Int)] = []
    for companion in try companions(of: path) {
      if case .backup(let format) = companion.kind { backups.append((companion.path, format)) }
    }
    return backups.sorted { $0.format > $1.format }.map(\.path)
  }

  private static func kind(of entry: String, beside name: String) -> RealmCompanion.Kind? {
    let suffix = ".realm"
    let stem = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
    let backup = ".backup" + suffix
    if entry.hasPrefix(stem + ".v"), entry.hasSuffix(backup) {
      let digits = entry.dropFirst(stem.count + 2).dropLast(backup.count)
      if let format = Int(digits), digits.allSatisfy(\.isNumber) { return .backup(format: format) }
    }
    guard entry.hasPrefix(name) else { return nil }
    switch entry.dropFirst(name.count) {
    case ".lock": return .lock
    case ".management": return .management
    case ".note": return .note
    case ".log", ".log_a", ".log_b": return .log
    case ".tmp_compaction_space": return .compactionLeftover
    default: return nil
    }
  }
}

/// The names in a folder.
enum FolderListing {
  static func names(in folder: String) throws(RealmFileError) -> [String] {
    guard let listing = opendir(folder) else {
      throw .unreadable(path: folder, reason: String(cString: strerror(errno)))
    }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
