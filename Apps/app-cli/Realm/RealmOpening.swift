import Composition
import FerryConsole
import RealmDecryption
import RealmFile

extension Invocation {
  /// Reads the file that FILE names as `body` says, with the key if one was named. What `body` sees belongs to one
  /// state of the file: where another process changed it meanwhile, it is read again, so many times.
  ///
  /// - Returns: what `body` gives, and with `--salvage` what is lost.
  func reading<Result>(
    attempts: Int = 5, _ body: (RealmFile) throws -> Result
  ) throws -> (result: Result, losses: RealmLosses?) {
    let path = argument("FILE")
    do {
      let key = try realmKey()
      if flag("salvage") { return try salvaging(path, key, attempts, body) }
      if let key { return (try RealmFile.read(path: path, key: key, attempts: attempts, body), nil) }
      return (try RealmFile.read(path: path, attempts: attempts, body), nil)
    } catch {
      throw Failure.realm(error, path: path, isSalvaging: flag("salvage"))
    }
  }

  private func salvaging<Result>(
    _ path: String, _ key: RealmKey?, _ attempts: Int, _ body: (RealmFile) throws -> Result
  ) throws -> (Result, RealmLosses?) {
    for attempt in 1...attempts {
      var pages: Set<Int> = []
      do {
        let file =
          try key.map { try RealmFile.salvage(path: path, key: $0) { pages.insert($0) } }
          ?? RealmFile(salvaging: path)
        let result = try body(file)
        let report = try file.salvageReport()
        try file.checkUnchanged()
        return (result, RealmLosses(report, unauthenticPages: pages.count))
      } catch RealmFileError.changedWhileReading where attempt < attempts {
        continue
      }
    }
    throw RealmFileError.changedWhileReading
  }

  /// The key that --key-file or --key-env names; nil where neither was said.
  func realmKey() throws -> RealmKey? {
    for option in ["key-file", "key-env"] {
      // An error would repeat it, and whoever lists the processes has seen it already.
      let bytes = value(option).map { Array($0.utf8) }
      if let bytes, (try? RealmKey(content: bytes)) != nil {  // why: else it is a path or a name
        throw UsageError(
          "--\(option) was given a key itself.", suggestion: "Name where the key is, and change the key.")
      }
    }
    switch (value("key-file"), value("key-env")) {
    case (nil, nil): return nil
    case (let path?, nil):
      let (key, isOpenToOthers) = try RealmKey.read(file: path)
      if isOpenToOthers {
        note(visible("warning: other users can read the key file \(path). `chmod 600` shuts them out."))
      }
      return key
    case (nil, let name?): return try RealmKey(variable: name, in: environment)
    case (_?, _?): throw UsageError("--key-file and --key-env name two keys.", suggestion: "Say one of them.")
    }
  }
}

extension RealmTable {
  /// The class's name; the table's where it is no class.
  var publicName: String { className ?? name }
}

extension RealmFile {
  /// The copies that Realm left beside a file, the latest first; none where the folder can't be listed, which is no
  /// fault of the file's.
  static func backups(beside path: String) -> [String] {
    do { return try backupSiblings(of: path) } catch { return [] }
  }

  /// The classes; in a file that was not made through an SDK, all tables.
  var publicTables: [RealmTable] {
    let classes = tables.filter { $0.className != nil }
    return classes.isEmpty ? tables : classes
  }
}
