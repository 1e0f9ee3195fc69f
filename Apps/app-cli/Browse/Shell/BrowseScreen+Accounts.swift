import Composition
import FerryConsole
import FerryKernel
import FerryScreen
import FerryStore
import FerrySync
import FolderDomain
import ItemDomain
import LogDomain

extension BrowseScreen {
  /// Hears of the crossing, and opens the lists as soon as they may be used.
  func watchGate() async {
    crew.start { await self.watchWriteGate() }
    let signals = CrossingSignals(
      plan: ferry.plan, store: store, totals: await CrossingSignals.totals(ferry.plan, ferry.source, store))
    var isOpen = false
    _ = await CrossingGate.run(
      signals,
      describe: { error in
        let failure = FerryConsole.Failure.from(error)
        return CrossingFailure(sentence: failure.message, remedy: failure.remedy ?? "")
      }
    ) { gate in
      take(.gate(gate))
      guard gate.state.admitsInput, !isOpen else { return }
      isOpen = true
      open()
    }
  }

  private func open() {
    crew.start { await self.watchAccounts() }
    crew.start { await self.watchFolders() }
    crew.start { await self.watchSync() }
    router.admit()
    crew.start { await self.arrive() }
  }

  /// Goes to the first place: where a link leads, or the account's first folder.
  private func arrive() async {
    do {
      let accounts = try await store.device.read { try $0.accounts() }
      router.know(Set(accounts.compactMap(\.id.link)))
      if let active = router.active {
        account.set(try store.account(active))
      } else if let first = accounts.first(where: \.isActive)?.id.link {
        // The accounts came with the crossing.
        _ = await router.switchAccount(to: first).outcome()
      }
      if let link, case .refused(let refusal) = await router.open(link).outcome() {
        take(.said(.refused(refusal.description)))
      }
      guard attached == nil, let active = router.active,
        let folder = try await FolderDAO.first(try store.account(active)), attached == nil,
        let id = LinkID(folder.id.rawValue)
      else { return }
      say(router.visit(Place(account: active, folder: id)))
    } catch {
      take(.said(.refused(BrowseScreen.text(of: error))))
    }
  }

  /// Makes an account the active one, here and in the store.
  func activate(_ link: LinkAccount) {
    do {
      let handle = try store.account(link)
      account.set(handle)
      lists = [:]
      writer.forget()
      take(.undoable(0))
      take(.accounts(model.accounts, active: link))
      writeLater {
        // Which account is looked at is no data: the one write that a shut gate lets through.
        try await self.store.device.write(origin: .crossing, durability: .powerLoss) {
          try $0.activate(handle.id)
        }
        return nil
      }
    } catch {
      take(.said(.refused(BrowseScreen.text(of: error))))
    }
  }

  private func watchAccounts() async {
    await hear(store.device.observe { try $0.accounts().map(\.id) }) { accounts in
      let links = accounts.compactMap(\.link)
      self.router.know(Set(links))
      self.take(.accounts(links, active: self.router.active))
    }
  }

  private func watchFolders() async {
    await ofActiveAccount { account in
      await self.hear(account.observe { try FolderLines.read($0) }) { self.take(.folders($0)) }
    }
  }

  private func watchSync() async {
    crew.start { await self.watchLastSync() }
    await ofActiveAccount { account in
      let counts = account.observe { [try $0.outboxCount(), try $0.count(SyncConflict.all)] }
      await self.hear(counts) { counts in
        self.changeStatus { ($0.unsent, $0.conflicts) = (counts[0], counts[1]) }
      }
    }
  }

  private func watchLastSync() async {
    await ofActiveAccount { account in
      await self.hear(account.observe { try LastSync.success(in: $0) }) { time in
        self.changeStatus { $0.lastSync = time }
      }
    }
  }

  private func watchWriteGate() async {
    await hear(store.device.observe { try $0.gateReason() }) { gate in self.changeStatus { $0.gate = gate } }
  }

  private func changeStatus(_ change: (inout SyncStatus) -> Void) {
    var status = model.status
    change(&status)
    take(.sync(status))
  }

  /// Does work for the active account, and for the next one once that is it.
  private func ofActiveAccount(_ work: @escaping @MainActor @Sendable (AccountStore) async -> Void) async {
    var job: Crew.Job?
    for await account in account.values {
      job?.stop()
      job = account.map { account in crew.start { await work(account) } }
    }
    job?.stop()
  }

  /// Hands on each element; an error is told.
  private func hear<Element: Sendable>(
    _ elements: Observation<Element>, _ body: @MainActor (Element) -> Void
  ) async {
    do {
      for try await element in elements { body(element) }
    } catch {
      take(.said(.refused(BrowseScreen.text(of: error))))
    }
  }
}
