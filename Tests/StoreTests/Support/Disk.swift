import Foundation

/// A disk of a test's own, small and soon full, or made read-only: Linux lets root have one.
final class Disk: Sendable {
  let folder: URL
  var file: URL { folder.appendingPathComponent("ferry.sqlite") }

  static let isPossible: Bool = {
    do { return try Disk(kilobytes: 64) != nil } catch { return false }
  }()

  init?(kilobytes: Int) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ferry-disk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard geteuid() == 0, try run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path)
    else { return nil }
  }

  deinit {
    _ = try? run("umount", "-l", folder.path)
    try? FileManager.default.removeItem(at: folder)
  }

  func makeReadOnly() throws { _ = try run("mount", "-o", "remount,ro", folder.path) }

  /// Leaves no byte of room.
  func fill() throws {
    let descriptor = open(folder.appendingPathComponent("filling").path, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let block = [UInt8](repeating: 1, count: 1024)
    while write(descriptor, block, block.count) > 0 {}
  }

  private func run(_ command: String...) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
