/// Takes the steps of an attach machine in child tasks, which say in a loop's inbox how they ended.
struct MountTasks<Target: Hashable & Sendable> {
  enum End: Sendable {
    case mounted(Mount<Target>)
    case mountFailed(Mount<Target>, any Error)
    case unmounted(Mount<Target>)
  }

  let mount: @Sendable (Mount<Target>) async throws -> Void
  let unmount: @Sendable (Mount<Target>) async -> Void
  let trace: Trace
  let say: @Sendable (End) -> Void
  private var stops: [Int: Stop] = [:]

  init(
    mount: @escaping @Sendable (Mount<Target>) async throws -> Void,
    unmount: @escaping @Sendable (Mount<Target>) async -> Void, trace: Trace,
    say: @escaping @Sendable (End) -> Void
  ) {
    self.mount = mount
    self.unmount = unmount
    self.trace = trace
    self.say = say
  }

  /// Takes a step; what has been settled is the caller's to tell.
  mutating func perform(_ step: AttachMachine<Target>.Step, in group: inout DiscardingTaskGroup) {
    switch step {
    case .began(let mount): trace.note(.attach, mount.instance, "\(mount.target)", mount.cause)
    case .dropped(let mount, let cause): trace.note(.dropped, mount.instance, "\(mount.target)", cause)
    case .mount(let mount):
      trace.note(.mount, mount.instance, "\(mount.target)", mount.cause)
      let stop = Stop()
      stops = [mount.instance: stop]
      group.addTask { [work = self.mount, say] in
        await stop.limit {
          do {
            try await work(mount)
            say(.mounted(mount))
          } catch {
            say(.mountFailed(mount, error))
          }
        }
      }
    case .abandon(let mount):
      trace.note(.detach, mount.instance, "\(mount.target)", mount.cause)
      stops.removeValue(forKey: mount.instance)?.now()
    case .unmount(let mount):
      if stops.removeValue(forKey: mount.instance) != nil {
        trace.note(.detach, mount.instance, "\(mount.target)", mount.cause)
      }
      trace.note(.unmount, mount.instance, "\(mount.target)", mount.cause)
      group.addTask { [work = self.unmount, say] in
        await work(mount)
        say(.unmounted(mount))
      }
    case .settled: break
    }
  }
}
