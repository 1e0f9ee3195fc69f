import Foundation

extension Error {
  /// What stands behind a failure to open or to write a file, where SQLite's code says it: a disk that is full, a
  /// folder or a file that may not be written to, a file that is damaged.
  func named(for path: String) -> any Error {
    switch self as? StoreError {
    case .sqlite(let code, let message, _)?: return StoreError.named(code, message, path: path) ?? self
    // A copy's disk, not the store's.
    case .diskFull?: return StoreError.diskFull(path: path)
    default: return self
    }
  }
}

extension StoreError {
  fileprivate static func named(_ code: Int32, _ message: String, path: String) -> StoreError? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    // SQLITE_IOERR_SHMSIZE: there is no room for the log's index.
    if code == 4874 { return .diskFull(path: path) }
    switch code & 0xff {
    case 13: return .diskFull(path: path)
    // SQLITE_ERROR, where the first page says something that no SQLite has written.
    case 1 where message.contains("file format"), 11: return .damaged(path: path, why: message)
    case 26: return .notAStore(path: path, why: "it is no SQLite database, or it is encrypted")
    case 8, 14:  // SQLITE_READONLY, SQLITE_CANTOPEN
      if access(folder, W_OK) != 0 { return .readOnly(path: folder) }
      return FileManager.default.fileExists(atPath: path) && access(path, W_OK) != 0
        ? .readOnly(path: path) : nil
    default: return nil
    }
  }
}
