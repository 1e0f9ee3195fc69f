import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Hears signals that would have ended the process, from the moment it is made until it is cancelled.
///
/// A handler and a pipe rather than a source of Dispatch: that one is registered and taken down on a thread of
/// Dispatch's own, some time after `resume()` and `cancel()` returned, and a signal in between is lost for good.
public final class SignalListener: Sendable {
  private let numbers: [Int32]

  /// - Parameters:
  ///   - queue: where `heard` runs.
  ///   - heard: is given the number of the signal that came. Several of one kind may be heard of once.
  public init(_ numbers: [Int32], on queue: DispatchQueue, heard: @escaping @Sendable (Int32) -> Void) {
    self.numbers = numbers
    SignalPipe.shared.add(self, numbers) { number in queue.async { heard(number) } }
  }

  /// Lets the next one of each do what the system does with it.
  public static func restoreDefaults(of numbers: [Int32]) {
    for number in numbers { signal(number, SIG_DFL) }
  }

  /// Hears nothing any more, as when nobody holds it: each signal does again what the system does with it, unless
  /// somebody else listens to it.
  public func cancel() { SignalPipe.shared.remove(ObjectIdentifier(self), numbers) }

  deinit { cancel() }
}

/// The process's one pipe: a handler may do next to nothing but write to it, and whoever reads it may do all.
private final class SignalPipe: Sendable {
  typealias Listener = @Sendable (Int32) -> Void

  static let shared = SignalPipe()

  private let listeners = Locked<[Int32: [ObjectIdentifier: Listener]]>([:])
  /// Nil where the process has no file left: then the signals do what they would without a listener.
  private let writing: Int32?
  private let reader: Reader?

  private init() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      (writing, reader) = (nil, nil)
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    let reading = ends[0]
    writing = ends[1]
    let queue = DispatchQueue(label: "ferry.console.signals")
    let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
    reader = Reader(source: source)
    source.setEventHandler { [listeners] in
      var numbers = [UInt8](repeating: 0, count: 256)
      let count = read(reading, &numbers, numbers.count)
      for number in numbers.prefix(max(0, count)).map(Int32.init) {
        for listener in listeners.withLock({ $0[number, default: [:]].values.map(\.self) }) {
          listener(number)
        }
      }
    }
    source.resume()
  }

  func add(_ owner: SignalListener, _ numbers: [Int32], _ listener: @escaping Listener) {
    if writing == nil { return }
    let key = ObjectIdentifier(owner)
    listeners.withLock { listeners in
      for number in numbers {
        listeners[number, default: [:]][key] = listener
        signal(number) { SignalPipe.shared.note($0) }
      }
    }
  }

  func remove(_ key: ObjectIdentifier, _ numbers: [Int32]) {
    listeners.withLock { listeners in
      for number in numbers where listeners[number]?.removeValue(forKey: key) != nil {
        guard listeners[number]?.isEmpty == true else { continue }
        signal(number, SIG_DFL)
      }
    }
  }

  /// Runs in a handler: touches nothing but two words and the pipe. Where that is full, the reader has enough to tell.
  private func note(_ number: Int32) {
    guard let writing else { return }
    let code = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writing, &byte, 1)
    errno = code
  }

  /// proof: the source is resumed before anybody else has it, and nothing else is done with it.
  private struct Reader: @unchecked Sendable {
    let source: any DispatchSourceRead
  }
}
