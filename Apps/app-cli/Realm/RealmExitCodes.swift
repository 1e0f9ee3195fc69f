import Composition
import FerryConsole
import RealmDecryption
import RealmExport
import RealmFile

/// What `app-cli realm` leaves behind for a script, beyond the codes of both apps.
extension ExitCode {
  /// The file is encrypted, and there is no key or not the right one; or a key was given that doesn't belong.
  static let realmEncrypted = ExitCode(rawValue: 10)
  /// The file has a format that can't be read.
  static let realmUnsupported = ExitCode(rawValue: 11)
  /// The file is damaged.
  static let realmDamaged = ExitCode(rawValue: 12)
  /// The file is no Realm database.
  static let notARealmFile = ExitCode(rawValue: 13)
  /// Another process changed the file while it was read.
  static let realmChanged = ExitCode(rawValue: 14)
  /// The output exists, or can't be made.
  static let noOutput = ExitCode(rawValue: 15)
  /// The input can't be read (EX_NOINPUT of sysexits.h).
  static let noInput = ExitCode(rawValue: 66)
}

extension Failure {
  /// An error of reading or exporting the file at `path`.
  static func realm(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as RealmFileError:
      Failure(
        "\(path): \(error.sentence)", code: error.code,
        remedy: error.remedy + BackupSibling.hint(for: error, path),
        exitCode: exitCode(of: error))
    case let error as RealmDecryptionError:
      Failure("\(path): \(error.sentence)", code: error.code, remedy: error.remedy, exitCode: .realmEncrypted)
    case let error as ExportError:
      Failure(error.sentence, code: error.code, remedy: error.remedy, exitCode: exitCode(of: error))
    case is CancellationError:
      Failure(
        "It was interrupted; nothing was written.", code: "interrupted",
        remedy: "Run it again; it begins anew.",
        exitCode: .interrupted)
    default: error
    }
  }

  private static func exitCode(of error: RealmFileError) -> ExitCode {
    switch error {
    case .encrypted: .realmEncrypted
    case .unsupportedFormat: .realmUnsupported
    case .damaged: .realmDamaged
    case .notARealmFile, .emptyFile: .notARealmFile
    case .changedWhileReading: .realmChanged
    case .unreadable: .noInput
    default: .failure
    }
  }

  private static func exitCode(of error: ExportError) -> ExitCode {
    switch error {
    case .noSuchClass: .failure
    case .exists, .notReplaceable, .isSource, .busy: .noOutput
    case .output, .sqlite: .inputOutput
    }
  }
}
