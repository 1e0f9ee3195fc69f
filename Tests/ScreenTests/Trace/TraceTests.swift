import Testing

@testable import FerryScreen

@Suite struct `A trace` {
  static func cause(_ line: UInt) -> Cause { Cause(.visit, file: "App/List.swift", line: line) }

  @Test func `says instance, time and cause`() {
    let clock = ManualClock()
    var said: [String] = []
    let trace = Trace(clock: clock) { said.append("\($0)") }
    clock.advance(by: .milliseconds(1_204))
    trace.note(.mount, 3, "inbox", Self.cause(12))
    trace.note(.route, nil, "'ferry://…'", Cause(.link, file: "App/Scene.swift", line: 7))
    #expect(
      said == [
        "[mount] #3 inbox at 1.204 s, visit by App/List.swift:12",
        "[route] 'ferry://…' at 1.204 s, link by App/Scene.swift:7",
      ])
  }

  @Test func `isn't even put together while it is off`() {
    var evaluations = 0
    func subject() -> String {
      evaluations += 1
      return "inbox"
    }
    func cause() -> Cause {
      evaluations += 1
      return Self.cause(1)
    }
    Trace.off.note(.mount, 1, subject(), cause())
    #expect(evaluations == 0)
    Trace { _ in }.note(.mount, 1, subject(), cause())
    #expect(evaluations == 2)
  }

  @Test func `names the two who mount in one visit`() {
    var broken: [String] = []
    let trace = Trace(clock: ManualClock(), whenBroken: { broken.append("\($0)") }) { _ in }
    trace.note(.attach, 1, "inbox", Self.cause(1))
    trace.note(.mount, 1, "inbox", Self.cause(2))
    trace.note(.unmount, 1, "inbox", Self.cause(2))
    #expect(broken == [])
    trace.note(.mount, 2, "inbox", Self.cause(3))
    #expect(
      broken == [
        "the visit of inbox mounts more than once: #1 inbox, visit by App/List.swift:2, "
          + "and then #2 inbox, visit by App/List.swift:3"
      ])
    trace.note(.attach, 3, "inbox", Self.cause(4))
    trace.note(.dropped, 3, "inbox", Self.cause(4))
    trace.note(.mount, 3, "inbox", Self.cause(5))
    #expect(broken.count == 1, "another visit is another mount")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `follows a link through a router`() {
    let said = Shared<[String]>([])
    let trace = Trace(clock: ManualClock()) { event in said.withLock { $0.append("\(event)") } }
    let rig = RouterRig(trace: trace)
    rig.event("a") { $0.open(letter42, file: "App/Scene.swift", line: 7) }
    rig.event("v") { $0.visit(place("inbox"), file: "App/Folders.swift", line: 9) }
    rig.go("mount inbox #1", "resolve 42")
    rig.event("w") { $0.visit(nil, file: "App/Folders.swift", line: 11) }
    rig.go("unmount inbox #1")
    let link = "at 0.000 s, link by App/Scene.swift:7"
    #expect(
      said.withLock { $0 } == [
        "[route] '\(letter42)' \(link)", "[attach] #1 alice@home/inbox \(link)",
        "[mount] #1 alice@home/inbox \(link)",
        "[route] visit of alice@home/inbox at 0.000 s, visit by App/Folders.swift:9",
        "[dropped] #1 alice@home/inbox at 0.000 s, visit by App/Folders.swift:9",
        "[route] attached alice@home/inbox as #1 at 0.000 s, visit by App/Folders.swift:9",
        "[route] pushed \(letter42) onto #1 \(link)",
        "[route] visit of nothing at 0.000 s, visit by App/Folders.swift:11",
        "[detach] #1 alice@home/inbox \(link)", "[unmount] #1 alice@home/inbox \(link)",
        "[route] left at 0.000 s, visit by App/Folders.swift:11",
      ])
  }
}
