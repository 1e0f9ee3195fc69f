import Composition
import FerryConsole
import FerryKernel
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain

/// `app-cli open`: where a link leads, by the router that the browser has.
enum OpenCommand {
  static let command = Command(
    "open", "Show what a link leads to: a folder, or an item of it.",
    discussion: """
      A link is for the active account; one for another, or to what isn't there, is refused and says why. `app-cli \
      browse LINK` goes to it.
      """,
    arguments: [.required("LINK", "ferry://USER@SERVER/folder/ID, and /item/ID after it.")]
  ) { call in
    let link: DeepLink
    do throws(RouteRefusal) { link = try DeepLink(call.argument("LINK")) } catch {
      throw FerryConsole.Failure(error)
    }
    let ferry = try call.ferry()
    for domain in [Domain.folder, .item] { try ferry.requireEnabled(domain) }
    let store = try ferry.existingStore()
    let journal = try await store.device.read { try $0.fetch(JournalEntry.all) }
    let isOpen = try ferry.plan.states(journal).allSatisfy {
      !$0.step.isCore || [.done, .off].contains($0.state)
    }
    guard isOpen else { throw FerryConsole.Failure(RouteRefusal.crossing) }
    let (outcome, item) = try await route(link, in: store)
    if case .refused(let refusal) = outcome { throw FerryConsole.Failure(refusal) }
    return try await show(link, item, in: store, call)
  }

  @MainActor private static func route(_ link: DeepLink, in store: Store) async throws -> (
    RouteOutcome, Item?
  ) {
    let accounts = try await store.device.read { try $0.accounts() }
    let errand = Errand(
      Router(
        active: accounts.first(where: \.isActive)?.id.link, accounts: Set(accounts.compactMap(\.id.link))))
    let event = errand.router.open(link.description)
    let hands = Router<Item>.Hands(
      mount: { mount in
        guard let folder = FolderID(mount.target.folder.rawValue),
          try await FolderDAO.find(store.account(mount.target.account), folder) != nil
        else { throw RouteRefusal.unknownFolder(mount.target) }
      },
      unmount: { _ in },
      resolve: { link in
        guard let id = link.item.flatMap({ ItemID($0.rawValue) }),
          let item = try await ItemDAO.find(store.account(link.place.account), id),
          item.folder == FolderID(link.place.folder.rawValue)
        else { return nil }
        return item
      },
      firstFolder: { _ in nil })
    return await withTaskGroup(of: Void.self) { group in
      group.addTask { await errand.lead(hands) }
      let outcome = await event.outcome()
      group.cancelAll()
      return (outcome, errand.item)
    }
  }

  /// A router that leads one link to its end, and the item that it pushes.
  @MainActor private final class Errand {
    let router: Router<Item>
    private(set) var item: Item?

    init(_ router: Router<Item>) { self.router = router }

    func lead(_ hands: Router<Item>.Hands) async {
      await router.run(hands, activate: { _ in }, push: { item, _ in self.item = item })
    }
  }

  private static func show(_ link: DeepLink, _ item: Item?, in store: Store, _ call: Invocation) async throws
    -> ExitCode
  {
    let account = try store.account(link.place.account)
    let id = FolderID(link.place.folder.rawValue)
    let (folder, row) = try await account.read { snapshot in
      (
        try id.flatMap { try FolderDAO.find(snapshot, $0) }.map { try AccountWork.json($0, snapshot) },
        try item.map { try AccountWork.json($0, snapshot) }
      )
    }
    if call.wantsJSON {
      try call.document([
        "link": .string(link.description), "account": .string(account.id.description),
        "folder": folder.map { .object($0) } ?? .null, "item": row.map { .object($0) } ?? .null,
      ])
      return .ok
    }
    var table = TextTable(["Column", "Value"])
    for (group, object) in [("Folder", folder), ("Item", row)] {
      guard let object else { continue }
      table.add(group: group)
      for member in object.members { table.add(member.name, try text(of: member.value)) }
    }
    try call.print(table)
    return .ok
  }

  private static func text(of value: JSONValue) throws -> String {
    if value.isNull { return "–" }
    return try value.stringValue ?? value.text()
  }
}
