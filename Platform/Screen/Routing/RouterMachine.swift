/// Leads events to their end, each to exactly one: every input gives the steps that follow, and nothing waits.
///
/// Outside events (links, account switches) are started one after the other, and only while nothing is on its way
/// in or out. A person's visit doesn't wait: it ends the link that is under way to somewhere else, and what a switch
/// would show first. An account switch ends every link that came before it; otherwise a detail that doesn't come
/// would hold it up.
struct RouterMachine<Detail: Sendable>: Sendable {
  enum Step: Sendable {
    case attaching(AttachMachine<Place>.Step)
    /// Resolve the link's item, and say `resolved`.
    case resolve(event: Int, DeepLink)
    case stopResolving(event: Int)
    /// Make the account the active one.
    case activate(LinkAccount)
    /// Look for its first folder, and say `firstFolder`.
    case findFirstFolder(event: Int, LinkAccount)
    case push(Push)
    case settled(event: Int, RouteOutcome)
  }

  /// What is delivered to a list: there is none without one that is attached.
  struct Push: Sendable {
    let mount: Mount<Place>
    let link: DeepLink
    let detail: Detail

    init(_ detail: Detail, of link: DeepLink, onto list: Attached<Place>) {
      mount = list.mount
      self.link = link
      self.detail = detail
    }
  }

  enum Resolution: Sendable {
    case found(Detail)
    case absent
    case failed(any Error)
  }

  private enum Event: Sendable {
    case link(Int, DeepLink, Cause)
    case accountSwitch(Int, LinkAccount, Cause)
  }

  /// The outside event that is under way, by what it waits for.
  private enum Work: Sendable {
    case none
    case attaching(event: Int, DeepLink)
    case resolving(event: Int, DeepLink, Mount<Place>)
    case leaving(event: Int, LinkAccount, Cause)
    case findingFolder(event: Int, LinkAccount, Cause)
    case arriving(event: Int, LinkAccount)
  }

  private(set) var active: LinkAccount?
  private(set) var accounts: Set<LinkAccount>
  private(set) var isOpen: Bool
  /// What lies on the list, the topmost last.
  private(set) var pushed: [DeepLink] = []
  private var attaching = AttachMachine<Place>()
  private var work = Work.none
  private var queue: [Event] = []
  /// The events that have no outcome yet.
  private var unsettled: Set<Int> = []

  init(active: LinkAccount?, accounts: Set<LinkAccount>, isOpen: Bool) {
    self.active = active
    self.accounts = accounts
    self.isOpen = isOpen
  }

  var lifecycle: Lifecycle<Place> { attaching.lifecycle }

  /// The gate is open: what has been waiting for it is let in.
  mutating func admit() -> [Step] {
    isOpen = true
    return startNext()
  }

  mutating func know(_ accounts: Set<LinkAccount>) { self.accounts = accounts }

  mutating func link(_ event: Int, _ link: DeepLink, _ cause: Cause) -> [Step] {
    unsettled.insert(event)
    queue.append(.link(event, link, cause))
    return startNext()
  }

  mutating func refuse(_ event: Int, _ refusal: RouteRefusal) -> [Step] {
    unsettled.insert(event)
    return settle(event, .refused(refusal))
  }

  mutating func visit(_ event: Int, _ place: Place?, _ cause: Cause) -> [Step] {
    unsettled.insert(event)
    guard isOpen else { return settle(event, .refused(.crossing)) }
    guard let place else {
      return endLink() + endSearch() + take(attaching.detach(wish: event)) + startNext()
    }
    if case .leaving(_, let account, _) = work {
      return settle(event, .refused(.accountSwitched(to: account)))
    }
    guard place.account == active else {
      let isKnown = accounts.contains(place.account)
      return settle(
        event,
        .refused(
          isKnown ? .otherAccount(place.account, active: active) : .unknownAccount(place.account)))
    }
    return (linkUnderWay?.link.place == place ? [] : endLink()) + endSearch()
      + take(attaching.attach(place, wish: event, cause: cause)) + startNext()
  }

  mutating func switchAccount(_ event: Int, to account: LinkAccount, _ cause: Cause) -> [Step] {
    unsettled.insert(event)
    guard accounts.contains(account) else { return settle(event, .refused(.unknownAccount(account))) }
    guard account != accountToCome else { return settle(event, .alreadyActive(account)) }
    var steps: [Step] = []
    for case .link(let link, _, _) in queue { steps += settle(link, .refused(.accountSwitched(to: account))) }
    queue.removeAll { if case .link = $0 { true } else { false } }
    steps += endLink(.accountSwitched(to: account))
    queue.append(.accountSwitch(event, account, cause))
    return steps + startNext()
  }

  /// A person went back: the topmost item is gone from the list.
  mutating func back() { _ = pushed.popLast() }

  mutating func hear(_ end: MountTasks<Place>.End) -> [Step] {
    let steps = attaching.hear(end)
    return take(steps) + startNext()
  }

  /// The one place where something is pushed. Since the link was begun with there has been an `await`: whether its
  /// list is still the one that is attached, and its account the active one, is asked again.
  mutating func resolved(_ event: Int, _ resolution: Resolution) -> [Step] {
    guard case .resolving(event, let link, let mount) = work else { return [] }
    work = .none
    switch resolution {
    case .found(let detail):
      guard let attached = lifecycle.attached, attached.mount.instance == mount.instance,
        active == link.place.account
      else { return settle(event, .refused(.listGone(link.place))) + startNext() }
      pushed.append(link)
      return [.push(Push(detail, of: link, onto: attached))] + settle(event, .pushed(link, mount))
        + startNext()
    case .absent: return settle(event, .refused(.unknownItem(link))) + startNext()
    case .failed(let error): return settle(event, .refused(RouteRefusal(error))) + startNext()
    }
  }

