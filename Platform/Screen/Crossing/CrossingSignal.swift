/// How far a crossing is, in one domain.
public struct CrossingProgress: Sendable, Hashable {
  /// What is being done, for a person: "backing up", "restoring".
  public let phase: String
  public let domain: String
  /// Rows done.
  public let done: Int
  /// Rows in all; nil while that isn't known.
  public let of: Int?

  public init(phase: String, domain: String, done: Int, of: Int?) {
    self.phase = phase
    self.domain = domain
    self.done = done
    self.of = of
  }
}

/// Why a crossing can't go on, and what to do.
public struct CrossingFailure: Sendable, Hashable {
  /// What is wrong, for a person.
  public let sentence: String
  /// What to do next, in the imperative.
  public let remedy: String

  public init(sentence: String, remedy: String) {
    self.sentence = sentence
    self.remedy = remedy
  }
}

/// What a gate is told of a crossing.
public enum CrossingSignal: Sendable, Hashable {
  /// The core domains that haven't crossed yet: checking is over. None: there is nothing to wait for.
  case core(Set<String>)
  case progress(CrossingProgress)
  /// The domain has crossed.
  case over(domain: String)
  /// The domain waits for the network; that is no failure.
  case waitingForNetwork(domain: String)
  case failed(domain: String, CrossingFailure)
}
