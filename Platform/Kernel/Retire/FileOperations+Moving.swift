import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension FileOperations {
  /// Whether there is anything at a path; what can't be looked at is an error, not absent.
  func exists(_ path: String) throws -> Bool {
    var status = stat()
    if lstat(path, &status) == 0 { return true }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw KernelError.file(path: path, doing: "Looking at", errno)
    }
    return false
  }

  /// Moves a file or a folder, also to another file system, so that it is whole in one of the two places at any
  /// instant and the new place survives a power failure. An interrupted move is gone on with by calling it again.
  func move(_ path: String, to destination: String) throws {
    try willRun("rename", path)
    if rename(path, destination) != 0 {
      guard errno == EXDEV else { throw KernelError.file(path: path, doing: "Moving", errno) }
      try copy(path, to: destination + ".tmp")
      try willRun("rename", destination)
      guard rename(destination + ".tmp", destination) == 0 else {
        throw KernelError.file(path: destination, doing: "Renaming", errno)
      }
      try syncFolder(of: destination)
      try remove(path)
    }
    try syncFolder(of: destination)
    try syncFolder(of: path)
  }

  /// Removes a file, or a folder with what is in it. What isn't there is let pass.
  func remove(_ path: String) throws {
    guard try exists(path) else { return }
    try willRun("remove", path)
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw KernelError.fileSystem(
        path: path, doing: "Removing", message: error.localizedDescription.withoutFullStop)
    }
  }

  /// Every file at or below a path, with its size in bytes, by name.
  func sizes(below path: String) throws -> [(path: String, size: Int64)] {
    guard try exists(path) else { return [] }
    var status = stat()
    guard lstat(path, &status) == 0 else { throw KernelError.file(path: path, doing: "Looking at", errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return [(path, Int64(status.st_size))] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted().flatMap {
        try sizes(below: "\(path)/\($0)")
      }
    } catch let error as KernelError {
      throw error
    } catch {
      throw KernelError.fileSystem(
        path: path, doing: "Listing", message: error.localizedDescription.withoutFullStop)
    }
  }

  /// The way to a file from a folder, both of which are there, through no symbolic link.
  func path(of file: String, from folder: String) throws -> String {
    let name = file.split(separator: "/").last ?? ""
    let from = try real(folder).split(separator: "/")
    let to = try real(URL(fileURLWithPath: file).deletingLastPathComponent().path).split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared) + [name])
      .joined(separator: "/")
  }

  private func real(_ folder: String) throws -> String {
    guard let path = realpath(folder, nil) else {
      throw KernelError.file(path: folder, doing: "Looking at", errno)
    }
    defer { free(path) }
    return String(cString: path)
  }

  private func copy(_ path: String, to destination: String) throws {
    try remove(destination)
    try willRun("copy", destination)
    do {
      try FileManager.default.copyItem(atPath: path, toPath: destination)
    } catch {
      throw KernelError.fileSystem(
        path: path, doing: "Copying", message: error.localizedDescription.withoutFullStop)
    }
    for (file, _) in try sizes(below: destination) {
      let descriptor = try opened(file, O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      try sync(descriptor, path: file)
    }
  }
}