  mutating func firstFolder(_ event: Int, _ folder: Result<LinkID?, any Error>) -> [Step] {
    guard case .findingFolder(event, let account, let cause) = work, active == account else { return [] }
    switch folder {
    case .success(let folder?):
      work = .arriving(event: event, account)
      let place = Place(account: account, folder: folder)
      return take(attaching.attach(place, wish: event, cause: cause)) + startNext()
    case .success(nil):
      work = .none
      return settle(event, .switched(account, nil)) + startNext()
    case .failure(let error):
      work = .none
      return settle(event, .refused(RouteRefusal(error))) + startNext()
    }
  }

  /// The router's run is over: nothing is attached, and whatever was under way has its outcome.
  mutating func end() -> [Step] {
    let steps = unsettled.sorted().flatMap { settle($0, .refused(.ended)) }
    (attaching, work, queue, pushed) = (AttachMachine(), .none, [], [])
    return steps
  }

  private mutating func startNext() -> [Step] {
    var steps: [Step] = []
    while case .none = work, isOpen, lifecycle.isSettled, !queue.isEmpty {
      steps += start(queue.removeFirst())
    }
    return steps
  }

  private mutating func start(_ event: Event) -> [Step] {
    switch event {
    case .link(let event, let link, let cause):
      let account = link.place.account
      guard accounts.contains(account) else { return settle(event, .refused(.unknownAccount(account))) }
      guard account == active else {
        return settle(event, .refused(.otherAccount(account, active: active)))
      }
      guard pushed.last != link else { return settle(event, .alreadyShown(link)) }
      work = .attaching(event: event, link)
      return take(attaching.attach(link.place, wish: event, cause: cause))
    case .accountSwitch(let event, let account, let cause):
      work = .leaving(event: event, account, cause)
      return take(attaching.detach(wish: event))
    }
  }

  private var linkUnderWay: (event: Int, link: DeepLink)? {
    switch work {
    case .attaching(let event, let link), .resolving(let event, let link, _): (event, link)
    case .none, .leaving, .findingFolder, .arriving: nil
    }
  }

  /// The account that is active once what is under way and in the queue has happened.
  private var accountToCome: LinkAccount? {
    for case .accountSwitch(_, let account, _) in queue.reversed() { return account }
    switch work {
    case .leaving(_, let account, _), .findingFolder(_, let account, _), .arriving(_, let account):
      return account
    case .none, .attaching, .resolving: return active
    }
  }

  private mutating func endLink(_ refusal: RouteRefusal? = nil) -> [Step] {
    guard let (event, link) = linkUnderWay else { return [] }
    let stop: [Step] = if case .resolving = work { [.stopResolving(event: event)] } else { [] }
    work = .none
    return stop + settle(event, .refused(refusal ?? .listGone(link.place)))
  }

  /// A person didn't wait for the first folder of the account that was switched to.
  private mutating func endSearch() -> [Step] {
    guard case .findingFolder(let event, let account, _) = work else { return [] }
    work = .none
    return settle(event, .switched(account, nil))
  }

  private mutating func take(_ steps: [AttachMachine<Place>.Step]) -> [Step] {
    steps.flatMap { step -> [Step] in
      if case .unmount = step { pushed = [] }
      guard case .settled(let wish, let outcome) = step else { return [.attaching(step)] }
      return attached(wish, outcome)
    }
  }

  /// A wish has come to its end: that of the event under way, which goes on, or that of a visit.
  private mutating func attached(_ wish: Int, _ outcome: AttachOutcome<Place>) -> [Step] {
    switch (work, outcome) {
    case (.attaching(wish, let link), .attached(let mount)),
      (.attaching(wish, let link), .alreadyAttached(let mount)):
      guard link.item != nil else {
        (work, pushed) = (.none, [])
        return settle(wish, .list(mount))
      }
      work = .resolving(event: wish, link, mount)
      return [.resolve(event: wish, link)]
    case (.attaching(wish, let link), .superseded):
      work = .none
      return settle(wish, .refused(.listGone(link.place)))
    case (.attaching(wish, _), .failed(let error)):
      work = .none
      return settle(wish, .refused(RouteRefusal(error)))
    case (.leaving(wish, let account, let cause), .detached):
      active = account
      work = .findingFolder(event: wish, account, cause)
      return [.activate(account), .findFirstFolder(event: wish, account)]
    case (.arriving(wish, let account), .attached(let mount)):
      work = .none
      return settle(wish, .switched(account, mount))
    case (.arriving(wish, _), .failed(let error)):
      work = .none
      return settle(wish, .refused(RouteRefusal(error)))
    case (.arriving(wish, let account), _):
      work = .none
      return settle(wish, .switched(account, nil))
    case (_, .attached(let mount)), (_, .alreadyAttached(let mount)): return settle(wish, .list(mount))
    case (_, .detached): return settle(wish, .left)
    case (_, .failed(let error)): return settle(wish, .refused(RouteRefusal(error)))
    case (_, .superseded): return settle(wish, .refused(.superseded))
    case (_, .ended): return settle(wish, .refused(.ended))
    }
  }

  /// An event has one outcome: the first.
  private mutating func settle(_ event: Int, _ outcome: RouteOutcome) -> [Step] {
    unsettled.remove(event) == nil ? [] : [.settled(event: event, outcome)]
  }
}

extension RouteRefusal {
  /// A refusal that a hand of the router throws is the outcome; of any other error the text is kept.
  init(_ error: any Error) { self = error as? RouteRefusal ?? .failed("\(error)") }
}
