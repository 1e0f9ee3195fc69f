import FerryStore

/// Where a step stands, derived from roadmap and journal and kept nowhere.
public enum StepState: Sendable, Equatable {
  /// The roadmap leaves the domain off.
  case off
  /// Nothing has been done; the text says what it waits for, if for anything.
  case waiting(String?)
  /// This phase is over, the next one isn't.
  case crossing(Phase)
  /// The server can't be reached; the next run goes on.
  case waitingForNetwork(String)
  case failed(after: Phase, reason: String, remedy: String)
  case done

  /// One word for scripts.
  public var name: String {
    switch self {
    case .off: "off"
    case .waiting: "waiting"
    case .crossing: "crossing"
    case .waitingForNetwork: "waitingForNetwork"
    case .failed: "failed"
    case .done: "done"
    }
  }
}

extension Plan {
  /// Where each step stands.
  ///
  /// - Throws: `KernelError.editedStep` where a done step was edited, `.doneButOff` where one is turned off.
  public func states(_ journal: [JournalEntry]) throws -> [(step: Step, state: StepState)] {
    try checkFrozen(journal)
    return steps.map { step in (step, state(of: step, journal)) }
  }

  /// Refuses a roadmap that differs in what is done; throws as `states` does.
  func checkFrozen(_ journal: [JournalEntry]) throws {
    for entry in journal.done {
      if off.contains(where: { $0.name == entry.domain }) {
        throw KernelError.doneButOff(domain: entry.domain)
      }
      if let step = steps.first(where: { $0.domain.name == entry.domain }), step.freeze != entry.freeze {
        throw KernelError.editedStep(domain: entry.domain)
      }
    }
  }

  /// Refuses accounts that came after a step was done and have rows that it would have carried.
  ///
  /// - Throws: `KernelError.lateAccount`, or `.noLegacyFiles` where something is left to cross and there is no
  ///   account at all.
  public func checkAccounts(of source: any LegacySource, _ journal: [JournalEntry]) throws {
    let accounts = source.accounts
    for entry in journal.done {
      let covered = entry.accounts.map { Array($0.utf8) }
      guard let step = steps.first(where: { $0.domain.name == entry.domain }) else { continue }
      for late in accounts where !covered.contains(Array(late.description.utf8)) {
        for entity in step.entities where try source.rowCount(of: entity.className, account: late) > 0 {
          throw KernelError.lateAccount(late, domain: entry.domain)
        }
      }
    }
    if accounts.isEmpty, !runnable(journal).isEmpty { throw KernelError.noLegacyFiles }
  }

  /// Refuses to begin where a server is to send rows of an account that is signed out: it is asked for nothing of it.
  ///
  /// - Parameter accounts: those of the store.
  /// - Throws: `KernelError.signedOut`.
  public func checkSignedIn(_ accounts: [Account], of source: any LegacySource, _ journal: [JournalEntry])
    throws
  {
    guard let step = open(journal).first(where: { $0.strategy == .resync }) else { return }
    for account in accounts where account.isSignedOut && source.accounts.contains(account.id) {
      throw KernelError.signedOut(account.id, domain: step.domain.name)
    }
  }

  /// The steps that a run would begin with; empty: it would change nothing.
  public func runnable(_ journal: [JournalEntry]) -> [Step] {
    open(journal).filter { obstacle(before: $0, journal) == nil }
  }

  /// The enabled steps that aren't over.
  func open(_ journal: [JournalEntry]) -> [Step] { enabled.filter { !journal.isDone($0.domain.name) } }

  private func state(of step: Step, _ journal: [JournalEntry]) -> StepState {
    guard step.isEnabled else { return .off }
    guard let entry = journal.first(where: { $0.domain == step.domain.name }),
      entry.phase != .waiting || entry.stop != nil
    else { return .waiting(obstacle(before: step, journal)) }
    switch entry.stop {
    case .failed: return .failed(after: entry.phase, reason: entry.reason ?? "", remedy: entry.remedy ?? "")
    case .network: return .waitingForNetwork(entry.reason ?? "")
    case nil: return entry.phase == .done ? .done : .crossing(entry.phase)
    }
  }

  /// What keeps a step from starting; nil where nothing does.
  func obstacle(before step: Step, _ journal: [JournalEntry]) -> String? {
    if step.domain.isLast {
      let off = off.map(\.name)
      if !off.isEmpty { return "it crosses last, and \(Plan.list(off)) \(off.count == 1 ? "is" : "are") off" }
      let others = steps.map(\.domain.name).filter { $0 != step.domain.name }
      return others.allSatisfy(journal.isDone) ? nil : "it crosses last"
    }
    let missing = step.domain.dependsOn.filter { !journal.isDone($0) }
    return missing.isEmpty ? nil : "it comes after \(Plan.list(missing))"
  }

  private static func list(_ names: [String]) -> String {
    names.count < 2 ? names.joined() : names.dropLast().joined(separator: ", ") + " and \(names.last ?? "")"
  }
}
