import Composition
import FerryConsole
import FerryKernel
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain

/// The browser around its model: what happens goes in, what is wanted is done, what it looks like is drawn.
///
/// It lives on the main actor, and so do the list models, the router and the gate that it owns.
@MainActor final class BrowseScreen {
  let ferry: Ferry
  let store: Store
  let router: Router<Item>
  let crew = Crew()
  let account = Latest<AccountStore?>(nil)
  let writer: BrowseWriter
  private(set) var model: BrowseModel
  /// The list that is attached.
  var attached: (mount: Mount<Place>, list: ListKeeper)?
  /// Lists that were shown keep what they showed: there is no second skeleton.
  var lists: [Place: ListKeeper] = [:]
  /// Keeps the item that is read up to date.
  var reading: Crew.Job?

  private let terminal: FullScreen
  private let painter: GridPainter
  private var shown: CellGrid?
  private let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let (writes, write) = AsyncStream.makeStream(of: (@MainActor @Sendable () async -> Void).self)
  /// Where to go first.
  let link: String?
  private var code: Int32?

  /// - Parameter link: where to go first.
  init(
    _ ferry: Ferry, _ store: Store, _ accounts: [Account], on terminal: FullScreen, hasColour: Bool,
    link: String?, writer: BrowseWriter, trace: Trace = .off
  ) {
    (self.ferry, self.store, self.terminal, self.link, self.writer) = (ferry, store, terminal, link, writer)
    painter = GridPainter(hasColour: hasColour)
    let size = terminal.size
    model = BrowseModel(rows: size.rows, columns: size.columns)
    router = Router(
      active: accounts.first(where: \.isActive)?.id.link, accounts: Set(accounts.compactMap(\.id.link)),
      isOpen: false, trace: trace)
  }

  /// Shows the browser until a person leaves, or the terminal or the system ends it.
  ///
  /// - Returns: what the process exits with.
  func run() async -> Int32 {
    terminal.enter()
    defer { terminal.leave() }
    let (written, isWritten) = AsyncStream.makeStream(of: Never.self)
    await withDiscardingTaskGroup { group in
      group.addTask { await self.draw() }
      group.addTask { await self.crew.run() }
      group.addTask { await self.route() }
      group.addTask { await self.watchGate() }
      group.addTask {
        await self.writeAll()
        isWritten.finish()
      }
      await hear()
      // What a person did last is done before they are out.
      write.finish()
      for await _ in written {}
      group.cancelAll()
    }
    return code ?? 0
  }

  private func route() async {
    await router.run(hands, activate: { activate($0) }, push: { push($0, $1) })
  }

  private func writeAll() async { for await write in writes { await write() } }

  private func hear() async {
    change.yield()
    for await event in terminal.events {
      switch event {
      case .key(let key): take(.key(key))
      case .resized:
        let size = terminal.size
        take(.resized(rows: size.rows, columns: size.columns))
      case .asked(let signal): end(128 + signal)
      case .lost: end(128 + 1)  // As after SIGHUP.
      }
      if code != nil { return }
    }
  }

  /// Ends what a person didn't end: what they were writing is kept.
  private func end(_ code: Int32) {
    if let draft = model.unsaved { perform(.save(draft)) }
    self.code = self.code ?? code
  }

  private func draw() async {
    for await _ in changes {
      let grid = BrowseView.grid(of: model, hasColour: painter.hasColour)
      let codes = painter.codes(for: grid, over: shown)
      if !codes.isEmpty { terminal.write(codes) }
      shown = grid
    }
  }

  /// Hands the model what happened, and does what it wants.
  func take(_ event: BrowseEvent) {
    for effect in model.handle(event) { perform(effect) }
    change.yield()
  }

  private func perform(_ effect: BrowseEffect) {
    switch effect {
    case .visit(let place):
      guard let active = router.active, let folder = place.linkID else { return }
      say(router.visit(Place(account: active, folder: folder)))
    case .open(let item, let place):
      guard let active = router.active, let folder = place.linkID, let item = LinkID(item.rawValue) else {
        return
      }
      let link = DeepLink(place: Place(account: active, folder: folder), item: item)
      say(router.open(link.description))
    case .back:
      reading?.stop()
      router.back()
    case .select(let id): attached?.list.model.select(id)
    case .look(let request): attached?.list.requests.set(request)
    case .refresh: attached?.list.model.refresh()
    case .cancelLoading: attached?.list.model.cancel()
    case .change(let change): later { writer, account in try await writer.make(change, in: account) }
    case .undo: later { writer, _ in try await writer.undo() }
    case .save(let draft): save(draft)
    case .discard(let id): later { writer, account in try await writer.discard(id, in: account) }
    case .switchAccount(let account): say(router.switchAccount(to: account))
    case .redraw: shown = nil
    case .suspend: terminal.suspend()
    case .quit(let code): self.code = code
    }
  }

  private func save(_ draft: DraftText) {
    guard account.value != nil else { return take(.saved(false)) }
    later { writer, account in
      do {
        let said = try await writer.save(draft, in: account)
        self.take(.saved(true))
        return said
      } catch {
        self.take(.saved(false))
        throw error
      }
    }
  }

  /// Has something written after all that was to be written before, and says what came of it.
  private func later(
    _ body: @escaping @MainActor @Sendable (BrowseWriter, AccountStore) async throws -> String?
  ) {
    guard let account = account.value else { return }
    writeLater { try await body(self.writer, account) }
  }

  func writeLater(_ body: @escaping @MainActor @Sendable () async throws -> String?) {
    write.yield {
      do {
        if let said = try await body() { self.take(.said(.done(said))) }
      } catch {
        self.take(.said(.refused(BrowseScreen.text(of: error))))
      }
      self.take(.undoable(self.writer.undoable))
    }
  }

  /// Says where an event led, if a person has to be told.
  func say(_ event: Router<Item>.Event) {
    crew.start {
      guard case .refused(let refusal) = await event.outcome() else { return }
      switch refusal {
      case .superseded, .listGone, .accountSwitched, .ended: break
      default: self.take(.said(.refused(refusal.description)))
      }
    }
  }

  static func text(of error: any Error) -> String {
    let failure = FerryConsole.Failure.from(error)
    return [failure.message, failure.remedy ?? ""].joined(separator: " ")
  }
}
