/// A visit mounted more than once: what a person sees as a list that jumps (trap V1).
public struct BrokenVisit: Sendable, CustomStringConvertible {
  /// What began the visit; nil where nothing did before the first mount.
  public let visit: Trace.Event?
  /// The mount that was right.
  public let first: Trace.Event
  /// The one too many.
  public let second: Trace.Event

  public var description: String {
    let visited = visit.map { "the visit of \($0.subject)" } ?? "a visit"
    return
      "\(visited) mounts more than once: #\(first.instance ?? 0) \(first.subject), \(first.cause), and then "
      + "#\(second.instance ?? 0) \(second.subject), \(second.cause)"
  }
}

/// The rule "one visit, one mount", told line by line. An unmount ends no visit; the next attach does.
struct OneVisitOneMount {
  private var visit: Trace.Event?
  private var mount: Trace.Event?

  mutating func hear(_ event: Trace.Event) -> BrokenVisit? {
    switch event.kind {
    case .attach: (visit, mount) = (event, nil)
    case .mount:
      guard let mount else {
        self.mount = event
        return nil
      }
      return BrokenVisit(visit: visit, first: mount, second: event)
    case .dropped, .unmount, .detach, .route: break
    }
    return nil
  }
}
