import FerryKernel
import FerryStore
import Foundation
import RealmFile

/// `.realm` files as a source of legacy rows, one file an account.
///
/// Each call opens the file anew and checks at its end that no other process has changed it meanwhile. The
/// position of a row is its object key. A link is given as the primary key of the row it leads to.
public struct RealmSource: LegacySource {
  private let paths: [(account: AccountID, path: String)]
  private let files: FileOperations
  private let opening: @Sendable (_ path: String) throws -> RealmFile
  /// The file that single rows were last asked of: rows of one class are asked for one after the other.
  private let last = Locked<Opened?>(nil)

  private struct Opened {
    let path: String
    let className: String
    let file: RealmFile
    let reader: ClassReader
  }

  /// - Parameters:
  ///   - paths: where each account's file is, in the order in which they cross.
  ///   - opening: opens a file; whoever has the keys of encrypted ones says how. What it throws that isn't of
  ///     `RealmFile` goes through as it is.
  public init(
    _ paths: [(account: AccountID, path: String)], files: FileOperations = FileOperations(),
    opening: @escaping @Sendable (_ path: String) throws -> RealmFile = { try RealmFile(path: $0) }
  ) {
    (self.paths, self.files, self.opening) = (paths, files, opening)
  }

  public var accounts: [AccountID] { paths.map(\.account) }

  public func manifest(of account: AccountID) throws -> LegacyManifest {
    let path = try path(of: account)
    let (size, sha256) = try files.digest(of: path)
    return LegacyManifest(path: path, size: size, sha256: sha256, schemaVersion: try open(path).schemaVersion)
  }

  public func stamp(of account: AccountID) throws -> String? { files.stamp(of: try path(of: account)) }

  public func classes(of account: AccountID) throws -> [LegacyClass] {
    let file = try open(path(of: account))
    return file.tables.compactMap { table in
      table.className.map { name in
        LegacyClass(
          name: name, properties: table.columns.map(\.name), kinds: table.columns.map(\.kind),
          targets: table.columns.map { $0.target.flatMap { file.table(named: $0)?.className } },
          rowCount: Int64(table.rowCount))
      }
    }
  }

  public func forEachRow(
    of className: String, account: AccountID, properties: [String]?, after position: Int64?,
    _ body: (LegacyRow) throws -> Void
  ) throws {
    let path = try path(of: account)
    let file = try open(path)
    let reader = try ClassReader(className, of: file, properties: properties)
    do {
      let rows = reader.table.rows(after: position)
      while let row = try rows.next() { try body(reader.legacy(row)) }
      try file.checkUnchanged()
    } catch let error as RealmFileError {
      throw LegacyFileError(error, path: path)
    }
  }

  public func row(of className: String, account: AccountID, at position: Int64) throws -> LegacyRow? {
    let path = try path(of: account)
    return try last.withLock { last in
      do {
        if let opened = last, opened.path.utf8.elementsEqual(path.utf8), opened.className == className {
          let row = try opened.reader.table.row(key: position).map { try opened.reader.legacy($0) }
          try opened.file.checkUnchanged()
          return row
        }
        let file = try open(path)
        let reader = try ClassReader(className, of: file, properties: nil, readsOne: true)
        last = Opened(path: path, className: className, file: file, reader: reader)
        return try reader.table.row(key: position).map { try reader.legacy($0) }
      } catch {
        last = nil
        guard let error = error as? RealmFileError else { throw error }
        throw LegacyFileError(error, path: path)
      }
    }
  }

  public func path(of account: AccountID) throws -> String {
    guard let path = paths.first(where: { $0.account == account })?.path else {
      throw KernelError.noLegacyFile(account)
    }
    return path
  }

  private func open(_ path: String) throws -> RealmFile {
    do {
      return try opening(path)
    } catch let error as RealmFileError {
      throw LegacyFileError(error, path: path)
    }
  }
}

/// What `RealmFile` says of one of the files, as an error of the house.
public struct LegacyFileError: FerryError, Equatable {
  public let error: RealmFileError
  /// Which file it is.
  public let path: String

  init(_ error: RealmFileError, path: String) { (self.error, self.path) = (error, path) }

  public var code: String { error.code }
  public var sentence: String {
    if case .unreadable = error { error.sentence } else { "\(path): \(error.sentence)" }
  }
  public var remedy: String { error.remedy }
}
