import Testing

@testable import FerryScreen

@Suite struct `The articles' screen` {
  @MainActor @Test func `attaches and detaches on the main actor`() async {
    let screen = MailScreen()
    let run = Task { await screen.run() }
    guard case .attached(let inbox) = await screen.coordinator.attach("inbox") else {
      Issue.record("it should be attached")
      return
    }
    #expect(screen.coordinator.isAttached(inbox))
    await screen.coordinator.attach("sent")
    #expect(!screen.coordinator.isAttached(inbox))
    guard case .detached = await screen.coordinator.detach() else {
      Issue.record("it should be detached")
      return
    }
    let shown = screen.shown
    // However long that took: each of the two began with a skeleton.
    #expect(shown.filter { $0 == "skeleton" }.count == 2 && shown.first == "skeleton", "\(shown)")
    run.cancel()
    await run.value
  }

  @MainActor @Test func `is led by a router on the main actor`() async throws {
    let router = Router<Letter>(active: alice, accounts: [alice, bob])
    var pushed: [String] = []
    let run = Task {
      await router.run(
        .init(
          mount: { _ in }, unmount: { _ in }, resolve: { link in link.item.map { Letter(id: $0.rawValue) } },
          firstFolder: { _ in LinkID("first") }),
        activate: { _ in },
        push: { letter, list in
          MainActor.preconditionIsolated()
          pushed.append("\(letter.id) onto \(list.target)")
        })
    }
    guard case .pushed = await router.open(letter42).outcome() else {
      Issue.record("it should be pushed")
      return
    }
    #expect(pushed == ["42 onto alice@home/inbox"])
    #expect(
      await router.switchAccount(to: bob).outcome().description
        == "switched to bob@home, attached bob@home/first")
    run.cancel()
    await run.value
  }
}
