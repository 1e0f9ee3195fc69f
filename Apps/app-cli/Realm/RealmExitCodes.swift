import Composition
import FerryConsole
import RealmDecryption
import RealmExport
import RealmFile

/// What `app-cli realm` leaves behind for a script, beyond the codes of both apps.
extension ExitCode {
  /// The file is encrypted, and there is no key or not the right one; or a key was given that doesn't belong.
  static let realmEncrypted = ExitCode(rawValue: 10)
  /// The file has a format that can't be read, or was left between two formats.
  static let realmUnsupported = ExitCode(rawValue: 11)
  /// The file is damaged.
  static let realmDamaged = ExitCode(rawValue: 12)
  /// The file is no Realm database.
  static let notARealmFile = ExitCode(rawValue: 13)
  /// Another process changed the file while it was read.
  static let realmChanged = ExitCode(rawValue: 14)
  /// The output is taken: it exists, is the input, or another export is at it.
  static let noOutput = ExitCode(rawValue: 15)
  /// The input can't be read (EX_NOINPUT of sysexits.h).
  static let noInput = ExitCode(rawValue: 66)
}

extension Failure {
  /// An error of reading or exporting the file at `path`.
  static func realm(_ error: any Error, path: String, isSalvaging: Bool = false) -> any Error {
    switch error {
    case let error as RealmFileError:
      Failure(
        (error.code == "realm.unreadable" ? "" : "\(path): ") + error.sentence, code: error.code,
        remedy: error.remedy + hint(for: error, path, isSalvaging), exitCode: exitCode(of: error))
    case let error as RealmDecryptionError:
      Failure(
        (error.isAboutFile ? "\(path): " : "") + error.sentence, code: error.code, remedy: error.remedy,
        exitCode: .realmEncrypted)
    case let error as ExportError:
      Failure(error.sentence, code: error.code, remedy: error.remedy, exitCode: exitCode(of: error))
    case let interruption as Interrupted:
      Failure(
        "It was stopped; nothing was written.", code: interruption.code,
        remedy: "Run it again; it begins anew.",
        exitCode: ExitCode(rawValue: 128 + interruption.signal))
    default: error
    }
  }

  /// What to add to a remedy where a copy lies beside the file that may read better.
  private static func hint(for error: RealmFileError, _ path: String, _ isSalvaging: Bool) -> String {
    switch error {
    case .damaged, .unsupportedFormat, .halfUpgraded:
      let newest = RealmFile.backups(beside: path).first
      var salvage = ""
      if case .damaged = error, !isSalvaging { salvage = " --salvage reads what is left." }
      return salvage + (newest.map { " There is \($0)." } ?? "")
    case .encrypted: return " --key-file names a file that holds it."
    default: return ""
    }
  }

  private static func exitCode(of error: RealmFileError) -> ExitCode {
    switch error {
    case .encrypted: .realmEncrypted
    case .unsupportedFormat, .halfUpgraded: .realmUnsupported
    case .damaged: .realmDamaged
    case .notARealmFile, .emptyFile: .notARealmFile
    case .changedWhileReading: .realmChanged
    case .unreadable: .noInput
    case .noSuchColumn: .failure
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

extension RealmDecryptionError {
  /// Whether it speaks of the Realm file, and not of the key alone.
  fileprivate var isAboutFile: Bool {
    switch self {
    case .wrongKey, .notEncrypted: true
    default: false
    }
  }
}
