import FerryConsole
import FerryKernel
import FerryStore
import FerrySync
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
}

extension Failure {
  /// An error of the house, or any other, as the apps report it.
  public static func from(_ error: any Error) -> Failure {
    switch error {
    case is CancellationError:
      Failure("It was interrupted.", code: "interrupted", remedy: "Run it again; it goes on.", exitCode: .interrupted)
    case let error as any FerryError:
      Failure(error.sentence, code: error.code, remedy: error.remedy, exitCode: exitCode(of: error))
    default:
      Failure("\(error)", code: "unexpected", remedy: "Report this.")
    }
  }

  private static func exitCode(of error: any FerryError) -> ExitCode {
    switch error {
    case is SourceFault, is SourceFaults, KernelError.editedStep, KernelError.doneButOff: .configuration
    case KernelError.locked: .locked
    case KernelError.domainDisabled: .domainDisabled
    case StoreError.gateShut: .gateShut
    case is RefillInterrupted, RemoteError.unreachable: .temporary
    default: .failure
    }
  }
}
