/// The one way in for what comes from outside: deep links, push notifications, account switches; and for a person's
/// visits, so that one owner decides what is attached (traps V1, V3).
///
/// ```swift
/// let router = Router<Letter>(active: alice, accounts: [alice, bob])
/// router.open("ferry://alice@home/folder/inbox/item/42")
/// await router.run(hands, activate: { accounts.active = $0 }, push: { letter, list in show(letter, on: list) })
/// ```
///
/// Events may come at any time; each has one ``RouteOutcome``. It belongs to whoever made it, like ``ListModel``:
/// `activate` and `push` are called where the router is, and nothing can happen to it between the last look at the
/// target and the push.
public final class Router<Detail: Sendable> {
  /// What the router has done for it in child tasks. A ``RouteRefusal`` that one of them throws is the event's outcome;
  /// of other errors the text is.
  public struct Hands: Sendable {
    let mount: @Sendable (Mount<Place>) async throws -> Void
    let unmount: @Sendable (Mount<Place>) async -> Void
    let resolve: @Sendable (DeepLink) async throws -> Detail?
    let firstFolder: @Sendable (LinkAccount) async throws -> LinkID?

    /// - Parameters:
    ///   - mount: puts the list there, or throws ``RouteRefusal/unknownFolder(_:)``. It is cancelled when the list isn't
    ///     wanted any more.
    ///   - unmount: takes the list away with all that lies on it, and returns when it is gone.
    ///   - resolve: gives what a link's item is shown with; nil where there is no such item. It is cancelled when the
    ///     list is left, and has to end by itself where a network doesn't answer.
    ///   - firstFolder: the folder that an account opens with; nil where it has none.
    public init(
      mount: @escaping @Sendable (Mount<Place>) async throws -> Void,
      unmount: @escaping @Sendable (Mount<Place>) async -> Void,
      resolve: @escaping @Sendable (DeepLink) async throws -> Detail?,
      firstFolder: @escaping @Sendable (LinkAccount) async throws -> LinkID?
    ) {
      self.mount = mount
      self.unmount = unmount
      self.resolve = resolve
      self.firstFolder = firstFolder
    }
  }

  /// An event that the router has been given. Nobody has to wait for it.
  public struct Event: Sendable {
    let wish: Wishes<RouteOutcome>.Wish

    /// What became of it. To be asked once; cancelling the task ends the waiting, with a refusal, and not the event.
    public func outcome(isolation: isolated (any Actor)? = #isolation) async -> RouteOutcome {
      await wish.outcome() ?? .refused(.ended)
    }
  }

  private enum Message: Sendable {
    case end(MountTasks<Place>.End)
    case resolved(event: Int, RouterMachine<Detail>.Resolution)
    case firstFolder(event: Int, Result<LinkID?, any Error>)
    /// Something was done from outside: there are steps to take.
    case wake
  }

  private enum Run {
    case awaited
    case underWay(Inbox<Message>)
    case over
  }

  private var machine: RouterMachine<Detail>
  private var steps: [RouterMachine<Detail>.Step] = []
  private var wishes = Wishes<RouteOutcome>()
  /// Of the events that have no outcome yet, for the trace.
  private var causes: [Int: Cause] = [:]
  private var run = Run.awaited
  private let trace: Trace

  /// - Parameters:
  ///   - active: whose folders are shown; nil while nobody's are.
  ///   - accounts: the accounts on this device.
  ///   - isOpen: whether events are let in yet; false while a ``CrossingGate`` is closed, until ``admit()``.
  ///   - trace: gets what is attached, mounted and routed.
  public init(
    active: LinkAccount?, accounts: Set<LinkAccount>, isOpen: Bool = true, trace: Trace = .off
  ) {
    machine = RouterMachine(active: active, accounts: accounts, isOpen: isOpen)
    self.trace = trace
  }

  public var active: LinkAccount? { machine.active }
  public var lifecycle: Lifecycle<Place> { machine.lifecycle }

  /// The items that lie on the attached list, the topmost last.
  public var pushed: [DeepLink] { machine.pushed }

  /// The gate is open: what came from outside before is led on now.
  public func admit() { take(machine.admit()) }

  /// The accounts on this device are these from now on.
  public func know(_ accounts: Set<LinkAccount>) { machine.know(accounts) }

  /// Goes to a deep link: attaches its list, resolves its item and pushes it once.
  @discardableResult public func open(
    _ text: String, file: StaticString = #fileID, line: UInt = #line
  ) -> Event {
    add(Cause(.link, file: file, line: line), "'\(text)'") { machine, event, cause in
      do throws(RouteRefusal) {
        return machine.link(event, try DeepLink(text), cause)
      } catch {
        return machine.refuse(event, error)
      }
    }
  }

