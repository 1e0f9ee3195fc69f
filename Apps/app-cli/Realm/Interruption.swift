import Dispatch
import FerryStore
import Foundation

/// Notes SIGINT and SIGTERM, so that work can stop between two rows and take its traces away.
final class Interruption {
  private let flag = Locked(false)
  private let sources: [any DispatchSourceSignal]

  /// Whether one has come.
  var isPending: Bool { flag.withLock { $0 } }

  init() {
    let flag = flag
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { flag.withLock { $0 = true } }
      source.resume()
      return source
    }
  }

  deinit {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
