/// The one owner of what is attached (trap V1).
///
/// A list is attached when ``attach(_:reason:file:line:isolation:)`` returns, not later. While it is, or is about to
/// be, a second wish for the same target is dropped; a wish for another detaches the first one before. What isn't
/// attached can't be delivered to: see ``isAttached(_:)``.
///
/// It belongs to whoever made it, like ``ListModel``.
public final class ListCoordinator<Target: Hashable & Sendable> {
  private enum Message: Sendable {
    case end(MountTasks<Target>.End)
    /// Something was done from outside: there are steps to take.
    case wake
  }

  private enum Run {
    case awaited
    case underWay(Inbox<Message>)
    case over
  }

  private var machine = AttachMachine<Target>()
  private var steps: [AttachMachine<Target>.Step] = []
  private var wishes = Wishes<AttachOutcome<Target>>()
  private var run = Run.awaited
  private let trace: Trace

  public init(trace: Trace = .off) { self.trace = trace }

  public var lifecycle: Lifecycle<Target> { machine.lifecycle }

  /// Whether this very mount, not only its target, is attached now. To be asked after every `await`, and before
  /// something is delivered to it.
  public func isAttached(_ mount: Mount<Target>) -> Bool {
    machine.lifecycle.attached?.mount.instance == mount.instance
  }

  /// Attaches a list and returns when it is attached, or won't be.
  ///
  /// Cancelling the task ends the waiting, with `ended`; what has been wished stays wished.
  @discardableResult public func attach(
    _ target: Target, reason: Cause.Reason = .visit, file: StaticString = #fileID, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation
  ) async -> AttachOutcome<Target> {
    let wish = wishes.make()
    take(machine.attach(target, wish: wish.number, cause: Cause(reason, file: file, line: line)))
    return await wish.outcome() ?? .ended
  }

  /// Detaches what is attached and returns when it is gone. Whatever has been wished before is superseded.
  @discardableResult public func detach(isolation: isolated (any Actor)? = #isolation) async
    -> AttachOutcome<Target>
  {
    let wish = wishes.make()
    take(machine.detach(wish: wish.number))
    return await wish.outcome() ?? .ended
  }

  /// Mounts and unmounts what is wished until the task is cancelled. To be called once; wishes from before wait for it.
  ///
  /// When it returns nothing is attached any more, whoever waited has got `ended`, and what was mounted goes the way
  /// of whoever owns it: it isn't unmounted.
  ///
  /// - Parameters:
  ///   - mount: puts the list there. It is cancelled when the list isn't wanted any more; whether it then throws or
  ///     returns is its own choice.
  ///   - unmount: takes the list away, and returns when it is gone.
  public func run(
    isolation: isolated (any Actor)? = #isolation,
    mount: @escaping @Sendable (Mount<Target>) async throws -> Void,
    unmount: @escaping @Sendable (Mount<Target>) async -> Void
  ) async {
    guard case .awaited = run else { return }
    let inbox = Inbox<Message>()
    run = .underWay(inbox)
    var tasks = MountTasks(mount: mount, unmount: unmount, trace: trace) { inbox.put(.end($0)) }
    await withDiscardingTaskGroup { group in
      _ = isolation
      perform(&tasks, in: &group)
      for await message in inbox.messages {
        guard !Task.isCancelled else { break }
        if case .end(let end) = message { steps += machine.hear(end) }
        perform(&tasks, in: &group)
      }
      group.cancelAll()
    }
    run = .over
    machine = AttachMachine()
    wishes.end()
  }

  private func perform(_ tasks: inout MountTasks<Target>, in group: inout DiscardingTaskGroup) {
    while !steps.isEmpty {
      let step = steps.removeFirst()
      tasks.perform(step, in: &group)
      if case .settled(let wish, let outcome) = step { wishes.settle(wish, outcome) }
    }
  }

  private func take(_ new: [AttachMachine<Target>.Step]) {
    switch run {
    case .awaited: steps += new
    case .underWay(let inbox):
      steps += new
      inbox.put(.wake)
    case .over:
      machine = AttachMachine()
      wishes.end()
    }
  }
}

extension AttachMachine {
  mutating func hear(_ end: MountTasks<Target>.End) -> [Step] {
    switch end {
    case .mounted(let mount): mounted(mount.instance)
    case .mountFailed(let mount, let error): mountFailed(mount.instance, error)
    case .unmounted(let mount): unmounted(mount.instance)
    }
  }
}
