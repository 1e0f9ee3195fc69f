/// Says what is attached, mounted and routed, when, as which instance and because of whom.
///
///     [attach] #3 inbox at 1.204 s, visit by App/Folders.swift:12
///
/// It is off by default, and then costs a look at one optional: what a line would say isn't even put together. Like
/// the room's other classes it belongs to whoever made it, and is called there.
public final class Trace {
  /// One line of the trace.
  public struct Event: Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable {
      /// A visit began: what follows is because of it.
      case attach
      /// A second wish for what is attached, or about to be, was dropped.
      case dropped
      case mount
      case unmount
      case detach
      case route
    }

    public let kind: Kind
    /// Counts what was attached from 1 on; nil where the line is about none.
    public let instance: Int?
    /// What it is about, for a person.
    public let subject: String
    /// Since the trace was made.
    public let time: Duration
    public let cause: Cause

    public var description: String {
      let milliseconds = Int(time / .milliseconds(1))
      let fraction = String(1000 + milliseconds % 1000).dropFirst()
      let number = instance.map { " #\($0)" } ?? ""
      return "[\(kind.rawValue)]\(number) \(subject) at \(milliseconds / 1000).\(fraction) s, \(cause)"
    }
  }

  private let sink: ((Event) -> Void)?
  private let whenBroken: ((BrokenVisit) -> Void)?
  private let elapsed: () -> Duration
  private var rule = OneVisitOneMount()

  /// A trace that says nothing.
  public static var off: Trace { Trace() }

  private init() { (sink, whenBroken, elapsed) = (nil, nil, { .zero }) }

  /// - Parameters:
  ///   - clock: what the times are measured by, from now on.
  ///   - whenBroken: hears of each visit that mounts more than once; ``stopWhenBroken`` is the switch for debugging.
  ///   - sink: gets every line.
  public init<C: Clock>(
    clock: C = ContinuousClock(), whenBroken: ((BrokenVisit) -> Void)? = nil, sink: @escaping (Event) -> Void
  ) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    self.whenBroken = whenBroken
    self.sink = sink
  }

  /// Stops a debug build at a visit that mounts more than once; does nothing in a release build.
  public static func stopWhenBroken(_ broken: BrokenVisit) { assertionFailure("\(broken)") }

  /// Adds a line. Neither subject nor cause is evaluated while the trace is off.
  public func note(
    _ kind: Event.Kind, _ instance: Int?, _ subject: @autoclosure () -> String,
    _ cause: @autoclosure () -> Cause
  ) {
    guard let sink else { return }
    let event = Event(
      kind: kind, instance: instance, subject: subject(), time: elapsed(), cause: cause())
    sink(event)
    if let broken = rule.hear(event) { whenBroken?(broken) }
  }
}
