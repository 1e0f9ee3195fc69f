/// The world a tool talks to: data goes to ``out``, everything else to ``err``.
///
/// Copies share one lock, so lines written from several tasks never run into each other, and
/// a live progress line steps aside for whatever else is written.
public struct Terminal: Sendable {
  /// Standard output: data, and nothing but data.
  public private(set) var out: TerminalStream
  /// Standard error: progress, notes and errors.
  public private(set) var err: TerminalStream
  /// Whether a person could answer a question.
  public let inputIsTerminal: Bool

  private let input: @Sendable () -> String?
  private let liveLine = Locked("")

  init(
    out: TerminalStream, err: TerminalStream, inputIsTerminal: Bool,
    input: @escaping @Sendable () -> String?
  ) {
    self.out = out
    self.err = err
    self.inputIsTerminal = inputIsTerminal
    self.input = input
  }

  /// The process's own streams. Makes the process ignore SIGPIPE, so that a reader who leaves
  /// early is an ``OutputError/readerClosed`` and not a crash.
  public static func standard(environment: [String: String]) -> Terminal {
    ignoreBrokenPipeSignal()
    let (out, err) = (FileDescriptorSink(1), FileDescriptorSink(2))
    return Terminal(
      out: TerminalStream(out, isTerminal: out.isTerminal, environment: environment),
      err: TerminalStream(err, isTerminal: err.isTerminal, environment: environment),
      inputIsTerminal: isStandardInputTerminal(),
      input: { readLine() })
  }

  /// Streams that tests look into.
  ///
  /// - Parameters:
  ///   - out: where standard output goes.
  ///   - err: where standard error goes.
  ///   - outIsTerminal: whether standard output claims to be a terminal.
  ///   - errIsTerminal: whether standard error claims to be one.
  ///   - inputIsTerminal: whether standard input claims to be one.
  ///   - environment: what colour and width are decided by.
  ///   - answer: what the person types whenever asked; `nil` is the end of input.
  public static func captured(
    out: any OutputSink, err: any OutputSink, outIsTerminal: Bool = false, errIsTerminal: Bool = false,
    inputIsTerminal: Bool = false, environment: [String: String] = [:], answer: String? = nil
  ) -> Terminal {
    Terminal(
      out: TerminalStream(out, isTerminal: outIsTerminal, environment: environment),
      err: TerminalStream(err, isTerminal: errIsTerminal, environment: environment),
      inputIsTerminal: inputIsTerminal,
      input: { answer })
  }

  /// The same streams without colour and redrawing, as for `--no-color`.
  public func withoutEscapes() -> Terminal {
    var copy = self
    copy.out.allowsEscapes = false
    copy.err.allowsEscapes = false
    return copy
  }

  /// Writes a line of data to standard output.
  public func print(_ line: String) throws(OutputError) { try write(line + "\n") }

  /// Writes `text` to standard output as it is.
  public func write(_ text: String) throws(OutputError) {
    try liveLine.withLock { live throws(OutputError) in
      if out.isTerminal { erase(live) }
      try out.sink.write(Array(text.utf8))
      if out.isTerminal { draw(live) }
    }
  }

  /// Writes a line to standard error. That nobody can read it is no reason to stop working,
  /// so a failing write is let pass.
  public func note(_ line: String) {
    liveLine.withLock { live in
      erase(live)
      writeToError(line + "\n")
      draw(live)
    }
  }

  /// Replaces the live line at the bottom of standard error; empty takes it away. Only where
  /// ``TerminalStream/allowsEscapes`` is true for it.
  func showLive(_ line: String) {
    liveLine.withLock { live in
      guard line != live else { return }
      erase(live)
      live = line
      draw(live)
    }
  }

  /// Asks on standard error and reads a line; `nil` at the end of input.
  func ask(_ question: String) -> String? {
    showLive("")
    liveLine.withLock { _ in writeToError(question + " ") }
    return input()
  }

  private func erase(_ live: String) {
    if !live.isEmpty { writeToError("\r\u{1B}[2K") }
  }

  private func draw(_ live: String) {
    if !live.isEmpty { writeToError(live) }
  }

  private func writeToError(_ text: String) {
    do { try err.sink.write(Array(text.utf8)) } catch { return }
  }
}
