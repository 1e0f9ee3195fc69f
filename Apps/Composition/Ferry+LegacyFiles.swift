import FerryKernel
import FerryStore
import Foundation
import RealmDecryption
import RealmFile
import RealmSource

extension Ferry {
  /// The legacy files; where the roadmap says whose each row is, each account gets its own of them.
  static func source(_ configuration: FerryConfiguration, _ plan: Plan) throws -> any LegacySource {
    var files: [(path: String, owners: [OwnedRows.Owner])] = []
    for file in configuration.legacyFiles {
      var owners: [OwnedRows.Owner] = []
      for user in file.users {
        do {
          let account = try AccountID(server: file.server.value, user: user.name.value)
          owners.append(OwnedRows.Owner(account, named: user.named.value))
        } catch {
          throw configuration.badAccount(file, user, error)
        }
      }
      files.append((file.path.value, owners))
    }
    try plan.checkOwners(shared: files.first { $0.owners.count > 1 }?.path)
    let source = RealmSource(files.map { (account: $0.owners[0].account, path: $0.path) }) { path in
      try configuration.openLegacyFile(at: path)
    }
    let properties = plan.ownerProperties
    let isEachOfOne = files.allSatisfy { $0.owners.count == 1 }
    return properties.isEmpty && isEachOfOne
      ? source : OwnedRows(source, files: files.map(\.owners), properties: properties)
  }
}

extension Ferry {
  /// The legacy files that lie where archived ones were, by path: an app's old build has made them since. Nothing
  /// reads them.
  public func returnedLegacyFiles(in store: Store) throws -> [String] {
    guard let state = try retirement(in: store).state(), state.phase != .moving else { return [] }
    var found: [String] = []
    for account in source.accounts {
      let path = try source.path(of: account)
      guard !found.contains(where: { $0.utf8.elementsEqual(path.utf8) }) else { continue }
      if access(path, F_OK) == 0 { found.append(path) }
    }
    return found
  }
}

extension FerryConfiguration {
  /// Opens a legacy file, with the key that its item names.
  ///
  /// - Throws: `RealmFileError`; `SourceFault` for what is to be mended in ferry.yaml, or where it says the key is.
  fileprivate func openLegacyFile(at path: String) throws -> RealmFile {
    guard let file = legacyFiles.first(where: { $0.path.value.utf8.elementsEqual(path.utf8) }),
      let keyFile = file.keyFile
    else {
      do {
        return try RealmFile(path: path)
      } catch {
        guard error == .encrypted else { throw error }
        let item = legacyFiles.first { $0.path.value.utf8.elementsEqual(path.utf8) }
        throw fault(
          "encrypted", at: item?.path.position ?? .start,
          "\(path) looks encrypted, and nothing says where its key is",
          remedy: "Add 'key-file: PATH' to this item: a file with the key that the app uses.")
      }
    }
    do {
      let (key, isOpenToOthers) = try RealmKey.read(file: keyFile.value)
      // As for passwords: what ferry.yaml names is kept for long.
      guard !isOpenToOthers else {
        throw fault(
          "openKey", at: keyFile.position, "other users can read the key file \(keyFile.value)",
          remedy: "Shut them out with `chmod 600`.")
      }
      return try RealmFile.open(path: path, key: key)
    } catch let error as RealmDecryptionError {
      throw fault(
        error.rule, at: keyFile.position, "\(path): \(error.sentence.withoutFullStop)",
        remedy: error == .notEncrypted ? "Remove 'key-file' from this item." : error.remedy)
    }
  }

  fileprivate func badAccount(_ file: LegacyFile, _ user: LegacyFile.User, _ error: StoreError) -> SourceFault
  {
    var name = user.name
    if case .badAccountName(let bad) = error, bad.utf8.elementsEqual(file.server.value.utf8) {
      name = file.server
    }
    // A fault's message goes on behind it, so it has no full stop.
    return fault("badAccount", at: name.position, error.sentence.withoutFullStop, remedy: error.remedy)
  }
}

extension RealmDecryptionError {
  /// The second half of its code.
  fileprivate var rule: String { String(code.split(separator: ".").last ?? "key") }
}
