@testable import FerryScreen

/// All of the room at once, without a clock and without a task: the router's machine, a list's machine for each
/// mount, and a host that does what they say. It knows what must never happen, and keeps the first such thing.
struct World {
  enum Event: Equatable, CustomStringConvertible {
    // What comes from outside.
    case visit(String)
    case leave
    case link(Int)
    case switchAccount
    case minimumOver
    // What a list is told: the one that is there, or one that is gone.
    case data(isGone: Bool)
    case endOfLoading(isGone: Bool, fails: Bool)
    // How what was begun comes to its end.
    case mounted(Int)
    case mountFailed(Int)
    case unmounted(Int)
    case resolved(Int, Answer)
    case firstFolder(Int, isFound: Bool)

    enum Answer: String { case found, absent, failed }

    var description: String {
      switch self {
      case .visit(let folder): "visit \(folder)"
      case .leave: "leave"
      case .link(let item): "link to \(item)"
      case .switchAccount: "switch"
      case .minimumOver: "minimum over"
      case .data(let isGone): isGone ? "data for one gone" : "data"
      case .endOfLoading(let isGone, let fails):
        "loading \(fails ? "failed" : "over")\(isGone ? " for one gone" : "")"
      case .mounted(let instance): "mounted #\(instance)"
      case .mountFailed(let instance): "mount failed #\(instance)"
      case .unmounted(let instance): "unmounted #\(instance)"
      case .resolved(let event, let answer): "resolved \(event): \(answer.rawValue)"
      case .firstFolder(let event, let isFound): "first folder \(event): \(isFound)"
      }
    }
  }

  struct List {
    var machine: ListMachine<Line>
    var asking = 0
    var load = 0
    var hasShownContent = false
    var isGone = false
    var skeletons = 0
  }

  private(set) var router = RouterMachine<Int>(active: alice, accounts: [alice, bob], isOpen: true)
  private(set) var fault: String?
  private(set) var pushes: [Int: Int] = [:]
  private(set) var outcomes: [Int: RouteOutcome] = [:]
  private(set) var mounts: [Int: Int] = [:]
  private var events = 0
  private var now = Duration.zero
  private var hostAccount = alice
  /// What the host has there, or on its way in or out.
  private var mounting: Set<Int> = []
  private var standing: Int?
  private var unmounting: Set<Int> = []
  /// Whether the item lies on the list that stands.
  private var isItemOnTop = false
  private var resolving: [Int] = []
  private var finding: [Int] = []
  private var lists: [Int: List] = [:]
  private var rule = OneVisitOneMount()

  /// Everything that can happen now.
  var enabled: [Event] {
    var all: [Event] = [.visit("inbox"), .visit("sent"), .leave, .link(42), .switchAccount]
    if lists.values.contains(where: { !$0.isGone }) {
      all += [.data(isGone: false), .endOfLoading(isGone: false, fails: false), .minimumOver]
      all += [.endOfLoading(isGone: false, fails: true)]
    }
    if lists.values.contains(where: \.isGone) {
      all += [.data(isGone: true), .endOfLoading(isGone: true, fails: false)]
    }
    return all + pending
  }

  /// What was begun and hasn't come to its end, in each way in which it can.
  var pending: [Event] {
    mounting.sorted().flatMap { [.mounted($0), .mountFailed($0)] }
      + unmounting.sorted().map { .unmounted($0) }
      + resolving.flatMap { [.resolved($0, .found), .resolved($0, .absent), .resolved($0, .failed)] }
      + finding.flatMap { [.firstFolder($0, isFound: true), .firstFolder($0, isFound: false)] }
  }

  var pushed: Int { pushes.values.reduce(0, +) }

