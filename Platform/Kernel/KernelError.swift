import FerryStore
import Foundation

/// What the kernel refuses, or can't do.
public enum KernelError: FerryError, Equatable {
  /// A file operation failed.
  case fileSystem(path: String, doing: String, message: String)
  /// Another process crosses or syncs.
  case locked(path: String)
  /// A legacy file isn't the one that was backed up.
  case legacyChanged(path: String)
  /// A legacy file isn't the one that a domain which is done crossed from.
  case legacyReplaced(path: String, domain: String)
  /// Rows of a class have changed since the domain that they are of crossed.
  case classChanged(path: String, className: String, domain: String, account: AccountID)
  /// The legacy source has no file for an account.
  case noLegacyFile(AccountID)
  /// No legacy file is configured, and there are domains left to cross.
  case noLegacyFiles
  /// An account was added after a domain had crossed.
  case lateAccount(AccountID, domain: String)
  /// A backup can't be read back, or isn't the one that the journal knows.
  case badBackup(path: String, why: String)
  /// A step that is done was edited in the roadmap.
  case editedStep(domain: String)
  /// A domain that is done in the store is off in the roadmap.
  case doneButOff(domain: String)
  /// The rows of a class don't add up.
  case unaccounted(
    domain: String, account: String, entity: String, phase: Phase, read: Int64, accounted: Int64)
  /// A table doesn't hold the rows that were written.
  case missingRows(domain: String, table: String, expected: Int64, found: Int64)
  /// No row in quarantine has this id.
  case notQuarantined(String)
  /// A row of a domain that hasn't crossed can't be settled yet.
  case notDone(domain: String)
  /// A row in quarantine still can't become a record.
  case stillRefused(row: String, why: String)
  /// The table has another row with the key of one in quarantine.
  case keyTaken(row: String, key: String)
  /// A domain that the roadmap leaves off was asked for.
  case domainDisabled(String)
  /// A file is where another one is to go.
  case inTheWay(path: String, of: String)
  /// The legacy files aren't in the archive yet.
  case notRetired
  /// The archive of the legacy files was removed.
  case archiveRemoved(String)
  /// Legacy files are in the archive, and there is no store.
  case archiveAlone(String)
  /// Legacy files are in the archive, and the store can't be used.
  case archiveBeside(String, why: String)
  /// A file in the archive isn't the one that was put there.
  case archiveDamaged(path: String)
  /// A legacy file that is to be retired isn't the one that crossed.
  case archivedOther(path: String)
  /// An account that has crossed in part has no legacy file any more, and there is more to cross.
  case missingAccount(AccountID, domain: String)
  /// A server is to send rows of an account that is signed out.
  case signedOut(AccountID, domain: String)
  /// A rollback would lose what people have changed since the first domain crossed.
  case laterEdits(count: Int64, discarding: Int64)
  /// A rollback was begun and isn't over.
  case rollbackUnderWay(archive: String)
  /// A file of Ferry's own isn't what it must be.
  case malformed(path: String, why: String)

  package static func file(path: String, doing: String, _ code: Int32) -> KernelError {
    .fileSystem(path: path, doing: doing, message: String(cString: strerror(code)))
  }

  public var code: String {
    switch self {
    case .fileSystem: "kernel.file"
    case .locked: "kernel.locked"
    case .legacyChanged: "kernel.legacyChanged"
    case .legacyReplaced: "kernel.legacyReplaced"
    case .classChanged: "kernel.classChanged"
    case .noLegacyFile: "kernel.noLegacyFile"
    case .noLegacyFiles: "kernel.noLegacyFiles"
    case .lateAccount: "kernel.lateAccount"
    case .badBackup: "kernel.badBackup"
    case .editedStep: "kernel.editedStep"
    case .doneButOff: "kernel.doneButOff"
    case .unaccounted: "kernel.unaccounted"
    case .missingRows: "kernel.missingRows"
    case .notQuarantined: "kernel.notQuarantined"
    case .notDone: "kernel.notDone"
    case .stillRefused: "kernel.stillRefused"
    case .keyTaken: "kernel.keyTaken"
    case .domainDisabled: "kernel.domainDisabled"
    case .inTheWay: "kernel.inTheWay"
    case .notRetired: "kernel.notRetired"
    case .archiveRemoved: "kernel.archiveRemoved"
    case .archiveAlone: "kernel.archiveAlone"
    case .archiveBeside: "kernel.archiveBeside"
    case .archiveDamaged: "kernel.archiveDamaged"
    case .archivedOther: "kernel.archivedOther"
    case .missingAccount: "kernel.missingAccount"
    case .signedOut: "kernel.signedOut"
    case .laterEdits: "kernel.laterEdits"
    case .rollbackUnderWay: "kernel.rollbackUnderWay"
    case .malformed: "kernel.malformed"
    }
  }

