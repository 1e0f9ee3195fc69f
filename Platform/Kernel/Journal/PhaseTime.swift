import FerryStore

/// How long a domain took to reach a phase, in the run that reached it: what an earlier run spent on it before it
/// was killed isn't known.
public struct PhaseTime: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = String
  /// `domain/phase`.
  public let id: String
  public let domain: String
  public let phase: Phase
  public let endedAt: Timestamp
  public let nanoseconds: Int64

  init(domain: String, phase: Phase, from start: Timestamp, to end: Timestamp) {
    self.init(
      id: "\(domain)/\(phase.rawValue)", domain: domain, phase: phase, endedAt: end,
      nanoseconds: max(0, end.nanoseconds - start.nanoseconds))
  }

  private init(id: String, domain: String, phase: Phase, endedAt: Timestamp, nanoseconds: Int64) {
    (self.id, self.domain, self.phase) = (id, domain, phase)
    (self.endedAt, self.nanoseconds) = (endedAt, nanoseconds)
  }

  public static let table = Table<PhaseTime>(
    "kernel_phase_time", key: \.id,
    columns: Column("id", \.id), Column("domain", \.domain), Column("phase", \.phase),
    Column("ended_at", \.endedAt), Column("nanoseconds", \.nanoseconds),
    make: PhaseTime.init(id:domain:phase:endedAt:nanoseconds:))
}
