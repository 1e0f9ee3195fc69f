import FerryStore

/// What will cross, how and in which order: the roadmap, checked against the registered domains. The dry run,
/// the run, its progress and its report know nothing else.
public struct Plan: Sendable {
  /// A domain's turn.
  public struct Step: Sendable {
    public let domain: Domain
    public let isEnabled: Bool
    public let isCore: Bool
    public let strategy: Strategy
    public let entities: [Entity]
    /// Where the roadmap has it.
    public let position: SourcePosition
    /// Changes whenever the step's meaning does.
    let freeze: String
  }

  /// The roadmap's file, as faults name it.
  public let file: String
  /// In the order of the roadmap.
  public let steps: [Step]
  /// Registered domains that the roadmap doesn't name.
  public let unlisted: [Domain]

  /// Checks a roadmap against the registered domains.
  ///
  /// - Throws: `SourceFaults` with every fault found.
  public init(_ roadmap: Roadmap, domains: [Domain]) throws {
    var check = PlanCheck(roadmap, domains)
    steps = check.run()
    guard check.faults.isEmpty else { throw SourceFaults(check.faults) }
    file = roadmap.file
    unlisted = domains.filter { domain in !roadmap.steps.contains { $0.domain.value == domain.name } }
  }

  /// The domains that are in the store.
  public var enabled: [Step] { steps.filter(\.isEnabled) }

  /// The registered domains that are not.
  public var off: [Domain] { steps.filter { !$0.isEnabled }.map(\.domain) + unlisted }

  /// What the store is opened with: the enabled domains' tables, and those of the rooms given.
  public func schemas(rooms: [Schema]) -> [Schema] { rooms + enabled.map(\.domain.schema) }
}

/// Several faults of a configuration file, so that a person mends them at once.
public struct SourceFaults: FerryError {
  /// At least one, in the order of the file.
  public let faults: [SourceFault]

  init(_ faults: [SourceFault]) {
    self.faults = faults.sorted { ($0.position ?? .start) < ($1.position ?? .start) }
  }

  public var code: String { faults.first?.code ?? "roadmap.fault" }
  public var sentence: String { faults.map(\.sentence).joined(separator: "\n") }
  public var remedy: String { faults.map(\.remedy).joined(separator: "\n") }
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}
