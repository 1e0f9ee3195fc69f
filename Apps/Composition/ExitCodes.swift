import FerryConsole
import FerryKernel
import FerryStore
import FerrySync
import KintoRemote
import RealmSource

/// What both apps leave behind for a script, beyond the codes of `ExitCode` itself.
extension ExitCode {
  /// Some of it was done; the output says what wasn't.
  public static let partial = ExitCode(rawValue: 3)
  /// Another process is at work on the store.
  public static let locked = ExitCode(rawValue: 4)
  /// A crossing has to be finished first.
  public static let gateShut = ExitCode(rawValue: 5)
  /// The domain is off in the roadmap.
  public static let domainDisabled = ExitCode(rawValue: 6)
  /// A server isn't the one that it was.
  public static let otherServer = ExitCode(rawValue: 7)
  /// What is to be done deletes more than goes without asking.
  public static let brake = ExitCode(rawValue: 8)
}

extension Failure {
  /// An error of the house, or any other, as the apps report it.
  public static func from(_ error: any Error) -> Failure {
    switch error {
    case is CancellationError:
      Failure(
        "It was interrupted.", code: "interrupted", remedy: "Run it again; it goes on.",
        exitCode: .interrupted)
    case let interruption as Interrupted:
      Failure(
        interruption.sentence, code: interruption.code, remedy: interruption.remedy,
        exitCode: ExitCode(rawValue: 128 + interruption.signal))
    case StoreError.unknownTable(let table):
      // Whoever asks for a domain that is off is told so before; this one was enabled since.
      Failure(
        "The store doesn't have the table \(table) yet.", code: StoreError.unknownTable(table).code,
        remedy: "Run the crossing, which brings it. The crossing is `app-cli migrate`.", exitCode: .gateShut)
    case let error as any FerryError:
      Failure(error.sentence, code: error.code, remedy: remedy(of: error), exitCode: exitCode(of: error))
    default:
      Failure("\(error)", code: "unexpected", remedy: "Report this.")
    }
  }

  /// The rooms below don't know what the apps are called; a person must be told the command.
  private static func remedy(of error: any FerryError) -> String {
    switch error {
    case StoreError.noStore, StoreError.gateShut, StoreError.tableShut, KernelError.legacyChanged,
      KernelError.badBackup, KernelError.domainDisabled, KernelError.notRetired, is RefillInterrupted:
      "\(error.remedy) The crossing is `app-cli migrate`."
    case KernelError.rollbackUnderWay: "\(error.remedy) That is `app-cli migrate rollback`."
    case StoreError.olderStore: "\(error.remedy) `app-cli migrate` does that."
    case StoreError.signedOut(let account): "\(error.remedy) `app-cli account add \(account)` does that."
    case StoreError.unknownAccount: "\(error.remedy) `app-cli account list` lists them."
    default: error.remedy
    }
  }

  private static func exitCode(of error: any FerryError) -> ExitCode {
    switch error {
    case is SourceFault, is SourceFaults, KernelError.editedStep, KernelError.doneButOff,
      KernelError.lateAccount, KernelError.noLegacyFiles:
      .configuration
    case KernelError.locked: .locked
    case KernelError.domainDisabled: .domainDisabled
    case StoreError.gateShut, StoreError.tableShut, AccountError.notCrossed: .gateShut
    case is RefillInterrupted, RemoteError.unreachable: .temporary
    case RemoteError.unauthorized, RemoteError.forbidden, RemoteError.unknownAccount, is SecretError,
      is CredentialError, KernelError.signedOut:
      .noPermission
    case RemoteError.wentBack, RemoteError.flushed, SyncError.otherServer: .otherServer
    case SyncError.brake: .brake
    default: .failure
    }
  }
}