  mutating func happen(_ event: Event) {
    switch event {
    case .visit(let folder):
      let (target, before) = (place(folder, of: router.active ?? alice), wanted)
      take(router.visit(next(), target, Cause(.visit)))
      if before?.target == target, wanted?.instance != before?.instance {
        fail("a second visit of \(target) mounts it again")
      }
    case .leave: take(router.visit(next(), nil, Cause(.visit)))
    case .link(let item):
      let event = next()
      let link = DeepLink(place: place("inbox", of: router.active ?? alice), item: LinkID("\(item)"))
      take(router.link(event, link, Cause(.link)))
    case .switchAccount:
      take(router.switchAccount(next(), to: router.active == alice ? bob : alice, Cause(.accountSwitch)))
    case .minimumOver:
      now += .milliseconds(500)
      tell(isGone: false) { list, now in list.machine.deadline(at: now) }
    case .data(let isGone):
      tell(isGone: isGone) { list, now in
        list.machine.snapshot(ListRows([Line("a")]), asking: list.asking, at: now)
      }
    case .endOfLoading(let isGone, let fails):
      tell(isGone: isGone) { list, now in
        list.machine.loadingEnded(fails ? .failure(Broken()) : .success, load: list.load, at: now)
      }
    case .mounted(let instance):
      mounting.remove(instance)
      if standing != nil { fail("#\(instance) is mounted over #\(standing ?? 0)") }
      standing = instance
      take(router.hear(.mounted(mount(instance))))
    case .mountFailed(let instance):
      mounting.remove(instance)
      close(instance)
      take(router.hear(.mountFailed(mount(instance), Broken())))
    case .unmounted(let instance):
      unmounting.remove(instance)
      standing = nil
      take(router.hear(.unmounted(mount(instance))))
    case .resolved(let event, let answer):
      resolving.removeAll { $0 == event }
      let resolution: RouterMachine<Int>.Resolution =
        switch answer {
        case .found: .found(event)
        case .absent: .absent
        case .failed: .failed(Broken())
        }
      take(router.resolved(event, resolution))
    case .firstFolder(let event, let isFound):
      finding.removeAll { $0 == event }
      take(router.firstFolder(event, .success(isFound ? LinkID("first") : nil)))
    }
    checkLists()
  }

  /// Lets all that is pending come to a good end, and then everything must have one.
  mutating func settle() {
    var steps = 0
    while fault == nil, let event = pending.first, steps < 100 {
      happen(event)
      steps += 1
    }
    if !pending.isEmpty { fail("it doesn't come to an end") }
    if !router.lifecycle.isSettled { fail("something is still on its way") }
    for event in 1...max(1, events) where event <= events {
      if outcomes[event] == nil { fail("event \(event) has no outcome") }
    }
    if router.lifecycle.attached?.mount.instance != standing { fail("what is attached isn't what is there") }
    if router.active != hostAccount { fail("router and host differ in the account") }
  }

  /// What is attached, or is about to be.
  private var wanted: Mount<Place>? {
    switch router.lifecycle {
    case .detached: nil
    case .attaching(let attaching): attaching.mount
    case .attached(let attached): attached.mount
    case .detaching(let detaching): detaching.next?.mount
    }
  }

  private mutating func next() -> Int {
    events += 1
    return events
  }

  private mutating func fail(_ fault: String) { self.fault = self.fault ?? fault }

  private func mount(_ instance: Int) -> Mount<Place> {
    Mount(instance: instance, target: place("inbox"), cause: Cause(.visit))
  }

  private mutating func take(_ steps: [RouterMachine<Int>.Step]) {
    for step in steps {
      switch step {
      case .attaching(let step): take(step)
      case .resolve(let event, _): resolving.append(event)
      case .stopResolving: break  // it comes all the same, late
      case .activate(let account):
        if standing != nil || !mounting.isEmpty { fail("the account is switched under a list") }
        hostAccount = account
      case .findFirstFolder(let event, _): finding.append(event)
      case .push(let push):
        pushes[push.detail, default: 0] += 1
        isItemOnTop = true
        if pushes[push.detail] != 1 { fail("event \(push.detail) is pushed twice") }
        if standing != push.mount.instance { fail("a push onto a list that isn't there") }
        if unmounting.contains(push.mount.instance) { fail("a push onto a list that is being detached") }
        if push.mount.target != push.link.place { fail("a push onto another list") }
        if hostAccount != push.link.place.account { fail("a push for another account") }
      case .settled(let event, let outcome):
        if outcomes[event] != nil { fail("event \(event) has two outcomes") }
        outcomes[event] = outcome
        if case .pushed = outcome, pushes[event] != 1 { fail("event \(event) says that it was pushed") }
        if case .alreadyShown = outcome, !isItemOnTop { fail("event \(event) says that it is shown") }
        if case .refused = outcome, pushes[event] != nil { fail("event \(event) was pushed and is refused") }
      }
    }
  }

