/// Keeps what is written, for tests of a tool: see
/// ``Terminal/captured(out:err:outIsTerminal:errIsTerminal:inputIsTerminal:environment:answer:)``.
public final class CapturedOutput: OutputSink {
  private struct State {
    var bytes: [UInt8] = []
    var capacity: Int
  }

  /// The width that the captured terminal claims to have.
  public let columns: Int?
  private let state: Locked<State>

  /// An empty capture.
  ///
  /// - Parameters:
  ///   - columns: the width that the captured terminal claims to have.
  ///   - capacity: how many bytes it takes before it behaves like a pipe whose reader left.
  public init(columns: Int? = nil, capacity: Int = .max) {
    self.columns = columns
    state = Locked(State(capacity: capacity))
  }

  /// Keeps `bytes`, or none of them if they exceed the capacity.
  public func write(_ bytes: [UInt8]) throws(OutputError) {
    try state.withLock { state throws(OutputError) in
      guard state.bytes.count + bytes.count <= state.capacity else { throw .readerClosed }
      state.bytes += bytes
    }
  }

  /// Everything written so far.
  public var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
}
