import Foundation

/// Where the code under test waits until the test says how it goes on.
final class Points: Sendable {
  struct Failed: Error, CustomStringConvertible {
    var description: String { "It failed." }
  }

  private struct State {
    var waiting: [String: CheckedContinuation<Void, any Error>] = [:]
    var reached: [String] = []
  }
  private let state = Shared(State())

  /// Every point that was waited at, in order.
  var reached: [String] { state.withLock { $0.reached } }
  var waiting: Set<String> { state.withLock { Set($0.waiting.keys) } }

  /// Waits until the test lets it go on; deaf to cancellation, as the worst of code is.
  func wait(at name: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      state.withLock { state in
        state.reached.append(name)
        precondition(state.waiting.updateValue(continuation, forKey: name) == nil, "twice at \(name)")
      }
    }
  }

  /// Says that it goes on; false if nobody waits there.
  @discardableResult func go(_ name: String, _ result: Result<Void, any Error> = .success(())) -> Bool {
    guard let continuation = state.withLock({ $0.waiting.removeValue(forKey: name) }) else { return false }
    continuation.resume(with: result)
    return true
  }

  @discardableResult func fail(_ name: String) -> Bool { go(name, .failure(Failed())) }
}

/// A value behind a lock.
final class Shared<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value
  init(_ value: Value) { self.value = value }
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