  private mutating func take(_ step: AttachMachine<Place>.Step) {
    switch step {
    case .began(let mount):
      if mount.cause.reason == .link {
        if !(mounting.isEmpty && unmounting.subtracting([standing ?? 0]).isEmpty) {
          fail("a link began while something was on its way")
        }
      }
      trace(.attach, mount)
    case .dropped, .settled: break
    case .mount(let mount):
      if !(mounting.isEmpty && standing == nil && unmounting.isEmpty) { fail("two lists at once") }
      mounts[mount.instance, default: 0] += 1
      if mounts[mount.instance] != 1 { fail("#\(mount.instance) is mounted twice") }
      if mount.target.account != hostAccount { fail("a list of another account") }
      trace(.mount, mount)
      mounting.insert(mount.instance)
      var list = List(machine: ListMachine(minimum: .milliseconds(500)))
      let steps = list.machine.begin(at: now)
      lists[mount.instance] = list
      take(steps, of: mount.instance)
    case .abandon(let mount): close(mount.instance)
    case .unmount(let mount):
      if standing != mount.instance { fail("what isn't there is unmounted") }
      if unmounting.contains(mount.instance) { fail("#\(mount.instance) is unmounted twice") }
      close(mount.instance)
      isItemOnTop = false
      unmounting.insert(mount.instance)
    }
  }

  private mutating func trace(_ kind: Trace.Event.Kind, _ mount: Mount<Place>) {
    let event = Trace.Event(
      kind: kind, instance: mount.instance, subject: "\(mount.target)", time: now, cause: mount.cause)
    if let broken = rule.hear(event) { fail("\(broken)") }
  }

  private mutating func close(_ instance: Int) {
    lists[instance]?.isGone = true
    if let steps = lists[instance]?.machine.close() { take(steps, of: instance) }
  }

  private mutating func tell(
    isGone: Bool, _ input: (inout List, Duration) -> [ListMachine<Line>.Step]
  ) {
    guard let instance = lists.filter({ $0.value.isGone == isGone }).keys.max(), var list = lists[instance]
    else { return }
    let steps = input(&list, now)
    lists[instance] = list
    take(steps, of: instance)
  }

  private mutating func take(_ steps: [ListMachine<Line>.Step], of instance: Int) {
    for step in steps {
      switch step {
      case .observe(let asking): lists[instance]?.asking = asking
      case .load(let load): lists[instance]?.load = load
      case .stopObserving, .stopLoading, .wake: break
      case .show(let update):
        if lists[instance]?.isGone != false { fail("#\(instance) shows something after it was gone") }
        switch update.phase {
        case .skeleton:
          lists[instance]?.skeletons += 1
          if lists[instance]?.skeletons != 1 { fail("#\(instance) shows its skeleton again") }
          if lists[instance]?.hasShownContent != false {
            fail("#\(instance) shows a skeleton after its rows")
          }
        case .content: lists[instance]?.hasShownContent = true
        case .empty: fail("#\(instance) is empty, and nothing said so")
        case .failure, .cancelled: break
        }
      }
    }
  }

  private mutating func checkLists() {
    for (instance, list) in lists where !list.isGone {
      if list.hasShownContent, list.machine.phase.name != "content" { fail("#\(instance) lost its rows") }
    }
    if lists.values.filter({ !$0.isGone }).count > 1 { fail("two lists hear what comes") }
  }
}
