/// One of a tool's two output streams, and what it can show.
public struct TerminalStream: Sendable {
  /// Whether a person is likely to be reading.
  public let isTerminal: Bool
  /// Whether colour and redrawing may be used.
  public internal(set) var allowsEscapes: Bool

  let sink: any OutputSink
  private let fallbackWidth: Int

  init(_ sink: any OutputSink, isTerminal: Bool, environment: [String: String]) {
    self.sink = sink
    self.isTerminal = isTerminal
    allowsEscapes = FerryConsole.allowsEscapes(isTerminal: isTerminal, environment: environment)
    fallbackWidth = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
  }

  /// The columns that fit a line, asked anew each time as windows change; `nil` when the
  /// stream is no terminal and lines may be of any length.
  public var width: Int? { isTerminal ? sink.columns ?? fallbackWidth : nil }
}
