import FerryStore

/// Which legacy files an archive holds and where they were: `manifest.json` in its folder.
struct ArchiveManifest: Sendable, Equatable {
  struct File: Sendable, Equatable {
    /// Where the file was, seen from the archive's folder: an app's folder may move with all that is in it.
    let path: String
    /// Its name in the archive.
    let name: String
    /// In bytes.
    let size: Int64
    let sha256: String
    /// What lay beside it and belongs to it, by what comes behind its name: `.lock`.
    let companions: [String]
  }

  let files: [File]

  /// What Realm leaves beside a file. It holds no rows.
  static let companions = [".lock", ".note", ".management"]

  func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    let entries = files.map { file in
      JSONValue.object([
        "path": .string(file.path), "name": .string(file.name), "size": .integer(file.size),
        "sha256": .string(file.sha256), "companions": .array(file.companions.map { .string($0) }),
      ])
    }
    try JSONValue.object(["archive": 1, "files": .array(entries)]).append(to: &bytes)
    bytes.append(0x0a)
    return bytes
  }

  init(files: [File]) { self.files = files }

  /// Reads what `bytes` wrote.
  ///
  /// - Throws: `KernelError.malformed`.
  init(_ bytes: [UInt8], path: String) throws {
    do {
      let reader = JSONReader(try JSONValue.parse(bytes), of: "manifest")
      guard try reader.integer("archive") == 1 else {
        throw reader.mismatch(expected: "version 1", found: "another")
      }
      files = try reader.items("files").map { file in
        File(
          path: try file.text("path"), name: try file.text("name"), size: try file.integer("size"),
          sha256: try file.text("sha256"), companions: try file.items("companions").map { try $0.text() })
      }
    } catch let fault as JSONFault {
      throw KernelError.malformed(path: path, why: fault.sentence.withoutFullStop)
    }
  }
}
