extension Roadmap {
  /// One domain's crossing.
  public struct Step: Sendable, Equatable {
    /// The domain's name.
    public let domain: Located<String>
    /// Whether the domain is in the store at all.
    public let isEnabled: Bool
    /// Where `enabled` is said, or where the step begins if it isn't.
    public let enabledPosition: SourcePosition
    /// Whether the gate waits for this domain.
    public let isCore: Bool
    /// What happens to the legacy rows.
    public let strategy: Located<Strategy>
    /// Where each entity's rows come from; each entity once.
    public let legacy: [LegacyMapping]
    /// Where the step begins.
    public let position: SourcePosition

    /// Joins the parts of a step.
    public init(
      domain: Located<String>, isEnabled: Bool = true, enabledPosition: SourcePosition? = nil,
      isCore: Bool = false, strategy: Located<Strategy>, legacy: [LegacyMapping], position: SourcePosition
    ) {
      self.domain = domain
      self.isEnabled = isEnabled
      self.enabledPosition = enabledPosition ?? position
      self.isCore = isCore
      self.strategy = strategy
      self.legacy = legacy
      self.position = position
    }
  }
}

/// What happens to a domain's legacy rows.
public enum Strategy: String, Sendable, CaseIterable {
  /// Every row is copied.
  case copy
  /// Only rows that aren't on the server are copied; the server refills the rest.
  case resync
  /// Only rows that the mapping preserves are copied; the rest is left behind.
  case discard
}
