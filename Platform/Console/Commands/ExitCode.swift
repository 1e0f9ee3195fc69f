/// What a process leaves behind for the shell. Values beyond the known ones come from
/// `init(rawValue:)`.
public struct ExitCode: RawRepresentable, Hashable, Sendable {
  /// The number itself. Shells see its lowest eight bits.
  public let rawValue: Int32

  /// A code of the tool's own.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// 0: done.
  public static let ok = ExitCode(rawValue: 0)
  /// 1: it failed, and the error says how.
  public static let failure = ExitCode(rawValue: 1)
  /// 64: the command line was wrong (EX_USAGE of sysexits.h).
  public static let usage = ExitCode(rawValue: 64)
  /// 74: reading or writing failed (EX_IOERR).
  public static let inputOutput = ExitCode(rawValue: 74)
  /// 75: try again later (EX_TEMPFAIL), such as when the network is away.
  public static let temporary = ExitCode(rawValue: 75)
  /// 77: not allowed, such as expired credentials (EX_NOPERM).
  public static let noPermission = ExitCode(rawValue: 77)
  /// 78: a configuration file is wrong (EX_CONFIG).
  public static let configuration = ExitCode(rawValue: 78)
  /// 130: stopped by the person (128 + SIGINT).
  public static let interrupted = ExitCode(rawValue: 130)
  /// 141: the reader of standard output left (128 + SIGPIPE), as shells report it.
  public static let brokenPipe = ExitCode(rawValue: 141)
}
