import Testing

@testable import FerryScreen

@Suite struct `A router` {
  @available(macOS 15, iOS 18, *)
  @Test func `attaches the list of a link, resolves its item and pushes it once`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    #expect(rig.waiting == ["mount inbox #1"])
    rig.go("mount inbox #1")
    #expect(rig.waiting == ["resolve 42"] && rig.log == [])
    rig.go("resolve 42")
    #expect(rig.log == ["push letter 42 onto inbox #1"])
    #expect(rig.said("a") == "pushed \(letter42) onto #1")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `pushes onto a list that is attached already without mounting it again`() {
    let rig = RouterRig()
    rig.visit("inbox", as: "v")
    rig.go("mount inbox #1")
    rig.open(letter42, as: "a")
    rig.go("resolve 42")
    #expect(rig.log == ["push letter 42 onto inbox #1"] && rig.said("v") == "attached alice@home/inbox as #1")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `only attaches the list of a link without an item`() {
    let rig = RouterRig()
    rig.open("ferry://alice@home/folder/inbox", as: "a")
    rig.go("mount inbox #1")
    #expect(rig.said("a") == "attached alice@home/inbox as #1" && rig.log == [])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `queues what comes while a list is attached or detached, in order, and pushes each once`() {
    let rig = RouterRig()
    rig.visit("sent", as: "v")
    rig.open(letter42, as: "a")
    rig.open(letter43, as: "b")
    rig.go("mount sent #1")
    #expect(rig.waiting == ["unmount sent #1"])
    rig.open("ferry://alice@home/folder/sent/item/1", as: "c")
    rig.go("unmount sent #1", "mount inbox #2")
    #expect(rig.waiting == ["resolve 42"])
    rig.go("resolve 42", "resolve 43", "unmount inbox #2", "mount sent #3", "resolve 1")
    #expect(
      rig.log == [
        "push letter 42 onto inbox #2", "push letter 43 onto inbox #2", "push letter 1 onto sent #3",
      ])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `doesn't push onto a list that was left while the item was resolved`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.go("mount inbox #1")
    rig.visit("sent", as: "v")
    #expect(rig.outcome("a") == .refused(.listGone(place("inbox"))))
    rig.go("resolve 42", "unmount inbox #1", "mount sent #2")
    #expect(rig.log == [] && rig.said("v") == "attached alice@home/sent as #2")
  }

  @available(macOS 15, iOS 18, *)
  @Test func `doesn't push onto another mount of the same folder`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.go("mount inbox #1")
    rig.visit(nil, as: "leave")
    rig.visit("inbox", as: "return")
    rig.go("unmount inbox #1", "mount inbox #2", "resolve 42")
    #expect(rig.log == [] && rig.said("leave") == "left")
    #expect(rig.outcome("a") == .refused(.listGone(place("inbox"))))
  }

  @available(macOS 15, iOS 18, *)
  @Test func `lets a person go elsewhere at once, whatever a link is waiting for`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.visit("sent", as: "v")
    #expect(rig.outcome("a") == .refused(.listGone(place("inbox"))))
    rig.go("mount inbox #1", "unmount inbox #1", "mount sent #2")
    #expect(rig.said("v") == "attached alice@home/sent as #2" && rig.log == [])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `leaves a link alone when a person goes where it goes`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.visit("inbox", as: "v")
    rig.go("mount inbox #1")
    rig.visit("inbox", as: "w")
    rig.go("resolve 42")
    #expect(
      rig.log == ["push letter 42 onto inbox #1"] && rig.points.reached == ["mount inbox #1", "resolve 42"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `shows one screen after push, back and push, and after two pushes of one item`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.go("mount inbox #1", "resolve 42")
    rig.open(letter42, as: "b")
    #expect(rig.said("b") == "showed \(letter42) already")
    rig.act { $0.back() }
    rig.open(letter42, as: "c")
    rig.go("resolve 42")
    #expect(rig.log.count == 2 && rig.screen.assumeIsolated { $0.router.pushed.count } == 1)
  }

  @available(macOS 15, iOS 18, *)
  @Test func `pushes an item again once the list it lay on is gone`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.go("mount inbox #1", "resolve 42")
    rig.visit(nil, as: "leave")
    rig.open(letter42, as: "b")
    rig.go("unmount inbox #1", "mount inbox #2", "resolve 42")
    #expect(rig.log == ["push letter 42 onto inbox #1", "push letter 42 onto inbox #2"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `doesn't take the late item of an earlier link for that of the one under way`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.go("mount inbox #1")
    rig.visit(nil, as: "leave")
    rig.open(letter43, as: "b")
    rig.go("unmount inbox #1", "mount inbox #2")
    #expect(rig.waiting == ["resolve 42", "resolve 43"])
    rig.go("resolve 42")
    #expect(rig.log == [] && rig.outcome("b") == nil)
    rig.go("resolve 43")
    #expect(rig.log == ["push letter 43 onto inbox #2"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `refuses what it doesn't know or what isn't for the active account, and says which`() {
    let rig = RouterRig()
    rig.open("ferry://carol@home/folder/inbox", as: "a")
    rig.open("ferry://bob@home/folder/inbox", as: "b")
    rig.open("ferry://alice@home/folder/-1", as: "c")
    rig.event("d") { $0.visit(place("inbox", of: bob)) }
    rig.event("e") { $0.switchAccount(to: account("carol@home")) }
    #expect(rig.outcome("a") == .refused(.unknownAccount(account("carol@home"))))
    #expect(rig.outcome("b") == .refused(.otherAccount(bob, active: alice)))
    #expect(rig.outcome("c") == .refused(.malformed("ferry://alice@home/folder/-1", .identifier("-1"))))
    #expect(rig.outcome("d") == .refused(.otherAccount(bob, active: alice)))
    #expect(rig.outcome("e") == .refused(.unknownAccount(account("carol@home"))))
    #expect(rig.points.reached == [])
    rig.act { $0.know([alice, account("carol@home")]) }
    rig.event("f") { $0.switchAccount(to: account("carol@home")) }
    rig.go("folder carol@home")
    #expect(rig.outcome("f") == .switched(account("carol@home"), nil))
  }

  @available(macOS 15, iOS 18, *)
  @Test func `refuses a folder and an item that aren't there, and says what couldn't be read`() {
    let rig = RouterRig()
    rig.open("ferry://alice@home/folder/none/item/1", as: "a")
    rig.fail("mount none #1", RouteRefusal.unknownFolder(place("none")))
    #expect(rig.outcome("a") == .refused(.unknownFolder(place("none"))))
    rig.open("ferry://alice@home/folder/inbox/item/gone", as: "b")
    rig.go("mount inbox #2", "resolve gone")
    guard case .refused(.unknownItem)? = rig.outcome("b") else {
      Issue.record("\(rig.said("b") ?? "")")
      return
    }
    rig.open(letter42, as: "c")
    rig.fail("resolve 42")
    #expect(rig.outcome("c") == .refused(.failed("It failed.")) && rig.log == [])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `switches the account: detaches, toggles, attaches its first folder`() {
    let rig = RouterRig()
    rig.visit("inbox", as: "v")
    rig.go("mount inbox #1")
    rig.event("s") { $0.switchAccount(to: bob) }
    #expect(rig.log == [] && rig.waiting == ["unmount inbox #1"])
    rig.visit("inbox", as: "late")
    #expect(rig.outcome("late") == .refused(.accountSwitched(to: bob)))
    rig.go("unmount inbox #1")
    #expect(rig.log == ["activate bob@home"] && rig.waiting == ["folder bob@home"])
    rig.open("ferry://bob@home/folder/bobs/item/7", as: "a")
    rig.visit("inbox", as: "later")
    rig.go("folder bob@home", "mount bobs #2")
    #expect(rig.said("s") == "switched to bob@home, attached bob@home/bobs")
    #expect(rig.outcome("later") == .refused(.otherAccount(alice, active: bob)))
    rig.go("resolve 7")
    #expect(rig.log == ["activate bob@home", "push letter 7 onto bobs #2"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `queues a switch while a list is attached, and doesn't let a detail hold it up`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.open(letter43, as: "b")
    rig.event("s") { $0.switchAccount(to: bob) }
    rig.event("t") { $0.switchAccount(to: bob) }
    #expect(rig.outcome("a") == .refused(.accountSwitched(to: bob)))
    #expect(rig.outcome("b") == .refused(.accountSwitched(to: bob)))
    #expect(rig.outcome("t") == .alreadyActive(bob) && rig.waiting == ["mount inbox #1"])
    rig.go("mount inbox #1", "unmount inbox #1", "folder bob@home", "mount bobs #2")
    #expect(rig.log == ["activate bob@home"])
    rig.open("ferry://bob@home/folder/bobs/item/7", as: "c")
    rig.event("u") { $0.switchAccount(to: alice) }
    rig.go("unmount bobs #2", "resolve 7", "folder alice@home")
    #expect(rig.log == ["activate bob@home", "activate alice@home"])
    #expect(rig.outcome("c") == .refused(.accountSwitched(to: alice)))
    #expect(rig.outcome("u") == .switched(alice, nil))
  }

  @available(macOS 15, iOS 18, *)
  @Test func `lets a person choose a folder before the first one of the other account is there`() {
    for isMounting in [false, true] {
      let rig = RouterRig()
      rig.event("s") { $0.switchAccount(to: bob) }
      if isMounting { rig.go("folder bob@home") }
      rig.event("v") { $0.visit(place("chosen", of: bob)) }
      #expect(rig.outcome("s") == .switched(bob, nil))
      if isMounting { rig.go("mount bobs #1", "unmount bobs #1") } else { rig.go("folder bob@home") }
      rig.go(isMounting ? "mount chosen #2" : "mount chosen #1")
      #expect(rig.said("v") == "attached bob@home/chosen as #\(isMounting ? 2 : 1)")
    }
  }

  @available(macOS 15, iOS 18, *)
  @Test func `says that the folder of the other account couldn't be found; the account is switched`() {
    let rig = RouterRig()
    rig.event("s") { $0.switchAccount(to: bob) }
    rig.fail("folder bob@home")
    #expect(rig.outcome("s") == .refused(.failed("It failed.")))
    #expect(rig.screen.assumeIsolated { $0.router.active } == bob)
    rig.event("t") { $0.switchAccount(to: alice) }
    rig.go("folder alice@home")
    rig.event("u") { $0.switchAccount(to: bob) }
    rig.go("folder bob@home")
    rig.fail("mount bobs #1")
    #expect(rig.outcome("u") == .refused(.failed("It failed.")))
  }

  @available(macOS 15, iOS 18, *)
  @Test func `keeps outside events until the gate opens, and refuses a person's`() {
    let rig = RouterRig(isOpen: false)
    rig.open(letter42, as: "a")
    rig.visit("inbox", as: "v")
    #expect(rig.outcome("v") == .refused(.crossing) && rig.outcome("a") == nil && rig.points.reached == [])
    rig.act { $0.admit() }
    rig.go("mount inbox #1", "resolve 42")
    #expect(rig.log == ["push letter 42 onto inbox #1"])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `leaves no event without an outcome when it ends`() {
    let rig = RouterRig()
    rig.open(letter42, as: "a")
    rig.open(letter43, as: "b")
    rig.task.cancel()
    rig.stage.settle()
    rig.go("mount inbox #1")
    #expect(rig.screen.assumeIsolated { $0.isOver })
    #expect(rig.outcome("a") == .refused(.ended) && rig.outcome("b") == .refused(.ended))
    rig.visit("inbox", as: "v")
    #expect(rig.outcome("v") == .refused(.ended) && rig.log == [])
  }

  @available(macOS 15, iOS 18, *)
  @Test func `hears of events that came before it ran`() {
    let stage = Stage()
    let (screen, points) = (RouterScreen(stage, isOpen: true, trace: .off), Points())
    screen.assumeIsolated { _ = $0.router.open(letter42) }
    let task = Task(executorPreference: stage.pool) { await screen.run(points) }
    stage.settle()
    #expect(points.waiting == ["mount inbox #1"])
    task.cancel()
    points.go("mount inbox #1")
    stage.settle()
  }
}
