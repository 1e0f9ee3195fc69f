/// Cancels one child task of a group whose others go on.
struct Stop: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// Cancels the work, now or as soon as it begins.
  func now() { continuation.finish() }

  /// Does the work and returns when it is over; ``now()`` cancels it.
  func limit(_ work: @escaping @Sendable () async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work() }
      group.addTask { for await _ in stream {} }
      await group.next()
      group.cancelAll()
    }
  }
}
