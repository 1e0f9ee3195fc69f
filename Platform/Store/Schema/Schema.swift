/// The tables that one owner, a domain or a room, brings into a store, and the changes that led to them.
///
/// A store keeps (owner, number, checksum) of every change that it has applied. It brings itself from any number
/// to the last one, and refuses a build that edited one it has applied, or that knows fewer.
public struct Schema: Sendable {
  /// The domain or room: the name under which the store keeps its changes.
  public let owner: String
  /// The tables as they are now.
  public let tables: [TableDeclaration]
  /// Those after the first, which is the tables as they were first published.
  public let changes: [SchemaChange]

  /// - Parameters:
  ///   - tables: as they are now.
  ///   - changes: each way in which a published build's tables differ from those of the one before; a published
  ///     one is never edited and never taken away.
  public init(owner: String, tables: [TableDeclaration], changes: [SchemaChange] = []) {
    self.owner = owner
    self.tables = tables
    self.changes = changes
  }

  /// The number of the last change.
  public var version: Int { changes.count + 1 }
}
