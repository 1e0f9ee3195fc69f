import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Plain escape codes and no ncurses: what a full-screen tool needs of a terminal is to write a cell somewhere, six
// attributes and a dozen keys, which every terminal in use has in one form (ECMA-48 as xterm speaks it; terminfo's
// worth was in the hundreds of others). ncurses would be a C library to install everywhere, keeps its state in
// globals that Swift's strict concurrency can't see into, measures characters by the C library's tables and not by
// this room's, which would then disagree with every table that is printed, and can't be looked at by a test without
// a terminal; a grid of our own can. What is lost: terminals that aren't like xterm. They are told so.

/// A terminal given over to a tool: raw keys in, a whole screen out, and all as it was afterwards.
///
/// It is the process's own: there is one at a time.
public final class FullScreen: Sendable {
  public enum Event: Sendable, Equatable {
    case key(Key)
    /// The window has another size, or the tool came back from being suspended: draw everything anew.
    case resized
    /// Somebody asks the process to end: SIGINT, SIGTERM or SIGHUP.
    case asked(signal: Int32)
    /// The terminal is gone.
    case lost
  }

  /// How long an Esc waits for the rest of an arrow key.
  private static let escapeTime = DispatchTimeInterval.milliseconds(50)
  private static let endings = [SIGINT, SIGTERM, SIGHUP]

  private struct State {
    var decoder = KeyDecoder()
    /// Counts what came in, so that a wait knows whether it is the last one.
    var reads = 0
    var isEntered = false
    var isAsked = false
  }

  /// What happens, in order; it ends when the terminal is lost.
  public let events: AsyncStream<Event>
  private let event: AsyncStream<Event>.Continuation
  private let input: Int32
  private let output: FileDescriptorSink
  private let outputDescriptor: Int32
  private let cooked: TerminalMode
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "ferry.console.fullscreen")
  private let ears = Locked<Ears?>(nil)

  /// Takes a terminal; ``enter()`` changes it. A process in the background is stopped until it is in the foreground, as
  /// whoever else changes a terminal is.
  ///
  /// - Returns: nil where one of the two isn't a terminal, or is another process's.
  public init?(input: Int32 = 0, output: Int32 = 1) {
    guard isatty(output) == 1, FullScreen.isInForeground(of: input), let mode = TerminalMode(of: input) else {
      return nil
    }
    (self.input, self.output, outputDescriptor) = (input, FileDescriptorSink(output), output)
    cooked = mode
    (events, event) = AsyncStream.makeStream()
    ignoreBrokenPipeSignal()
  }

  /// Rows and columns of the window now.
  public var size: (rows: Int, columns: Int) {
    var size = winsize()
    guard ioctl(outputDescriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (24, 80)
    }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  /// Switches to the other screen and takes keys as they come.
  public func enter() {
    // A tool in the background gives its terminal back as well.
    signal(SIGTTOU, SIG_IGN)
    let reader = DispatchSource.makeReadSource(fileDescriptor: input, queue: queue)
    reader.setEventHandler { [self] in read() }
    let listener = SignalListener(FullScreen.endings + [SIGWINCH, SIGCONT], on: queue) { [self] in hear($0) }
    ears.withLock { $0 = Ears(reader: reader, listener: listener) }
    // Last, so that nothing ends the process before somebody gives the terminal back.
    show()
    reader.resume()
  }

  /// Gives the terminal back as it was: its screen, its cursor, its way of taking keys. Nothing happens the second
  /// time.
  public func leave() {
    let ears = ears.withLock { swap(&$0, to: nil) }
    ears?.reader.cancel()
    hide()
    if let ears {
      ears.listener.cancel()
      signal(SIGTTOU, SIG_DFL)
    }
    event.finish()
  }

  /// Gives the terminal back, stops the process until it is continued, and takes the terminal again.
  public func suspend() {
    hide()
    kill(0, SIGTSTP)
    // SIGCONT shows the screen again. Where nobody could continue it, the system lets it go on.
    queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in hear(SIGCONT) }
  }

  /// Writes codes. That nobody sees them any more is heard of as ``Event/lost``.
  public func write(_ codes: String) {
    do { try output.write(Array(codes.utf8)) } catch { event.yield(.lost) }
  }

  private static func isInForeground(of terminal: Int32) -> Bool {
    // Of a terminal that isn't the controlling one nobody is in the background.
    func isInForeground() -> Bool { [getpgrp(), -1].contains(tcgetpgrp(terminal)) }
    if isInForeground() { return true }
    kill(getpid(), SIGTTOU)
    // Which thread takes the signal is the system's choice, so that it may take a moment.
    for _ in 0..<20 where !isInForeground() { usleep(10_000) }
    return isInForeground()
  }

  private func show() {
    guard state.withLock({ swap(&$0.isEntered, to: true) }) == false else { return }
    cooked.raw.set(on: input)
    // The other screen, no cursor, pastes as one.
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h")
  }

  private func hide() {
    guard state.withLock({ swap(&$0.isEntered, to: false) }) else { return }
    do {
      try output.write(Array("\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l".utf8))
    } catch {
      // There is no terminal to give back.
    }
    cooked.set(on: input)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { systemRead(input, $0.baseAddress, $0.count) }
    guard count > 0 else {
      if count < 0, [EINTR, EAGAIN].contains(errno) { return }
      ears.withLock { $0 }?.reader.cancel()
      event.yield(.lost)
      return
    }
    let (keys, reads, isWaiting) = state.withLock { state in
      state.reads += 1
      return (state.decoder.feed(buffer.prefix(count)), state.reads, state.decoder.isWaiting)
    }
    for key in keys { event.yield(.key(key)) }
    guard isWaiting else { return }
    queue.asyncAfter(deadline: .now() + FullScreen.escapeTime) { [self] in
      let keys = state.withLock { $0.reads == reads ? $0.decoder.flush() : [] }
      for key in keys { event.yield(.key(key)) }
    }
  }

  private func hear(_ number: Int32) {
    switch number {
    case SIGWINCH: event.yield(.resized)
    case SIGCONT:
      guard ears.withLock({ $0 }) != nil else { return }
      show()
      event.yield(.resized)
    default:
      // Whoever asks a second time isn't made to wait for work that hangs.
      if state.withLock({ swap(&$0.isAsked, to: true) }) {
        hide()
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      event.yield(.asked(signal: number))
    }
  }
}

/// What tells a screen of keys and signals.
///
/// proof: libdispatch lets a source be resumed and cancelled from any thread, and nothing else is done with it here.
private struct Ears: @unchecked Sendable {
  let reader: any DispatchSourceRead
  let listener: SignalListener
}

/// Puts a value in another's place and gives what was there.
private func swap<Value>(_ place: inout Value, to value: Value) -> Value {
  defer { place = value }
  return place
}

/// `read(2)`, which the method of the same name hides.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
