import FerryConsole
import FerryKernel
import FerryStore
import FerrySync

/// What a person or a script asks a sync for, in both apps alike.
public struct SyncRequest: Sendable {
  /// The options of the command line.
  public static let options: [CommandOption] = [
    .repeated(
      "account", value: "ACCOUNT", "Only this account: user@server, or only the user. May be said again.",
      short: "a"),
    .repeated("feed", value: "FEED", "Only this feed. May be said again.", short: "f"),
    .flag("dry-run", "Show the plan of a run and change nothing, here or on a server.", short: "n"),
    .option(
      "allow-deletes", value: "N",
      "Let up to N deletes of each feed pass in each direction, where that is more than pass anyway."),
    .flag("from-server", "Where a server isn't the one that it was: its state is right."),
    .flag("from-device", "Where a server isn't the one that it was: this device's state is right."),
  ]

  let accounts: [String]
  let feeds: [String]
  /// Whether nothing is to be changed.
  public let isDryRun: Bool
  /// Whether a person has looked at what stopped a run, and says how it goes on.
  public var isDecision: Bool { takeover != nil || allowedDeletes != nil }
  private let allowedDeletes: Int?
  private let takeover: Takeover?

  /// - Throws: `UsageError` for options that contradict one another.
  public init(_ call: Invocation) throws {
    accounts = call.values("account")
    feeds = call.values("feed")
    isDryRun = call.flag("dry-run")
    allowedDeletes = try call.integer("allow-deletes", in: 0...Int.max)
    switch (call.flag("from-server"), call.flag("from-device")) {
    case (true, true):
      throw UsageError("Only one side can be right.", suggestion: "Say '--from-server' or '--from-device'.")
    case (true, false): takeover = .fromServer
    case (false, true): takeover = .fromDevice
    case (false, false): takeover = nil
    }
  }

  /// The request in the engine's words.
  ///
  /// - Throws: `StoreError.signedOut` for an account that is named and is that; `KernelError.domainDisabled` and
  ///   `UsageError` for a feed that isn't synced here.
  func options(for ferry: Ferry, in store: Store) throws -> SyncOptions {
    var options = SyncOptions()
    let known = try store.device.blockingRead { try $0.accounts() }
    if accounts.isEmpty {
      options.accounts = known.filter { !$0.isSignedOut }.map(\.id)
    } else {
      let named = try accounts.map { try ferry.account(named: $0, in: store).id }
      for account in known where account.isSignedOut && named.contains(account.id) {
        throw StoreError.signedOut(account.id)
      }
      options.accounts = named
    }
    if !feeds.isEmpty { options.feeds = try feeds.map { try checked(feed: $0, of: ferry) } }
    options.isDryRun = isDryRun
    options.allowedDeletes = allowedDeletes
    options.takeover = takeover
    return options
  }

  private func checked(feed name: String, of ferry: Ferry) throws -> String {
    let feeds = ferry.plan.enabled.flatMap(\.domain.feeds).map(\.name)
    if feeds.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return name }
    for domain in RegisteredDomains.all where domain.feeds.contains(where: { $0.name == name }) {
      throw KernelError.domainDisabled(domain.name)
    }
    throw UsageError(
      "There is no feed '\(visible(name))'.", suggestion: "There are \(feeds.joined(separator: ", ")).")
  }
}
