import Composition
import FerryConsole
import FerryKernel
import FerryScreen
import FerryStore
import FolderDomain
import Foundation
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
    options: [
      .option(
        "trace", value: "FILE", "Write what is attached, mounted and routed, when and by whom, to a file.")
    ],
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
    return try await store.closing {
      ExitCode(rawValue: try await browse(ferry, store, terminal, link, call))
    }
  }

  @MainActor private static func browse(
    _ ferry: Ferry, _ store: Store, _ terminal: FullScreen, _ link: String?, _ call: Invocation
  ) async throws -> Int32 {
    let trace = try call.value("trace").map { try self.trace(to: $0) } ?? .off
    let accounts = try await store.device.read { try $0.accounts() }
    let writer = BrowseWriter(
      makeDraftID: {
        var random = SystemRandomNumberGenerator()
        return DraftID.make(using: &random)
      }, now: Ferry.now)
    let screen = BrowseScreen(
      ferry, store, accounts, on: terminal, hasColour: call.terminal.out.allowsEscapes, link: link,
      writer: writer, trace: trace)
    return await screen.run()
  }

  /// A trace that goes to a file. A debug build stops at a visit that mounts more than once.
  @MainActor private static func trace(to path: String) throws -> Trace {
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else {
      throw FerryConsole.Failure(
        "\(path) can't be written.", code: "output", remedy: "Name a file that can.", exitCode: .inputOutput)
    }
    return Trace(whenBroken: Trace.stopWhenBroken) { file.write(Data("\($0)\n".utf8)) }
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
