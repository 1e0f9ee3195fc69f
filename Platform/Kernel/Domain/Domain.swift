import Dispatch
import FerryStore

/// What a pull request enables: everything that the kernel, the sync engine and the apps need to know of a
/// domain, as one value, registered in one list.
public struct Domain: Sendable {
  /// The name in roadmaps and commands, in kebab case.
  public let name: String
  /// What it keeps, in a few words, for a person.
  public let summary: String
  /// Domains that must have crossed before this one.
  public let dependsOn: [String]
  /// How its tables came to be what they are.
  public let changes: [SchemaChange]
  /// Its tables; the first one has the domain's records proper.
  public let tables: [TableDeclaration]
  /// Those of its tables whose rows are somebody's unfinished work: no server ever gets them, so they would be lost
  /// with their account.
  public let unfinished: [TableDeclaration]
  /// How its legacy rows become records, an entity each.
  public let crossings: [Crossing]
  /// What of it a server holds; empty: it never leaves the device.
  public let feeds: [Feed]
  /// Set for the one domain that crosses after all others: the serial queue on which its rows are mapped
  /// and appended.
  public let lastQueue: DispatchQueue?
  /// Whether it must be the roadmap's last.
  public let isLast: Bool

  public init(
    _ name: String, _ summary: String, dependsOn: [String] = [], tables: [TableDeclaration],
    changes: [SchemaChange] = [], unfinished: [TableDeclaration] = [], crossings: [Crossing],
    feeds: [Feed] = [], isLast: Bool = false,
    queue: DispatchQueue? = nil
  ) {
    self.name = name
    self.summary = summary
    self.dependsOn = dependsOn
    self.tables = tables
    self.changes = changes
    self.unfinished = unfinished
    self.crossings = crossings
    self.feeds = feeds
    self.isLast = isLast
    lastQueue = queue
  }

  /// What it brings into a store.
  public var schema: Schema { Schema(owner: name, tables: tables, changes: changes) }
}