  /// Goes to a folder, for a person, and doesn't wait for what is under way; nil is an absent folder: nothing is
  /// attached then.
  @discardableResult public func visit(
    _ place: Place?, file: StaticString = #fileID, line: UInt = #line
  ) -> Event {
    add(Cause(.visit, file: file, line: line), "visit of \(place.map { "\($0)" } ?? "nothing")") {
      $0.visit($1, place, $2)
    }
  }

  /// Detaches, makes the account the active one and attaches its first folder. No rows move.
  @discardableResult public func switchAccount(
    to account: LinkAccount, file: StaticString = #fileID, line: UInt = #line
  ) -> Event {
    add(Cause(.accountSwitch, file: file, line: line), "switch to \(account)") {
      $0.switchAccount($1, to: account, $2)
    }
  }

  /// Says that a person went back from the topmost item.
  public func back() { machine.back() }

  /// Leads events to their end until the task is cancelled. To be called once; events from before wait for it.
  ///
  /// When it returns nothing is attached any more, whatever was under way is refused with `ended`, and what was mounted
  /// goes the way of whoever owns it: it isn't unmounted.
  ///
  /// - Parameters:
  ///   - hands: what is done in child tasks.
  ///   - activate: makes an account the active one; nothing is attached then.
  ///   - push: shows an item on its list, which is attached.
  public func run(
    isolation: isolated (any Actor)? = #isolation, _ hands: Hands, activate: (LinkAccount) -> Void,
    push: (Detail, Mount<Place>) -> Void
  ) async {
    guard case .awaited = run else { return }
    let inbox = Inbox<Message>()
    run = .underWay(inbox)
    var mounts = MountTasks(mount: hands.mount, unmount: hands.unmount, trace: trace) { inbox.put(.end($0)) }
    var resolving: [Int: Stop] = [:]
    await withDiscardingTaskGroup { group in
      _ = isolation
      func perform() {
        while !steps.isEmpty {
          switch steps.removeFirst() {
          case .attaching(let step): mounts.perform(step, in: &group)
          case .push(let it): push(it.detail, it.mount)
          case .activate(let account): activate(account)
          case .settled(let event, let outcome): settle(event, outcome)
          case .resolve(let event, let link):
            let stop = Stop()
            resolving[event] = stop
            group.addTask {
              await stop.limit {
                inbox.put(.resolved(event: event, await Router.resolve(link, hands)))
              }
            }
          case .stopResolving(let event): resolving.removeValue(forKey: event)?.now()
          case .findFirstFolder(let event, let account):
            group.addTask {
              do {
                inbox.put(.firstFolder(event: event, .success(try await hands.firstFolder(account))))
              } catch {
                inbox.put(.firstFolder(event: event, .failure(error)))
              }
            }
          }
        }
      }
      perform()
      for await message in inbox.messages {
        guard !Task.isCancelled else { break }
        switch message {
        case .end(let end): steps += machine.hear(end)
        case .resolved(let event, let resolution):
          resolving[event] = nil
          steps += machine.resolved(event, resolution)
        case .firstFolder(let event, let folder): steps += machine.firstFolder(event, folder)
        case .wake: break
        }
        perform()
      }
      group.cancelAll()
    }
    run = .over
    end()
  }

  private static func resolve(_ link: DeepLink, _ hands: Hands) async -> RouterMachine<Detail>.Resolution {
    do {
      return try await hands.resolve(link).map { .found($0) } ?? .absent
    } catch {
      return .failed(error)
    }
  }

  private func add(
    _ cause: Cause, _ subject: @autoclosure () -> String,
    _ input: (inout RouterMachine<Detail>, Int, Cause) -> [RouterMachine<Detail>.Step]
  ) -> Event {
    let wish = wishes.make()
    causes[wish.number] = cause
    trace.note(.route, nil, subject(), cause)
    take(input(&machine, wish.number, cause))
    return Event(wish: wish)
  }

  private func take(_ new: [RouterMachine<Detail>.Step]) {
    steps += new
    switch run {
    case .awaited: break
    case .underWay(let inbox): inbox.put(.wake)
    case .over: end()
    }
  }

  private func end() {
    for case .settled(let event, let outcome) in steps + machine.end() { settle(event, outcome) }
    steps = []
  }

  private func settle(_ event: Int, _ outcome: RouteOutcome) {
    if let cause = causes.removeValue(forKey: event) { trace.note(.route, nil, "\(outcome)", cause) }
    wishes.settle(event, outcome)
  }
}
