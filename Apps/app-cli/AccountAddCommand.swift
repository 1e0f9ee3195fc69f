import Composition
import FerryConsole
import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// `app-cli account add`: an account that the store doesn't have, or one that is signed out, and its secret.
enum AccountAddCommand {
  static let command = Command(
    "add", "Add an account, or sign one in again.",
    discussion: """
      The server is one of ferry.yaml. A secret is never said on the command line, where everybody on this machine \
      could read it: say where it is, or type it when asked. What is kept of it lies in the store's folder secrets, \
      for its owner only; what ferry.yaml says of a secret comes first. Before anything is kept the server is \
      asked whether it knows the account.
      """,
    options: [
      .option(
        "secret-file", value: "FILE", "The secret is the first line of this file, which only you may read."),
      .option(
        "secret-command", value: "PROGRAM", "The secret is what this program prints, with the WORDS after --."
      ),
      .option("secret-env", value: "NAME", "The secret is in this variable of the environment."),
      .flag("offline", "Don't ask the server."),
    ],
    arguments: [
      .required("ACCOUNT", "user@server."), .rest("WORDS", "What the program of --secret-command is told."),
    ]
  ) { call in
    let ferry = try call.ferry()
    let account = try AccountID(call.argument("ACCOUNT"))
    _ = try ferry.remotes.remote(of: account)
    let entry = try entry(of: account, ferry, call)
    var note: String?
    if !call.flag("offline") {
      do {
        try await ferry.greet(account, with: entry)
      } catch RemoteError.unreachable(let server, let why) {
        note = "The server \(server) can't be reached now, so it wasn't asked: \(why)."
      }
    }
    let isNew = try await add(account, entry, ferry)
    if call.wantsJSON {
      try call.document([
        "account": .string(account.description), "new": isNew.map { .bool($0) } ?? .null,
        "asked": .bool(note == nil && !call.flag("offline")),
      ])
    } else {
      try call.print(visible("\(account) \(words(isNew))"))
    }
    if let note { call.note(visible(note)) }
    return .ok
  }

  private static func words(_ isNew: Bool?) -> String {
    switch isNew {
    case true?: "is added. The next sync brings what its server holds."
    case false?: "is signed in."
    case nil: "comes with the crossing; its secret is kept."
    }
  }

  /// - Returns: whether the store didn't have it; nil where there is no store, and the crossing is to bring it.
  private static func add(_ account: AccountID, _ entry: KeptSecrets.Entry?, _ ferry: Ferry) async throws
    -> Bool?
  {
    guard try ferry.hasStore() else {
      guard ferry.source.accounts.contains(account), let entry else {
        throw StoreError.noStore(path: ferry.storePath)
      }
      let lock = try ferry.lock()
      try withExtendedLifetime(lock) { try ferry.credentials.kept.keep(entry, of: account) }
      return nil
    }
    return try await ferry.changingStore { store in
      if let entry { try ferry.credentials.kept.keep(entry, of: account) }
      return try ferry.signIn(account, in: store)
    }
  }

  /// What is to be kept of the account's secret; nil where nothing is.
  private static func entry(of account: AccountID, _ ferry: Ferry, _ call: Invocation) throws
    -> KeptSecrets.Entry?
  {
    let (file, program, name) = (
      call.value("secret-file"), call.value("secret-command"), call.value("secret-env")
    )
    let words = call.remainingArguments("WORDS")
    guard [file, program, name].compactMap(\.self).count < 2 else {
      throw UsageError("A secret has one place.", suggestion: "Say one of the --secret options.")
    }
    if !words.isEmpty, program == nil {
      throw UsageError(
        "A secret is never said on the command line, and only --secret-command has words.",
        suggestion: "Leave the words out and type the secret when asked.")
    }
    guard ferry.credentials.areNeeded(by: account) else {
      guard file == nil, program == nil, name == nil else {
        throw UsageError("The server \(account.server) is a folder and asks for no secret.")
      }
      return nil
    }
    if let file { return .file(absolute(file)) }
    if let program { return .command([program.contains("/") ? absolute(program) : program] + words) }
    if let name { return .environment(name) }
    if ferry.credentials.areConfigured(for: account) || ferry.credentials.kept.has(account) { return nil }
    guard call.mayAsk else {
      throw Failure(
        "Nothing says where the secret of \(account) is, and nobody can be asked.", code: "account.noSecret",
        remedy: "Say --secret-file, --secret-command or --secret-env, or name it in ferry.yaml.",
        exitCode: .noPermission)
    }
    return .text(try SecretPrompt.read("Secret of \(visible(account.description)): "))
  }

  /// Seen from here, and so found from anywhere.
  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }
}