  public var sentence: String {
    switch self {
    case .fileSystem(let path, let doing, let message): "\(doing) \(path) failed: \(message)."
    case .locked: "Another Ferry process is at work on this store."
    case .legacyChanged(let path): "\(path) is not the file that was backed up: it has changed since."
    case .legacyReplaced(let path, let domain): "\(path) is not the file that \(domain) has crossed from."
    case .classChanged(let path, let className, let domain, let account):
      "Rows of \(className) in \(path) have changed since \(domain) crossed from it for \(account)."
    case .noLegacyFile(let account): "No legacy file is configured for \(account)."
    case .noLegacyFiles: "No legacy file is configured, so there is nothing to carry over."
    case .lateAccount(let account, let domain):
      "\(account) was added after \(domain) had crossed, and has rows of it that would be left behind."
    case .badBackup(let path, let why): "The backup \(path) can't be used: \(why)."
    case .editedStep(let domain): "The roadmap's step for \(domain) was edited after it was done."
    case .doneButOff(let domain): "\(domain) has crossed into this store, but the roadmap leaves it off."
    case .unaccounted(let domain, let account, let entity, let phase, let read, let accounted):
      "Of \(read) rows read of \(domain)/\(entity) for \(account), \(accounted) are accounted for at the end "
        + "of \(phase.rawValue)."
    case .missingRows(let domain, let table, let expected, let found):
      "\(domain) wrote \(expected) rows into table \(table), which holds \(found)."
    case .notQuarantined(let id): "There is no row \"\(id)\" in quarantine."
    case .notDone(let domain): "\(domain) hasn't crossed yet, so what becomes of its rows isn't settled."
    case .stillRefused(let row, let why): "\(row) still can't cross: \(why)."
    case .keyTaken(let row, let key): "\(row) can't be written: there is another row with the key \(key)."
    case .domainDisabled(let domain): "The domain \(domain) is off in roadmap.yaml."
    case .inTheWay(let path, let other): "\(path) is in the way of \(other), which is to go there."
    case .notRetired: "The crossing isn't over: the legacy files are still where they were."
    case .archiveRemoved(let folder): "The legacy files were removed with their archive \(folder)."
    case .archiveAlone(let folder): "There is no store, and the legacy files are in \(folder)."
    case .archiveBeside(let folder, let why): "\(why) The legacy files are in \(folder)."
    case .archiveDamaged(let path): "\(path) is not the legacy file that was put there."
    case .archivedOther(let path): "\(path) is not the legacy file that crossed."
    case .missingAccount(let account, let domain):
      "No legacy file is there for \(account) any more, and its rows of \(domain) are still to cross."
    case .signedOut(let account, let domain):
      "\(account) is signed out, and its rows of \(domain) are to come from its server."
    case .laterEdits(let count, 0):
      "A rollback would lose \(count) change\(count == 1 ? "" : "s") made since the first domain crossed."
    case .laterEdits(let count, let discarding):
      "A rollback would lose \(count) change\(count == 1 ? "" : "s") made since the first domain crossed, not "
        + "\(discarding)."
    case .rollbackUnderWay(let archive): "A rollback was begun and not finished: see \(archive)."
    case .malformed(let path, let why): "\(path) is not as it must be: \(why)."
    }
  }

  public var remedy: String {
    switch self {
    case .fileSystem: "Check the path, its permissions and the free space of the disk."
    case .locked: "Wait until it has finished, then try again."
    case .legacyChanged: "Close the app that writes to it, then run the crossing again: the step starts anew."
    case .legacyReplaced: "Put that file back, or carry everything over into a new store."
    case .classChanged:
      "What was written there since would be left behind. Put the file back as it was and let the app write that "
        + "class to the store alone, or carry everything over into a new store."
    case .noLegacyFile: "Add it under `legacy` in ferry.yaml."
    case .noLegacyFiles: "Add the files under `legacy` in ferry.yaml."
    case .lateAccount: "Take it out of ferry.yaml, or carry all accounts over into a new store."
    case .badBackup: "Run the crossing again: the step starts anew from the legacy file."
    case .editedStep:
      "Undo the edit; what is done is frozen. To cross with another mapping, undo it, `app-cli migrate rollback` once "
        + "the crossing is over, edit and cross again."
    case .doneButOff: "Set `enabled: true` for it, or put its step back."
    case .unaccounted, .missingRows:
      "Keep the store's folder and report this; the legacy files are untouched."
    case .notQuarantined: "List the quarantine for the ids; they are case-sensitive."
    case .notDone: "Run the crossing to its end first."
    case .stillRefused:
      "Wait for a build that can carry it, or drop it by its id. A mapping that is at fault can be mended after "
        + "`app-cli migrate rollback`."
    case .keyTaken: "Look at both. Change or delete the one in the table and try again, or drop this one."
    case .domainDisabled: "Set `enabled: true` for it and run the crossing."
    case .inTheWay: "Move one of the two elsewhere, then try again; nothing was overwritten."
    case .notRetired: "Finish the crossing first."
    case .archiveRemoved: "There is no way back from here; this store is what there is."
    case .archiveAlone: "Put the store back, or move the legacy files out of there; nothing was removed."
    case .archiveBeside:
      "Put a copy of the store that is whole in its place; or move it away and the legacy files back to where they "
        + "were, and cross again. Nothing was removed."
    case .archivedOther: "Put the file back that crossed; this one stays where it is."
    case .missingAccount(let account, _):
      "Put its file back, or give the account up: `app-cli account remove \(account)`."
    case .signedOut(let account, _):
      "Sign it in with `app-cli account add \(account)`, or give it up: `app-cli account remove \(account)`."
    case .archiveDamaged: "Put that file back from a backup of yours; nothing was changed."
    case .laterEdits(let count, _): "Say `--discard \(count)` to give them up."
    case .rollbackUnderWay: "Run the rollback again; it goes on."
    case .malformed: "Keep a copy of the file and report this."
    }
  }
}

extension SourceFault: FerryError {}
extension JSONFault: FerryError {}
