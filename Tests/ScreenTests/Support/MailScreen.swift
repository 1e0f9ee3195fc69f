@testable import FerryScreen

struct Letter: Identifiable, Equatable, Sendable {
  let id: String
}

func letters(in folder: String) -> AsyncStream<[Letter]> {
  AsyncStream { $0.yield([Letter(id: "\(folder) 1")]) }
}

func sync() async throws {}

/// The screen of the article "How a list comes and goes", as it is there.
@MainActor final class MailScreen {
  let coordinator = ListCoordinator<String>()
  private var lists: [Int: (model: ListModel<Letter>, task: Task<Void, Never>)] = [:]
  private(set) var shown: [String] = []

  /// For as long as the screen is there.
  func run() async {
    await coordinator.run(mount: { await self.mount($0) }, unmount: { await self.unmount($0) })
  }

  private func mount(_ mount: Mount<String>) {
    let model = ListModel<Letter>()
    let task = Task {
      await model.run(
        snapshots: { letters(in: mount.target) }, loading: { try await sync() },
        apply: { self.show($0) })
    }
    lists[mount.instance] = (model, task)
  }

  private func unmount(_ mount: Mount<String>) async {
    guard let (model, task) = lists.removeValue(forKey: mount.instance) else { return }
    model.close()  // From here on it receives nothing.
    task.cancel()
    await task.value
  }

  private func show(_ update: ListUpdate<Letter>) {
    MainActor.preconditionIsolated()
    shown.append(update.phase.name)
  }
}
