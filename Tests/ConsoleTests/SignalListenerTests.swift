import Dispatch
import FerryConsole
import Foundation
import Testing

@Suite struct SignalListenerTests {
  /// SIGURG, for nothing happens where it is lost: the test says so.
  @Test(.timeLimit(.minutes(1))) func `A signal that comes as soon as there is a listener is heard`() {
    let queue = DispatchQueue(label: "listener")
    for round in 0..<200 {
      let heard = DispatchSemaphore(value: 0)
      let listener = SignalListener([SIGURG], on: queue) { number in
        if number == SIGURG { heard.signal() }
      }
      kill(getpid(), SIGURG)
      guard heard.wait(timeout: .now() + 5) == .success else {
        Issue.record("the signal of round \(round) was lost")
        return
      }
      listener.cancel()
    }
  }
}
