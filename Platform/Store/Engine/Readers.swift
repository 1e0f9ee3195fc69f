import Foundation

/// The connections that are read through, and which thread has which. No read waits while one of them is free,
/// however long another read takes.
///
/// proof: `free`, `taken` and `waitingCount` are private and touched nowhere but with `condition` locked.
final class Readers: @unchecked Sendable {
  private let slots: [ConnectionSlot]
  private let condition = NSCondition()
  /// The one that was used last comes first: its pages are in memory.
  private var free: [ConnectionSlot]
  /// As many as there are reads under way, which is few.
  private var taken: [(thread: UInt, reader: ConnectionSlot)] = []
  private var waitingCount = 0

  init(_ slots: [ConnectionSlot]) { (self.slots, free) = (slots, slots.reversed()) }

  /// How many reads wait for a reader.
  var waiting: Int { locked { waitingCount } }

  func isReading(_ thread: UInt) -> Bool { locked { reader(of: thread) != nil } }

  /// A reader for a thread, once one is free. A read begun inside a read goes on with that one's reader and sees
  /// the same state; waiting for another one could be waiting for itself.
  func enter(_ thread: UInt) -> (reader: ConnectionSlot, isNested: Bool) {
    locked {
      if let reader = reader(of: thread) { return (reader, true) }
      waitingCount += 1
      defer { waitingCount -= 1 }
      while true {
        if let reader = free.popLast() {
          taken.append((thread, reader))
          return (reader, false)
        }
        condition.wait()
      }
    }
  }

  func leave(_ thread: UInt) {
    locked {
      guard let index = taken.firstIndex(where: { $0.thread == thread }) else { return }
      free.append(taken.remove(at: index).reader)
      if waitingCount > 0 { condition.signal() }
    }
  }

  /// Closes each once nobody reads through it.
  func close() { for slot in slots { slot.close() } }

  private func reader(of thread: UInt) -> ConnectionSlot? {
    for entry in taken where entry.thread == thread { return entry.reader }
    return nil
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }
}
