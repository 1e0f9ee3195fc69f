/// Where everything in the house logs to. Appending neither throws nor waits for a store, so it can be done
/// before the store exists, during a crossing, inside a transaction and inside an observer.
public protocol LogSink: Sendable {
  /// Takes a line. A `fault` is on the disk when this returns.
  func append(_ line: LogLine)
  /// Returns once every line that was appended before is where it stays. Whoever ends a process awaits it.
  func flush() async
}

extension LogSink {
  /// Nothing is held back.
  public func flush() async {}
}
