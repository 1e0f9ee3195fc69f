import CSQLite

/// Asked by SQLite, every thousand steps of a statement, whether the statement is to stop.
final class StopSign {
  fileprivate let isUp: @Sendable () -> Bool

  fileprivate init(_ isUp: @escaping @Sendable () -> Bool) { self.isUp = isUp }
}

extension Connection {
  /// Stops each statement, from now on, soon after the task that it works for was cancelled: it fails then, however
  /// few rows it gives. It is for what takes long as one statement.
  func stop(when isCancelled: @escaping @Sendable () -> Bool) {
    let sign = StopSign(isCancelled)
    // The connection keeps it for as long as SQLite may ask.
    stopSign = sign
    sqlite3_progress_handler(
      handle, 1000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<StopSign>.fromOpaque(context).takeUnretainedValue().isUp() ? 1 : 0
      }, Unmanaged.passUnretained(sign).toOpaque())
  }
}
