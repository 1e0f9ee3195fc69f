import FerryKernel
import FerryStore
import FerrySync
import Foundation

/// The demo's server, read line by line with no help from the engine that is under test.
public struct GoldenRemote: Sendable {
  /// The folder that `DirectoryRemote` reads.
  public static let folder = Golden.repository.appendingPathComponent("Config/demo/remote")

  /// The records of a feed by id; tombstones are left out.
  public let records: [String: JSONReader]
  /// The ids that the server deleted.
  public let deleted: Set<String>

  /// Reads a user's feed.
  public init(_ user: String, _ feed: String) throws {
    let path = GoldenRemote.folder.appendingPathComponent("\(user)/\(feed).ndjson")
    var records: [String: JSONReader] = [:]
    var deleted: Set<String> = []
    for line in try Data(contentsOf: path).split(separator: 0x0a) {
      let value = try JSONValue.parse(line)
      guard let id = value["id"]?.stringValue else { throw GoldenFault("\(path.path): a line has no id") }
      records[id] = value["record"].map { JSONReader($0, of: "record", named: id) }
      if value["deleted"]?.boolValue == true { deleted.insert(id) } else { deleted.remove(id) }
    }
    (self.records, self.deleted) = (records, deleted)
  }

  /// What `make` makes of each record, in the order of the ids' bytes.
  public func map<Kind, Value>(_ make: (Identifier<Kind>, JSONReader) throws -> Value) throws -> [Value] {
    try records.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { id, record in
      guard let identifier = Identifier<Kind>(id) else { throw GoldenFault("\(id) is a placeholder") }
      return try make(identifier, record)
    }
  }
}
