import AttachmentDomain
import FerryConsole
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain

/// A list that was put on the screen once: its model, and which rows of it are wanted.
@MainActor final class ListKeeper {
  let place: ListPlace
  let account: AccountStore
  let model = ListModel<ListRow>()
  let requests = Latest(ListRequest())
  var frame = ListFrame()
  var job: Crew.Job?

  init(_ place: ListPlace, _ account: AccountStore) { (self.place, self.account) = (place, account) }
}

extension BrowseScreen {
  var hands: Router<Item>.Hands {
    Router<Item>.Hands(
      mount: { try await self.mount($0) }, unmount: { await self.unmount($0) },
      resolve: { try await self.resolve($0) }, firstFolder: { try await self.firstFolder(of: $0) })
  }

  private func mount(_ mount: Mount<Place>) async throws {
    let isFromOutside = mount.cause.reason == .link
    guard let account = account.value,
      let place = ListPlace(mount.target.folder, isFromOutside: isFromOutside)
    else { throw RouteRefusal.unknownFolder(mount.target) }
    if case .folder(let id) = place, try await FolderDAO.find(account, id) == nil {
      throw RouteRefusal.unknownFolder(mount.target)
    }
    let list = lists[mount.target] ?? ListKeeper(place, account)
    // What is kept is a few hundred rows each.
    if lists.count > 50 { lists = [:] }
    lists[mount.target] = list
    list.requests.set(ListRequest())
    attached = (mount, list)
    take(.attached(place))
    list.job = crew.start { await self.show(list) }
  }

  private func unmount(_ mount: Mount<Place>) async {
    guard let (attachedMount, list) = attached, attachedMount.instance == mount.instance else { return }
    attached = nil
    reading?.stop()
    take(.attached(nil))
    list.job?.stop()
    await list.job?.end()
  }

  private func show(_ list: ListKeeper) async {
    let (place, account, crew) = (list.place, list.account, crew)
    await list.model.run(
      snapshots: {
        let (snapshots, rows) = AsyncThrowingStream.makeStream(
          of: [ListRow].self, bufferingPolicy: .bufferingNewest(1))
        let job = crew.start { await self.feed(rows, list) }
        rows.onTermination = { _ in job.stop() }
        return snapshots
      },
      loading: { _ = try await account.read { try ListWindow.read($0, place, ListRequest(size: 1)) } },
      apply: { update in
        guard self.attached?.list === list else { return }
        self.take(
          .list(
            update.phase, selection: list.model.selection, list.frame, isLoading: update.isLoading,
            problem: update.problem.map { BrowseScreen.text(of: $0) }))
      })
  }

  /// Hands on the rows that are wanted, whenever others are wanted and whenever they change.
  private func feed(_ rows: AsyncThrowingStream<[ListRow], any Error>.Continuation, _ list: ListKeeper) async
  {
    let place = list.place
    var observing: Crew.Job?
    for await request in list.requests.values {
      observing?.stop()
      observing = crew.start {
        do {
          for try await window in list.account.observe({ try ListWindow.read($0, place, request) }) {
            guard request == list.requests.value else { return }
            list.frame = window.frame
            rows.yield(window.rows)
            // The list model has nothing to say where only what is around the rows has changed.
            if self.attached?.list === list, list.model.phase.rows.rows == window.rows {
              self.take(.frame(window.frame))
            }
          }
        } catch {
          rows.finish(throwing: error)
        }
      }
    }
    observing?.stop()
  }

  private func resolve(_ link: DeepLink) async throws -> Item? {
    guard let account = account.value, let place = ListPlace(link.place.folder, isFromOutside: false),
      let id = link.item.flatMap({ ItemID($0.rawValue) })
    else { return nil }
    guard let filter = place.filter?.and({ $0.id == id }) else { return nil }
    return try await ItemDAO.list(account, filter, limit: 1).first
  }

  private func firstFolder(of account: LinkAccount) async throws -> LinkID? {
    try await FolderDAO.first(try store.account(account)).flatMap { LinkID($0.id.rawValue) }
  }

  /// Shows an item, and keeps it as it is in the store.
  func push(_ item: Item, _ mount: Mount<Place>) {
    guard let (attachedMount, list) = attached, attachedMount.instance == mount.instance else { return }
    let folder = item.folder.flatMap { LinkID($0.rawValue) }
    let link = folder.flatMap { folder in
      LinkID(item.id.rawValue).map {
        DeepLink(place: Place(account: mount.target.account, folder: folder), item: $0).description
      }
    }
    take(.pushed(item, in: list.place, link: link))
    reading?.stop()
    let (id, account) = (item.id, list.account)
    // The roadmap may have the domain off.
    let hasAttachments = account.store.has(Attachment.table.declaration)
    reading = crew.start {
      do {
        for try await detail in account.observe({ try Detail($0, id, hasAttachments: hasAttachments) }) {
          guard self.model.reader?.item.id == id else { return }
          self.take(.detail(detail.item, detail.attachments))
        }
      } catch {
        self.take(.said(.refused(BrowseScreen.text(of: error))))
      }
    }
  }
}

/// An item that is read, and what hangs on it.
private struct Detail: Equatable, Sendable {
  let item: Item?
  let attachments: [AttachmentEntry]

  init(_ snapshot: borrowing Snapshot<AccountScope>, _ id: ItemID, hasAttachments: Bool) throws {
    item = try ItemDAO.find(snapshot, id)
    attachments = try hasAttachments ? AttachmentDAO.entries(snapshot, of: id) : []
  }
}
