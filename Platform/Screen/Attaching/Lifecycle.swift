/// One visit of one list, from the wish to see it on.
public struct Mount<Target: Hashable & Sendable>: Sendable, Hashable {
  /// Counts the visits from 1; no two mounts of a coordinator have the same.
  public let instance: Int
  public let target: Target
  public let cause: Cause
}

/// Where the one list that may be attached is in its life.
///
///     detached ──▶ attaching ──▶ attached
///        ▲             │            │
///        │             ▼            │
///        └───────── detaching ◀─────┘ ──▶ attaching, where another list is to come
///
/// Each state is a type whose functions are the steps that may follow; there are no others. Only ``Attached`` can be
/// had by what delivers something to a list.
public enum Lifecycle<Target: Hashable & Sendable>: Sendable {
  case detached(Detached<Target>)
  case attaching(Attaching<Target>)
  case attached(Attached<Target>)
  case detaching(Detaching<Target>)

  /// Whether nothing is on its way in or out.
  public var isSettled: Bool {
    switch self {
    case .detached, .attached: true
    case .attaching, .detaching: false
    }
  }

  /// The list that can be delivered to.
  public var attached: Attached<Target>? { if case .attached(let attached) = self { attached } else { nil } }
}

/// Nothing is there: an absent list is this, and no number.
public struct Detached<Target: Hashable & Sendable>: Sendable {
  init() {}

  func attach(_ mount: Mount<Target>, wish: Int) -> Attaching<Target> {
    Attaching(mount: mount, wishes: [wish])
  }
}

/// The list is being mounted; nothing can be delivered to it yet.
public struct Attaching<Target: Hashable & Sendable>: Sendable {
  public let mount: Mount<Target>
  /// Who waits for it, the one it is mounted for first.
  fileprivate(set) var wishes: [Int]

  fileprivate init(mount: Mount<Target>, wishes: [Int]) {
    self.mount = mount
    self.wishes = wishes
  }

  func joined(by wish: Int) -> Attaching {
    var copy = self
    copy.wishes.append(wish)
    return copy
  }

  func mounted() -> Attached<Target> { Attached(mount: mount) }
  func failed() -> Detached<Target> { Detached() }
  /// It isn't wanted any more before it is there. What has been begun has to come to its end first.
  func abandon() -> Detaching<Target> { Detaching(mount: mount, isMounting: true) }
}

/// The list is there.
public struct Attached<Target: Hashable & Sendable>: Sendable {
  public let mount: Mount<Target>

  fileprivate init(mount: Mount<Target>) { self.mount = mount }

  func detach() -> Detaching<Target> { Detaching(mount: mount, isMounting: false) }
}

/// The list is being taken away; nothing can be delivered to it any more.
public struct Detaching<Target: Hashable & Sendable>: Sendable {
  public let mount: Mount<Target>
  /// Whether its mount, begun before it was given up, is still under way.
  let isMounting: Bool
  /// Who waits for it to be gone.
  private(set) var leavers: [Int] = []
  /// What comes after it.
  private(set) var next: Attaching<Target>?

  fileprivate init(mount: Mount<Target>, isMounting: Bool) {
    self.mount = mount
    self.isMounting = isMounting
  }

  func followed(by next: Attaching<Target>?) -> Detaching {
    var copy = self
    copy.next = next
    return copy
  }

  func awaited(by leaver: Int) -> Detaching {
    var copy = self
    copy.leavers.append(leaver)
    return copy
  }

  func mounted() -> Detaching {
    var copy = Detaching(mount: mount, isMounting: false)
    (copy.leavers, copy.next) = (leavers, next)
    return copy
  }

  func over() -> Lifecycle<Target> { next.map { .attaching($0) } ?? .detached(Detached()) }
}
