import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileOperations {
  /// Whether there is anything at a path; what can't be looked at is an error, not absent.
  func exists(_ path: String) throws -> Bool { try kind(of: path) != nil }

  /// Moves a file or a folder, also to another file system, so that it is whole in one of the two places at any
  /// instant and the new place survives a power failure. An interrupted move is gone on with by calling it again.
  func move(_ path: String, to destination: String) throws {
    try willRun("rename", path)
    switch -calls.rename(path, to: destination) {
    case ...0: break
    case EXDEV:
      try copy(path, to: destination + ".tmp")
      try rename(destination + ".tmp", to: destination)
      try syncFolder(of: destination)
      try removeTree(path)
    case let code: throw KernelError.file(path: path, doing: "Moving", code)
    }
    try syncFolder(of: destination)
    try syncFolder(of: path)
  }

  /// Removes a file, or a folder with what is in it. What isn't there is let pass.
  package func removeTree(_ path: String) throws {
    switch try kind(of: path) {
    case nil: break
    case .folder?:
      for name in try names(in: path) { try removeTree("\(path)/\(name)") }
      try willRun("rmdir", path)
      guard rmdir(path) == 0 else { throw KernelError.file(path: path, doing: "Removing", errno) }
    case .file?: try remove(path)
    }
  }

  /// Every file at or below a path, with its size in bytes, by name.
  func sizes(below path: String) throws -> [(path: String, size: Int64)] {
    switch try kind(of: path) {
    case nil: []
    case .folder?: try names(in: path).flatMap { try sizes(below: "\(path)/\($0)") }
    case .file(let size)?: [(path, size)]
    }
  }

  /// The way to a file from a folder, both of which are there, through no symbolic link.
  func path(of file: String, from folder: String) throws -> String {
    let name = file.split(separator: "/").last ?? ""
    let from = try realPath(of: folder).split(separator: "/")
    let to = try realPath(of: FileOperations.folder(of: file)).split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared) + [name])
      .joined(separator: "/")
  }

  private enum Kind {
    case folder
    case file(size: Int64)
  }

  private func kind(of path: String) throws -> Kind? {
    var status = stat()
    if lstat(path, &status) == 0 {
      return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file(size: Int64(status.st_size))
    }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw KernelError.file(path: path, doing: "Looking at", errno)
    }
    return nil
  }

  private func names(in folder: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      throw KernelError.fileSystem(
        path: folder, doing: "Listing", message: error.localizedDescription.withoutFullStop)
    }
  }

  /// A path without links in it; what it leads to must be there.
  func realPath(of path: String) throws -> String {
    guard let found = realpath(path, nil) else {
      throw KernelError.file(path: path, doing: "Looking at", errno)
    }
    defer { free(found) }
    return String(cString: found)
  }

  private func copy(_ path: String, to destination: String) throws {
    try removeTree(destination)
    try willRun("copy", destination)
    do {
      try FileManager.default.copyItem(atPath: path, toPath: destination)
    } catch {
      throw KernelError.fileSystem(
        path: path, doing: "Copying", message: error.localizedDescription.withoutFullStop)
    }
    for (file, _) in try sizes(below: destination) {
      try withFile(file, O_RDONLY | O_CLOEXEC) { try sync($0, path: file) }
    }
  }
}
