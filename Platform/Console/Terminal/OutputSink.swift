/// Where bytes go. ``FileDescriptorSink`` is the real one, ``CapturedOutput`` that of tests.
public protocol OutputSink: Sendable {
  /// Writes all of `bytes`, or throws. Nothing is held back: when it returns, they are out.
  func write(_ bytes: [UInt8]) throws(OutputError)

  /// How wide the terminal behind it is now, `nil` if it is none or doesn't say.
  var columns: Int? { get }
}

/// Why a write failed.
public enum OutputError: Error, Equatable {
  /// The reader went away (`… | head -1`). Not worth a word: the tool ends with
  /// ``ExitCode/brokenPipe``.
  case readerClosed
  /// Anything else (a full disk, a closed descriptor), with the system's error number.
  case failed(code: Int32)
}
