import FerryKernel
import FerryStore
import FerrySync
import Foundation
import KintoRemote

/// Where the secrets of accounts are: where ferry.yaml says, or else where `account add` was told. Each is read once.
///
/// Nothing here can show a secret: what is read is a `Secret`, which can be sent and nothing else.
public struct Credentials: Sendable {
  private let configuration: FerryConfiguration
  /// What `account add` keeps.
  public let kept: KeptSecrets
  private let known = Locked<[AccountID: Secret]>([:])

  init(_ configuration: FerryConfiguration) {
    self.configuration = configuration
    kept = KeptSecrets(folder: "\(configuration.storeFolder.value)/secrets")
  }

  /// Whether an account's server asks for a secret at all.
  public func areNeeded(by account: AccountID) -> Bool { kinto(of: account) != nil }

  /// Whether ferry.yaml itself says where the account's secret is, so that nothing that is kept is asked.
  public func areConfigured(for account: AccountID) -> Bool { configured(for: account) != nil }

  /// The account's secret.
  ///
  /// - Throws: `CredentialError.none`, `SecretError`; neither holds any of the secret.
  @discardableResult
  public func secret(of account: AccountID) throws -> Secret {
    if let secret = known.withLock({ $0[account] }) { return secret }
    guard let source = try configured(for: account) ?? kept.source(of: account) else {
      throw CredentialError.none(account)
    }
    let secret = try source.onPath().read()
    known.withLock { $0[account] = secret }
    return secret
  }

  /// The account's secret for a remote, to which a missing one is as good as a wrong one: the other accounts go on.
  func secretForRemote(of account: AccountID) throws -> Secret {
    do {
      return try secret(of: account)
    } catch let error as any FerryError {
      throw RemoteError.unauthorized(account, why: error.sentence.withoutFullStop)
    }
  }

  private func kinto(of account: AccountID) -> FerryConfiguration.Kinto? {
    for server in configuration.servers where server.name.value.utf8.elementsEqual(account.server.utf8) {
      if case .kinto(let kinto) = server.kind { return kinto }
    }
    return nil
  }

  private func configured(for account: AccountID) -> SecretSource? {
    let secret = kinto(of: account)?.secrets.first {
      $0.user.value.utf8.elementsEqual(account.user.utf8)
    }
    return secret.map { secret in
      switch secret.place {
      case .file(let path): .file(path)
      case .command(let words): .command(words)
      case .environment(let name): .environment(name)
      }
    }
  }
}

/// Why there is no secret for an account.
public enum CredentialError: FerryError, Equatable {
  /// Nobody said where it is.
  case none(AccountID)

  public var code: String { "account.noSecret" }
  public var sentence: String {
    switch self {
    case .none(let account): "Nothing says where the secret of \(account) is."
    }
  }
  public var remedy: String {
    switch self {
    case .none(let account):
      "Run `app-cli account add \(account)`, or add it under `secrets` of its server in ferry.yaml."
    }
  }
}

extension SecretSource {
  /// With a bare program's name looked up along PATH, since no shell does it.
  func onPath() throws -> SecretSource {
    guard case .command(let words) = self, let program = words.first,
      !program.utf8.contains(UInt8(ascii: "/"))
    else { return self }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/\(program)" }.first(where: FileManager.default.isExecutableFile)
    guard let found else {
      throw SecretError.commandFailed(program: program, why: "it is in no folder of PATH")
    }
    return .command([found] + words.dropFirst())
  }
}
