/// A Realm database file, opened for reading.
///
/// Reads file formats 2 to 11 and 20 to 24, which is every one that a Realm SDK has written since 2015, without the
/// Realm library: the schema and every row of the active snapshot. Nothing is ever written, locked or created, in
/// the file or beside it; the file is read piece by piece, as far as rows are asked for.
///
/// Not safe for use from several threads at once; open the file once for each use.
///
/// ```swift
/// let file = try RealmFile(path: "/data/alice.realm")
/// if let notes = file.table(className: "Note"), let title = notes.columnIndex(named: "title") {
///   let rows = notes.rows()
///   while let row = try rows.next() {
///     print(row.key, try row.value(at: title))
///   }
/// }
/// try file.checkUnchanged()
/// ```
public final class RealmFile {
  /// The file format of the active snapshot; 0 for a database that was never committed to.
  public let formatVersion: Int
  /// The app's schema version, -1 where the app has none; nil for a file that was not made through an SDK.
  public let schemaVersion: Int64?
  /// The tables in the order of the file, the library's own among them.
  public let tables: [RealmTable]

  /// What is lost apart from rows and cells, while salvaging.
  let losses: Losses
  let snapshot: Snapshot

  static let readableFormats: Set<Int> = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 22, 23, 24]

  /// Opens a file and reads its schema.
  ///
  /// Throws one diagnosis: `unreadable`, `emptyFile`, `notARealmFile`, `encrypted`, `unsupportedFormat`,
  /// `halfUpgraded`, `damaged`, or `changedWhileReading`.
  public convenience init(path: String) throws(RealmFileError) {
    try self.init(source: PlainFile(path: path))
  }

  /// Opens a database whose plaintext comes from somewhere else, such as a decrypting layer.
  package init(source: any ByteSource) throws(RealmFileError) {
    let header = try Header(source)
    let snapshot = Snapshot(image: try ByteImage(source: source), header: header)
    do throws(RealmFileError) {
      tables = try Group.tables(of: snapshot)
      schemaVersion = try Self.schemaVersion(tables)
    } catch {
      throw snapshot.explain(error)
    }
    self.snapshot = snapshot
    formatVersion = header.format
    losses = Losses()
  }

  /// A file of which these tables are left.
  init(tables: [RealmTable], losses: Losses, snapshot: Snapshot) {
    self.tables = tables
    self.losses = losses
    self.snapshot = snapshot
    formatVersion = snapshot.header.format
    do throws(RealmFileError) {
      schemaVersion = try Self.schemaVersion(tables)
    } catch {
      schemaVersion = nil
    }
  }

  /// The table with this stored name, compared by UTF-8 bytes.
  public func table(named name: String) -> RealmTable? {
    tables.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The table that stores the class with this name.
  public func table(className: String) -> RealmTable? {
    table(named: "class_" + className)
  }

  /// Throws `changedWhileReading` when another process has committed to the file, or shortened it, since it was
  /// opened.
  ///
  /// What was read before a call that returns belongs to one consistent snapshot (the format specification,
  /// section 19). Call it after reading, and discard what was read when it throws.
  public func checkUnchanged() throws(RealmFileError) {
    try snapshot.checkUnchanged()
  }

  /// The format specification, section 14.
  private static func schemaVersion(_ tables: [RealmTable]) throws(RealmFileError) -> Int64? {
    guard let metadata = tables.first(where: { $0.name == "metadata" }),
      let column = metadata.columnIndex(named: "version"),
      let row = try metadata.rows().next(),
      case .int(let version) = try row.value(at: column)
    else { return nil }
    return version
  }
}
