import Dispatch
import FerryConsole
import FerryStore
import Foundation

/// Notes the first SIGINT or SIGTERM, so that work can stop where nothing is half done. The second one ends the
/// process as it would have.
public final class Interruption {
  private struct State: Sendable {
    var first: Int32?
    /// Of whoever waits for the first one.
    var waiting: AsyncStream<Never>.Continuation?
  }

  private let state: Locked<State>
  private let listener: SignalListener

  /// The signal that has come.
  public var signal: Int32? { state.withLock { $0.first } }

  public init() {
    let state = Locked(State())
    let numbers = [SIGINT, SIGTERM]
    listener = SignalListener(numbers, on: DispatchQueue(label: "ferry.interruption")) { number in
      let waiting = state.withLock { state in
        state.first = state.first ?? number
        return state.waiting
      }
      SignalListener.restoreDefaults(of: numbers)
      waiting?.finish()
    }
    self.state = state
  }

  /// Ends when a signal comes, at once where one has come. One waits at a time.
  fileprivate func arrival() -> AsyncStream<Never> {
    let (arrival, continuation) = AsyncStream.makeStream(of: Never.self)
    let hasCome = state.withLock { state in
      state.waiting = continuation
      return state.first != nil
    }
    if hasCome { continuation.finish() }
    return arrival
  }
}

/// A person or the system asked a tool to stop, and it did, at a transaction's edge.
public struct Interrupted: FerryError, Equatable {
  public let signal: Int32

  public init(signal: Int32) { self.signal = signal }

  public var code: String { "interrupted" }
  public var sentence: String {
    "It was stopped by \(signal == SIGTERM ? "SIGTERM" : "SIGINT"); nothing is half done."
  }
  public var remedy: String { "Run it again; it goes on." }
}

/// Runs work, and cancels it when SIGINT or SIGTERM comes.
///
/// - Parameter interruption: what notes the signal; one that goes on beyond this work where more is to follow.
/// - Throws: `Interrupted` where the work then stopped; what it throws otherwise.
public func stoppable<Result: Sendable>(
  by interruption: Interruption = Interruption(), _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let arrival = interruption.arrival()
  return try await withThrowingTaskGroup(of: Result?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      for await _ in arrival {}
      return nil
    }
    do {
      while let result = try await group.next() {
        group.cancelAll()
        if let result { return result }
      }
    } catch is CancellationError {
      if let signal = interruption.signal { throw Interrupted(signal: signal) }
    }
    throw CancellationError()
  }
}
