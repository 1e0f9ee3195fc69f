/// What the child tasks of a loop tell it, in the order in which they say it.
struct Inbox<Message: Sendable>: Sendable {
  let messages: AsyncStream<Message>
  private let continuation: AsyncStream<Message>.Continuation

  init() { (messages, continuation) = AsyncStream.makeStream() }

  func put(_ message: Message) { continuation.yield(message) }

  /// Nothing is said any more; what has been said is still heard.
  func close() { continuation.finish() }
}
