import FerryStore

/// The folder that legacy files move to once every domain is over, with the manifest of what they were and
/// where.
public struct LegacyArchive: Sendable {
  /// Where it is.
  public let folder: String
  let files: FileOperations

  /// - Parameter folder: made when the first file moves.
  public init(folder: String, files: FileOperations = FileOperations()) {
    (self.folder, self.files) = (folder, files)
  }

  /// Every file in it, with its size in bytes, by path; none where there is no archive.
  public func contents() throws -> [(path: String, size: Int64)] { try files.sizes(below: folder) }

  private var manifestPath: String { "\(folder)/manifest.json" }

  func hasManifest() throws -> Bool { try files.exists(manifestPath) }

  /// Refuses to take it for an app's first run that there is no store.
  ///
  /// - Throws: `KernelError.archiveAlone` where legacy files are in the archive.
  public func checkNotAlone() throws { if try hasManifest() { throw KernelError.archiveAlone(folder) } }

  /// What is wrong with a store, and where the legacy files are, if they are in here.
  public func beside(_ error: StoreError) throws -> any FerryError {
    try hasManifest() ? KernelError.archiveBeside(folder, why: error.sentence) : error
  }

  func manifest() throws -> ArchiveManifest {
    try ArchiveManifest(files.read(manifestPath), path: manifestPath)
  }

  func write(_ manifest: ArchiveManifest) throws {
    try files.writeWhole(try manifest.bytes(), to: manifestPath)
  }

  func removeManifest() throws {
    try files.removeTree(manifestPath)
    try files.syncFolder(of: manifestPath)
  }

  /// The manifest of files that are still where the app left them. Makes the folder.
  func manifest(of manifests: [LegacyManifest]) throws -> ArchiveManifest {
    try files.makeFolder(folder)
    var names: Set<[UInt8]> = []
    return ArchiveManifest(
      files: try manifests.map { file in
        // Where the path is a link, the file moves and the link stays.
        let place = try files.realPath(of: file.path)
        let name = String(place.split(separator: "/").last ?? "legacy.realm")
        // Two accounts' files may both be called default.realm.
        var free = name
        var number = 2
        while !names.insert(Array(free.utf8)).inserted {
          free = "\(number)-\(name)"
          number += 1
        }
        return ArchiveManifest.File(
          path: try files.path(of: place, from: folder), name: free, size: file.size, sha256: file.sha256,
          companions: try ArchiveManifest.companions.filter { try files.exists(place + $0) })
      })
  }

  /// Where a file was before it was retired, with no way back in it that a person would have to follow.
  func place(of file: ArchiveManifest.File) throws -> String {
    var parts: [Substring] = []
    for part in try "\(files.realPath(of: folder))/\(file.path)".split(separator: "/") {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Moves a file in, or goes on with a move that was interrupted.
  func moveIn(_ file: ArchiveManifest.File) throws {
    try move(file, from: place(of: file), to: "\(folder)/\(file.name)")
  }

  /// Moves a file back to where it was, or goes on with a move that was interrupted.
  func moveBack(_ file: ArchiveManifest.File) throws {
    try move(file, from: "\(folder)/\(file.name)", to: place(of: file))
  }

  private func move(_ file: ArchiveManifest.File, from source: String, to destination: String) throws {
    if try files.exists(source) {
      if try files.exists(destination) {
        // A copy to another file system, of which only the source is still to go; or somebody else's file.
        guard try files.digest(of: destination).sha256 == file.sha256,
          try files.digest(of: source).sha256 == file.sha256
        else { throw KernelError.inTheWay(path: destination, of: source) }
        try files.removeTree(source)
      } else {
        // A run that was interrupted may have left it lying about for long.
        guard try files.digest(of: source).sha256 == file.sha256 else {
          throw KernelError.archivedOther(path: source)
        }
        try files.move(source, to: destination)
      }
    } else if try !files.exists(destination) {
      throw KernelError.fileSystem(path: source, doing: "Moving", message: "it is gone")
    }
    for companion in file.companions where try files.exists(source + companion) {
      try files.removeTree(destination + companion)
      try files.move(source + companion, to: destination + companion)
    }
  }
}
