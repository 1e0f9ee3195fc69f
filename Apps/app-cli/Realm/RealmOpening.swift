import Composition
import FerryConsole
import RealmDecryption
import RealmFile

extension Invocation {
  /// Opens the file that FILE names, with the key if one was named.
  func realm() throws -> RealmFile {
    let path = argument("FILE")
    guard let key = try realmKey() else { return try RealmFile(path: path) }
    return try RealmFile.open(path: path, key: key)
  }

  private func realmKey() throws -> RealmKey? {
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

  /// Reads the file as `body` says, and makes sure afterwards that what was read belongs together. Where another
  /// process changed the file meanwhile it is read again, a few times.
  func reading<Result>(_ body: (RealmFile) throws -> Result) throws -> Result {
    let tries = 3
    do {
      for attempt in 1...tries {
        do {
          let file = try realm()
          let result = try body(file)
          try file.checkUnchanged()
          return result
        } catch RealmFileError.changedWhileReading where attempt < tries {
          continue
        }
      }
      throw RealmFileError.changedWhileReading
    } catch {
      throw Failure.realm(error, path: argument("FILE"))
    }
  }
}

extension RealmTable {
  /// The class's name; the table's where it is no class.
  var publicName: String { className ?? name }
}

extension RealmFile {
  /// The classes; in a file that was not made through an SDK, all tables.
  var publicTables: [RealmTable] {
    let classes = tables.filter { $0.className != nil }
    return classes.isEmpty ? tables : classes
  }
}
