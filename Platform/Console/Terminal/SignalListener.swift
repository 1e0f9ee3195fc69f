import Dispatch
import Foundation

/// Hears signals that would have ended the process, until it is cancelled.
///
/// From the moment it is made none is lost. Dispatch registers a source on a thread of its own, some time after
/// `resume()` returned; a signal that is ignored until then is gone for good, and whoever sent it waits for ever.
/// So the system's action stays until each source is registered, and making one waits for that.
public final class SignalListener: Sendable {
  private let numbers: [Int32]
  private let sources: [Source]

  /// - Parameters:
  ///   - queue: where `heard` runs. The caller isn't on it.
  ///   - heard: is given the number of the signal that came. Several of one kind may be heard of once.
  public init(_ numbers: [Int32], on queue: DispatchQueue, heard: @escaping @Sendable (Int32) -> Void) {
    self.numbers = numbers
    sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      let registered = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { registered.signal() }
      source.setEventHandler { heard(number) }
      source.resume()
      registered.wait()
      #if canImport(Darwin)
        // There the system acts as well as telling the source; elsewhere Dispatch has put its own handler in place.
        signal(number, SIG_IGN)
      #endif
      return Source(source: source)
    }
  }

  /// Lets the next one of each do what the system does with it.
  public static func restoreDefaults(of numbers: [Int32]) {
    for number in numbers { signal(number, SIG_DFL) }
  }

  /// Hears nothing any more, as when nobody holds it.
  public func cancel() {
    for source in sources { source.source.cancel() }
    SignalListener.restoreDefaults(of: numbers)
  }

  deinit { cancel() }

  /// proof: libdispatch lets a source be resumed and cancelled from any thread, and nothing else is done with it here.
  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }
}
