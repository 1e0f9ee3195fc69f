import Foundation
import RealmExport
import RealmFile
import Testing

@Suite("Outputs appear whole or not at all")
struct AtomicOutputTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try Array(text.utf8).withUnsafeBytes(body)
  }

  @Test("Until it is committed a file has no name, and if it never is nothing is left")
  func discarded() throws {
    do {
      let file = try AtomicFile(path: folder.path("out"))
      try bytes("half") { try file.write($0) }
      #expect(try folder.names() == [".out.partial"])
    }
    #expect(try folder.names().isEmpty)
    do {
      let target = try AtomicFolder(path: folder.path("out"))
      try target.add("a.csv") { write in try bytes("half") { try write($0) } }
      #expect(try folder.names() == [".out.partial"])
    }
    #expect(try folder.names().isEmpty)
  }

  @Test("A committed file has its bytes, for its owner only")
  func committed() throws {
    let file = try AtomicFile(path: folder.path("out"))
    try bytes("gone") { try file.write($0) }
    try file.startOver()
    try bytes("whole") { try file.write($0) }
    try file.commit()
    #expect(try folder.names() == ["out"])
    #expect(try folder.data("out") == Data("whole".utf8))
    let mode =
      try FileManager.default.attributesOfItem(atPath: folder.path("out"))[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  @Test("What exists is replaced only on request, unless there is nothing in it")
  func replacing() throws {
    try Data("old".utf8).write(to: folder.url.appending(path: "out"))
    let path = folder.path("out")
    #expect(throws: ExportError.exists(path: path)) { try AtomicFile(path: path) }
    #expect(throws: ExportError.exists(path: path)) { try AtomicFolder(path: path) }
    let file = try AtomicFile(path: path, replacing: true)
    try bytes("new") { try file.write($0) }
    #expect(try folder.data("out") == Data("old".utf8))
    try file.commit()
    #expect(try folder.data("out") == Data("new".utf8))
    try Data().write(to: folder.url.appending(path: "empty"))
    try AtomicFile(path: folder.path("empty")).commit()
    try FileManager.default.createDirectory(atPath: folder.path("dir"), withIntermediateDirectories: false)
    let target = try AtomicFolder(path: folder.path("dir/"))
    try target.add("a.csv") { _ in }
    try target.commit()
    #expect(throws: ExportError.notReplaceable(path: folder.path("dir"))) {
      try AtomicFolder(path: folder.path("dir"))
    }
    #expect(throws: ExportError.notReplaceable(path: folder.path("dir"))) {
      try AtomicFile(path: folder.path("dir"), replacing: true)
    }
    #expect(throws: ExportError.notReplaceable(path: "/dev/null")) {
      try AtomicFile(path: "/dev/null", replacing: true)
    }
  }

  @Test("The file that is read is never the output, whatever it is called")
  func source() throws {
    try Data("realm".utf8).write(to: folder.url.appending(path: "in"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("in"))
    for name in ["in", "link", "./in"] {
      #expect(throws: ExportError.isSource(path: folder.path(name))) {
        try AtomicFile(path: folder.path(name), replacing: true, source: folder.path("in"))
      }
    }
  }

  @Test("Two exports to one output don't mix, and a killed one is taken over")
  func busy() throws {
    let path = folder.path("out")
    let first = try AtomicFile(path: path)
    #expect(throws: ExportError.busy(path: path)) { try AtomicFile(path: path) }
    try first.commit()
    // What a killed process leaves is what was written so far, and no lock.
    try Data("left by a killed export".utf8).write(to: folder.url.appending(path: ".next.partial"))
    let next = try AtomicFile(path: folder.path("next"))
    try bytes("whole") { try next.write($0) }
    try next.commit()
    #expect(try folder.data("next") == Data("whole".utf8))
    try FileManager.default.createDirectory(
      atPath: folder.path(".dir.partial"), withIntermediateDirectories: false)
    try Data("left".utf8).write(to: folder.url.appending(path: ".dir.partial/old.csv"))
    let target = try AtomicFolder(path: folder.path("dir"))
    try target.add("new.csv") { _ in }
    try target.commit()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("dir")) == ["new.csv"])
    #expect(try folder.names() == ["dir", "next", "out"])
  }

  @Test("An output where none can be made is an error that names it")
  func noRoom() throws {
    #expect { try AtomicFile(path: folder.path("none/out")) } throws: { error in
      guard case ExportError.output(let path, _, _) = error else { return false }
      return path.contains("none")
    }
  }

  @Test("A failing export to SQLite leaves nothing")
  func failingSQLite() throws {
    var export = try RealmExport(of: Fixtures.file("app/alice"))
    export.progress = { if $0.done > 200 { throw CancellationError() } }
    do {
      let file = try AtomicFile(path: folder.path("out.db"))
      #expect(throws: CancellationError.self) { try export.writeSQLite(to: file.partialPath) }
    }
    #expect(try folder.names().isEmpty)
  }
}
