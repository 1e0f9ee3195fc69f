/// Why a Realm file could not be read.
///
/// Each case is one diagnosis; they are never mixed: an encrypted file is not reported as an unsupported
/// one, and an unsupported one not as a damaged one.
public enum RealmFileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operating system refused to open or read the file; `reason` is its own text.
  case unreadable(path: String, reason: String)
  /// The file has no bytes. A database that was created but never written is not empty (see `RealmFile`).
  case emptyFile
  /// The file does not carry the Realm mnemonic and does not look encrypted either.
  case notARealmFile
  /// The file looks like an encrypted Realm file (the format specification, section 18.3).
  case encrypted
  /// The active snapshot has a file format that this reader does not know.
  case unsupportedFormat(Int)
  /// The library was interrupted while it upgraded the file from this format to format 10.
  case halfUpgraded(Int)
  /// The bytes contradict the format: `what` is wrong at byte `offset` of the (decrypted) file.
  case damaged(what: String, offset: Int)
  /// Another process committed to the file, or shortened it, while it was being read.
  case changedWhileReading
  /// The caller asked for a column that the table does not have.
  case noSuchColumn(index: Int, table: String)

  /// What happened, in one sentence for a person.
  public var sentence: String {
    switch self {
    case .unreadable(let path, let reason): "The file \(path) can't be read: \(reason)."
    case .emptyFile: "The file is empty (0 bytes), so it is not a Realm database."
    case .notARealmFile: "The file is not a Realm database."
    case .encrypted: "The file looks like an encrypted Realm database."
    case .unsupportedFormat(let format):
      "The file has Realm file format \(format); formats 2 to 11 and 20 to 24 can be read."
    case .halfUpgraded(let format):
      "The file is half-upgraded: Realm was interrupted on the way from file format \(format) to 10."
    case .damaged(let what, let offset): "The Realm file is damaged: \(what) (at byte \(offset))."
    case .changedWhileReading: "The Realm file was changed by another process while it was being read."
    case .noSuchColumn(let index, let table): "Table \"\(table)\" has no column number \(index)."
    }
  }

  /// A stable identifier for scripts; it never changes for a given case.
  public var code: String {
    switch self {
    case .unreadable: "realm.unreadable"
    case .emptyFile: "realm.emptyFile"
    case .notARealmFile: "realm.notARealmFile"
    case .encrypted: "realm.encrypted"
    case .unsupportedFormat: "realm.unsupportedFormat"
    case .halfUpgraded: "realm.halfUpgraded"
    case .damaged: "realm.damaged"
    case .changedWhileReading: "realm.changedWhileReading"
    case .noSuchColumn: "realm.noSuchColumn"
    }
  }

  /// What to do next.
  public var remedy: String {
    switch self {
    case .unreadable: "Check that the path is right and that this user may read the file."
    case .emptyFile: "Restore the file from a backup, or leave it out: it holds no data."
    case .notARealmFile: "Check that the path names the .realm file itself and not one of its companions."
    case .encrypted: "Give the 64-byte encryption key that the app uses for this file."
    case .unsupportedFormat: "Update this program, or export the data with the app that wrote the file."
    case .halfUpgraded:
      "Open a copy of the file once with the app, or with a Realm SDK between 5.0 and 10.48, "
        + "which finishes the upgrade."
    case .damaged:
      "Restore the file from a backup; a copy that Realm made before an upgrade may lie beside it "
        + "(name.vN.backup.realm)."
    case .changedWhileReading: "Close the app that uses the file, or read a copy of it, and try again."
    case .noSuchColumn: "Take column numbers from the table's own list of columns."
    }
  }

  /// The sentence and the remedy together.
  public var description: String { "\(sentence) \(remedy)" }
}
