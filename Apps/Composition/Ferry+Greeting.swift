import FerryKernel
import FerryStore
import FerrySync
import KintoRemote

extension Ferry {
  /// Asks an account's server whether it knows the account with a secret that is to be kept.
  ///
  /// - Parameter entry: what is to be kept; nil: what is known already.
  /// - Throws: `RemoteError`; `CredentialError`, `SecretError` where there is no secret.
  public func greet(_ account: AccountID, with entry: KeptSecrets.Entry? = nil) async throws {
    guard credentials.areNeeded(by: account) else {
      _ = try await remotes.remote(of: account).session(of: account)
      return
    }
    let secret = try entry?.read() ?? credentials.secret(of: account)
    for server in configuration.servers where server.name.value.utf8.elementsEqual(account.server.utf8) {
      guard case .kinto(let kinto) = server.kind else { continue }
      var server = try configuration.server(named: server.name.value, kinto)
      // Somebody waits for the answer.
      server.patience.tries = 2
      let remote = KintoRemote(server: server, client: CurlClient(), secret: { _ in secret }, now: Ferry.now)
      _ = try await remote.session(of: account)
    }
  }
}

extension KeptSecrets.Entry {
  /// The secret itself.
  fileprivate func read() throws -> Secret {
    switch self {
    case .file(let path): return try SecretSource.file(path).read()
    case .command(let words): return try SecretSource.command(words).onPath().read()
    case .environment(let name): return try SecretSource.environment(name).read()
    case .text(let text):
      guard let secret = Secret(text) else { throw SecretError.noSecret(place: "what was typed") }
      return secret
    }
  }
}
