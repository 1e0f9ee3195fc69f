import RealmFile

/// What a `.realm` file holds, written in a form that other tools read: JSON, NDJSON, CSV, a SQLite database.
///
/// ```swift
/// let export = try RealmExport(of: RealmFile(path: "alice.realm"))
/// let output = try AtomicFile(path: "alice.ndjson")
/// try export.writeNDJSON { try output.write($0) }
/// try export.file.checkUnchanged()
/// try output.commit()
/// ```
///
/// Rows are read and written one by one, in ascending key order; the same file gives the same bytes.
public struct RealmExport {
  /// Takes bytes of the output, in order.
  public typealias Write = (UnsafeRawBufferPointer) throws -> Void

  /// The file that is exported.
  public let file: RealmFile
  /// What is exported, in the order of the file.
  public let classes: [ExportClass]
  /// Whether `classes` were chosen by name.
  public let isSelection: Bool
  /// Whether the file is being salvaged: any cell may be null then.
  public let isSalvaged: Bool
  /// Is told at the beginning and the end of each class, and in between. Whatever it throws ends the export.
  public var progress: (ExportProgress) throws -> Void = { _ in }

  /// - Parameters:
  ///   - file: the file to export.
  ///   - names: names of classes, or of tables where a table is no class; none means all.
  ///   - isSalvaged: whether the file was opened for salvage.
  /// - Throws: `ExportError.noSuchClass`.
  public init(of file: RealmFile, classes names: [String] = [], isSalvaged: Bool = false) throws(ExportError)
  {
    self.file = file
    self.isSalvaged = isSalvaged
    let all = ExportClass.all(of: file)
    isSelection = !names.isEmpty
    guard isSelection else {
      classes = all
      return
    }
    let known = file.tables.map(ExportClass.init)
    for name in names where !known.contains(where: { $0.isCalled(name) }) {
      throw .noSuchClass(name, known: all.map(\.name))
    }
    classes = known.filter { entry in names.contains(where: entry.isCalled) }
  }

  /// Goes through the rows of the class at this position of `classes`, with progress.
  func forEachRow(ofClass index: Int, _ body: (RealmRow) throws -> Void) throws -> Int {
    let before = classes[..<index].map(\.table.rowCount).reduce(0, +)
    let total = before + classes[index...].map(\.table.rowCount).reduce(0, +)
    try progress(ExportProgress(done: before, of: total))
    let rows = classes[index].table.rows()
    var done = 0
    while let row = try rows.next() {
      try body(row)
      done += 1
      if done % ExportProgress.stride == 0 { try progress(ExportProgress(done: before + done, of: total)) }
    }
    try progress(ExportProgress(done: before + done, of: total))
    return done
  }
}

/// How far an export is.
public struct ExportProgress: Sendable, Equatable {
  static let stride = 256
  /// Rows written.
  public let done: Int
  /// Rows that the file says there are.
  public let of: Int
}

/// What became of an export.
public struct ExportOutcome: Sendable, Equatable {
  /// The classes, in the order of the file.
  public var classes: [ExportedClass] = []
  /// Links that lead to no row, in a file that isn't sound: null in a column of SQLite, left out of its collections.
  public var danglingLinks = 0
  /// Tables of SQLite with an index that should be unique and isn't, as the file holds a key twice.
  public var repeatedKeys: [String] = []

  /// Rows of all classes.
  public var rows: Int { classes.map(\.rows).reduce(0, +) }
}

/// What became of one class.
public struct ExportedClass: Sendable, Equatable {
  /// The class.
  public let name: String
  /// Rows written.
  public let rows: Int
  /// What it is called in the output: a file, a table; nil where the output has no such thing.
  public let place: String?
}

/// A table of the file under the name that its users know.
public struct ExportClass {
  /// The class's name; the table's where it is no class.
  public let name: String
  /// The table.
  public let table: RealmTable

  init(_ table: RealmTable) {
    self.table = table
    name = table.className ?? table.name
  }

  /// The classes of a file. A file that was not made through an SDK has none: there, all its tables.
  static func all(of file: RealmFile) -> [ExportClass] {
    let classes = file.tables.filter { $0.className != nil }
    return (classes.isEmpty ? file.tables : classes).map(ExportClass.init)
  }

  func isCalled(_ wanted: String) -> Bool {
    name.utf8.elementsEqual(wanted.utf8) || table.name.utf8.elementsEqual(wanted.utf8)
  }
}
