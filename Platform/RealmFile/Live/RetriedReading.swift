#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension RealmFile {
  /// Reads a file that an app may be writing meanwhile: all that `body` sees belongs to one snapshot.
  ///
  /// Opens the file, runs `body`, and checks that no other process has committed since. Where one has, what `body`
  /// gave or threw is discarded and everything is done again, `attempts` times at most and with short pauses that
  /// grow; then it throws `changedWhileReading`. So `body` can run several times, and its effects should be undone
  /// easily: collect what it reads, and use that after the call.
  ///
  /// ```swift
  /// let titles = try RealmFile.read(path: path) { file in try titles(of: file) }
  /// ```
  public static func read<Value>(
    path: String, attempts: Int = 5, _ body: (RealmFile) throws -> Value
  ) throws -> Value {
    try read(attempts: attempts, opening: { () throws(RealmFileError) in try RealmFile(path: path) }, body)
  }

  /// The same for a file that `open` opens, such as an encrypted one.
  package static func read<Value>(
    attempts: Int, opening open: () throws(RealmFileError) -> RealmFile, _ body: (RealmFile) throws -> Value
  ) throws -> Value {
    for attempt in 1...max(attempts, 1) {
      if attempt > 1 { pause(before: attempt) }
      if let value = try attemptReading(open, body) { return value }
    }
    throw RealmFileError.changedWhileReading
  }

  /// What `body` gives or throws, or nil where the file has changed.
  private static func attemptReading<Value>(
    _ open: () throws(RealmFileError) -> RealmFile, _ body: (RealmFile) throws -> Value
  ) throws -> Value? {
    let file: RealmFile
    do throws(RealmFileError) {
      file = try open()
    } catch {
      if error == .changedWhileReading { return nil }
      throw error
    }
    let result = Result { try body(file) }
    do throws(RealmFileError) {
      try file.checkUnchanged()
    } catch {
      if error == .changedWhileReading { return nil }
      throw error
    }
    return try result.get()
  }

  /// 10, 20, 40 milliseconds and so on, up to 160.
  private static func pause(before attempt: Int) {
    usleep(10_000 << UInt32(min(attempt - 2, 4)))
  }
}
