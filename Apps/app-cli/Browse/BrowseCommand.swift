import Composition
import FerryConsole
import FerryKernel
import FerryScreen
import FerryStore
import FolderDomain
import ItemDomain

/// `app-cli browse`: the store on a whole screen.
enum BrowseCommand {
  static let command = Command(
    "browse", "Look at the items, read, move and write, on the whole terminal.",
    discussion: """
      Folders on the left, items beside them, what is read on the right; ? lists the keys. What other processes \
      write appears by itself. During a crossing it says how far that is and goes on when it may. Ends with 0 when \
      a person leaves, 130, 143 or 129 after Ctrl-C, SIGTERM or the loss of the terminal.
      """,
    arguments: [.optional("LINK", "Where to go first: ferry://USER@SERVER/folder/ID, and /item/ID after it.")]
  ) { call in
    if call.wantsJSON {
      throw UsageError(
        "A screen is no JSON document.", suggestion: "Use 'item list --json' or 'watch item'.")
    }
    let link = call.optionalArgument("LINK")
    if let link {
      do throws(RouteRefusal) { _ = try DeepLink(link) } catch { throw FerryConsole.Failure(error) }
    }
    let ferry = try call.ferry()
    for domain in [Domain.folder, .item] { try ferry.requireEnabled(domain) }
    guard let terminal = FullScreen(), let name = call.environment["TERM"], !["", "dumb"].contains(name)
    else {
      throw FerryConsole.Failure(
        "`browse` takes a terminal that can be drawn on.", code: "noTerminal",
        remedy: "Run it in one, or use `app-cli item list` and `app-cli watch item`.", exitCode: .usage)
    }
    guard try ferry.hasStore() else { throw StoreError.noStore(path: ferry.storePath) }
    try await ferry.updateStore()
    let store = try ferry.openStore()
    let code = try await browse(ferry, store, terminal, link, hasColour: call.terminal.out.allowsEscapes)
    await store.close()
    return ExitCode(rawValue: code)
  }

  @MainActor private static func browse(
    _ ferry: Ferry, _ store: Store, _ terminal: FullScreen, _ link: String?, hasColour: Bool
  ) async throws -> Int32 {
    let accounts = try await store.device.read { try $0.accounts() }
    let writer = BrowseWriter(
      makeDraftID: {
        var random = SystemRandomNumberGenerator()
        return DraftID.make(using: &random)
      }, now: Ferry.now)
    let screen = BrowseScreen(
      ferry, store, accounts, on: terminal, hasColour: hasColour, link: link, writer: writer)
    return await screen.run()
  }
}

extension FerryConsole.Failure {
  /// A refusal of the router, as the apps report it.
  init(_ refusal: RouteRefusal) {
    let isMalformed = if case .malformed = refusal { true } else { false }
    let exitCode: ExitCode =
      if case .crossing = refusal { .gateShut } else if isMalformed { .usage } else { .failure }
    self.init(refusal.sentence, code: refusal.code, remedy: refusal.remedy, exitCode: exitCode)
  }
}
