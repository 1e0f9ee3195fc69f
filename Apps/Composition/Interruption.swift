import Dispatch
import FerryStore
import Foundation

/// Notes the first SIGINT or SIGTERM, so that work can stop where nothing is half done. The second one ends the
/// process as it would have.
public final class Interruption {
  private static let numbers = [SIGINT, SIGTERM]
  private let first: Locked<Int32?>
  private let sources: [any DispatchSourceSignal]
  /// Ends when a signal comes.
  fileprivate let arrival: AsyncStream<Never>

  /// The signal that has come.
  public var signal: Int32? { first.withLock { $0 } }

  public init() {
    let first = Locked<Int32?>(nil)
    let (arrival, continuation) = AsyncStream.makeStream(of: Never.self)
    sources = Interruption.numbers.map { number in
      Foundation.signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        first.withLock { $0 = $0 ?? number }
        for number in Interruption.numbers { Foundation.signal(number, SIG_DFL) }
        continuation.finish()
      }
      source.resume()
      return source
    }
    (self.first, self.arrival) = (first, arrival)
  }

  deinit {
    for source in sources { source.cancel() }
    for number in Interruption.numbers { Foundation.signal(number, SIG_DFL) }
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
/// - Throws: `Interrupted` where the work then stopped; what it throws otherwise.
public func stoppable<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws
  -> Result
{
  let interruption = Interruption()
  let arrival = interruption.arrival
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
