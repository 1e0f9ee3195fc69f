/// Who waits for what becomes of something, by number.
struct Wishes<Outcome: Sendable> {
  struct Wish: Sendable {
    let number: Int
    fileprivate let inbox: Inbox<Outcome>

    /// What became of it; nil where the waiting was over first.
    func outcome(isolation: isolated (any Actor)? = #isolation) async -> Outcome? {
      for await outcome in inbox.messages { return outcome }
      return nil
    }
  }

  private var last = 0
  private var waiting: [Int: Inbox<Outcome>] = [:]

  mutating func make() -> Wish {
    last += 1
    let inbox = Inbox<Outcome>()
    waiting[last] = inbox
    return Wish(number: last, inbox: inbox)
  }

  mutating func settle(_ number: Int, _ outcome: Outcome) {
    let inbox = waiting.removeValue(forKey: number)
    inbox?.put(outcome)
    inbox?.close()
  }

  /// Ends all waiting.
  mutating func end() {
    for inbox in waiting.values { inbox.close() }
    waiting = [:]
  }
}
