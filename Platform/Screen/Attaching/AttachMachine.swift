/// What became of a wish to attach a list, or to have none.
public enum AttachOutcome<Target: Hashable & Sendable>: Sendable {
  /// It was mounted for this wish, and is attached.
  case attached(Mount<Target>)
  /// It is attached because of an earlier wish; this one was dropped.
  case alreadyAttached(Mount<Target>)
  /// Nothing is attached, as was wished.
  case detached
  /// Another wish came before it was attached.
  case superseded
  /// Mounting it threw; nothing is attached.
  case failed(any Error)
  /// The coordinator's run, or the waiting task, was over first.
  case ended
}

/// Decides what is attached: each input gives the steps that follow, and nothing waits.
///
/// The newest wish counts. There is one list at a time: the next is mounted when the last one is gone.
struct AttachMachine<Target: Hashable & Sendable>: Sendable {
  enum Step: Sendable {
    /// A wish was taken on: a visit begins.
    case began(Mount<Target>)
    /// A wish was dropped, since this mount is what it wants.
    case dropped(Mount<Target>, Cause)
    /// Mount it, and say `mounted` or `mountFailed`.
    case mount(Mount<Target>)
    /// Its mounting, which is under way, may be broken off; `mounted` or `mountFailed` is awaited all the same.
    case abandon(Mount<Target>)
    /// Take it away, and say `unmounted`.
    case unmount(Mount<Target>)
    case settled(wish: Int, AttachOutcome<Target>)
  }

  private(set) var lifecycle: Lifecycle<Target> = .detached(Detached())
  private var instances = 0

  mutating func attach(_ target: Target, wish: Int, cause: Cause) -> [Step] {
    switch lifecycle {
    case .detached(let detached):
      let mount = mount(target, cause)
      lifecycle = .attaching(detached.attach(mount, wish: wish))
      return [.began(mount), .mount(mount)]
    case .attaching(let attaching) where attaching.mount.target == target:
      lifecycle = .attaching(attaching.joined(by: wish))
      return [.dropped(attaching.mount, cause)]
    case .attaching(let attaching):
      let mount = mount(target, cause)
      lifecycle = .detaching(attaching.abandon().followed(by: Detached().attach(mount, wish: wish)))
      return superseded(attaching) + [.abandon(attaching.mount), .began(mount)]
    case .attached(let attached) where attached.mount.target == target:
      return [.dropped(attached.mount, cause), .settled(wish: wish, .alreadyAttached(attached.mount))]
    case .attached(let attached):
      let mount = mount(target, cause)
      lifecycle = .detaching(attached.detach().followed(by: Detached().attach(mount, wish: wish)))
      return [.unmount(attached.mount), .began(mount)]
    case .detaching(let detaching):
      if let next = detaching.next, next.mount.target == target {
        lifecycle = .detaching(detaching.followed(by: next.joined(by: wish)))
        return [.dropped(next.mount, cause)]
      }
      let mount = mount(target, cause)
      lifecycle = .detaching(detaching.followed(by: Detached().attach(mount, wish: wish)))
      return superseded(detaching.next) + [.began(mount)]
    }
  }

  mutating func detach(wish: Int) -> [Step] {
    switch lifecycle {
    case .detached:
      return [.settled(wish: wish, .detached)]
    case .attaching(let attaching):
      lifecycle = .detaching(attaching.abandon().awaited(by: wish))
      return superseded(attaching) + [.abandon(attaching.mount)]
    case .attached(let attached):
      lifecycle = .detaching(attached.detach().awaited(by: wish))
      return [.unmount(attached.mount)]
    case .detaching(let detaching):
      lifecycle = .detaching(detaching.followed(by: nil).awaited(by: wish))
      return superseded(detaching.next)
    }
  }

  mutating func mounted(_ instance: Int) -> [Step] {
    switch lifecycle {
    case .attaching(let attaching) where attaching.mount.instance == instance:
      let mount = attaching.mount
      lifecycle = .attached(attaching.mounted())
      return attaching.wishes.enumerated().map { index, wish in
        .settled(wish: wish, index == 0 ? .attached(mount) : .alreadyAttached(mount))
      }
    case .detaching(let detaching) where detaching.mount.instance == instance && detaching.isMounting:
      lifecycle = .detaching(detaching.mounted())
      return [.unmount(detaching.mount)]
    default:
      return []
    }
  }

  mutating func mountFailed(_ instance: Int, _ error: any Error) -> [Step] {
    switch lifecycle {
    case .attaching(let attaching) where attaching.mount.instance == instance:
      lifecycle = .detached(attaching.failed())
      return attaching.wishes.map { .settled(wish: $0, .failed(error)) }
    case .detaching(let detaching) where detaching.mount.instance == instance && detaching.isMounting:
      return over(detaching)
    default:
      return []
    }
  }

  mutating func unmounted(_ instance: Int) -> [Step] {
    guard case .detaching(let detaching) = lifecycle, detaching.mount.instance == instance,
      !detaching.isMounting
    else { return [] }
    return over(detaching)
  }

  private mutating func over(_ detaching: Detaching<Target>) -> [Step] {
    lifecycle = detaching.over()
    let left: [Step] = detaching.leavers.map { .settled(wish: $0, .detached) }
    return left + (detaching.next.map { [.mount($0.mount)] } ?? [])
  }

  private mutating func mount(_ target: Target, _ cause: Cause) -> Mount<Target> {
    instances += 1
    return Mount(instance: instances, target: target, cause: cause)
  }

  private func superseded(_ attaching: Attaching<Target>?) -> [Step] {
    (attaching?.wishes ?? []).map { .settled(wish: $0, .superseded) }
  }
}
