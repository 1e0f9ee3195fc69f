import FerryStore

/// The way in to an account's drafts.
public enum DraftDAO {
  /// Every draft, the one worked on last first.
  public static func list(_ account: AccountStore) async throws -> [Draft] {
    try await account.read { try $0.fetch(Draft.all.order { $0.updatedAt.descending }) }
  }

  /// Writes a draft, over itself where it exists. It survives a power failure once this returns: nobody else
  /// has it.
  public static func save(_ account: AccountStore, _ draft: Draft) async throws {
    try await account.write(durability: .powerLoss) { try $0.upsert(draft) }
  }

  /// Throws a draft away.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public static func discard(_ account: AccountStore, _ id: DraftID) async throws -> Bool {
    try await account.write(durability: .powerLoss) { try $0.delete(Draft.self, id).deleted > 0 }
  }
}
