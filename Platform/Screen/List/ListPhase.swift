/// What a list shows.
///
///     skeleton ──▶ content ◀─▶ empty
///        ▲ │ └───────────────────▲
///        │ ├──▶ failure ──▶ content
///        │ └──▶ cancelled ─▶ content
///        └── retry, of failure and cancelled only
///
/// The steps are functions of the phases: there is none from content or empty to a skeleton, so a list that has
/// shown what it holds can't show one again (trap V2), and none out of a skeleton before its minimum is over but
/// the one that a person asks for.
public enum ListPhase<Row: Identifiable & Equatable & Sendable>: Sendable where Row.ID: Sendable {
  case skeleton(Skeleton)
  /// There are rows.
  case content(ListRows<Row>)
  /// Loading is over, and there are none.
  case empty
  /// Loading failed before there were rows.
  case failure(Failure)
  /// Loading was cancelled before there were rows.
  case cancelled(Cancelled)

  /// The first phase of every list.
  static func start(at now: Duration, minimum: Duration) -> ListPhase {
    .skeleton(Skeleton(number: 1, since: now, minimum: minimum))
  }

  /// The rows to show: those of the content, and none in any other phase.
  public var rows: ListRows<Row> {
    if case .content(let rows) = self { rows } else { ListRows() }
  }

  /// The phase of a list that is past its skeleton, with these rows.
  func showing(_ rows: ListRows<Row>) -> ListPhase {
    switch self {
    case .skeleton: self
    case .content, .empty: rows.isEmpty ? .empty : .content(rows)
    case .failure, .cancelled: rows.isEmpty ? self : .content(rows)
    }
  }
}

/// The grey bars: something is being loaded, and nothing is known yet.
public struct Skeleton: Sendable {
  /// Counts the skeletons of a list from 1; there is a second one only after a retry.
  public let number: Int
  let since: Duration
  let minimum: Duration

  fileprivate init(number: Int, since: Duration, minimum: Duration) {
    self.number = number
    self.since = since
    self.minimum = minimum
  }

  /// What is known of the list once its skeleton can go.
  enum Verdict<Row: Identifiable & Equatable & Sendable> where Row.ID: Sendable {
    case content(ListRows<Row>)
    case empty
    case failure(any Error)
    case cancelled
  }

  /// The way out for everything that happens by itself; nil while the skeleton has to stay.
  func exit(at now: Duration) -> Exit? { now >= since + minimum ? Exit(skeleton: self) : nil }

  /// The way out for a person, who needn't wait.
  func exitForPerson() -> Exit { Exit(skeleton: self) }

  struct Exit {
    fileprivate let skeleton: Skeleton

    func phase<Row>(_ verdict: Verdict<Row>) -> ListPhase<Row> {
      switch verdict {
      case .content(let rows): .content(rows)
      case .empty: .empty
      case .failure(let error): .failure(Failure(error: error, skeleton: skeleton))
      case .cancelled: .cancelled(Cancelled(skeleton: skeleton))
      }
    }
  }

  fileprivate func again(at now: Duration) -> Skeleton {
    Skeleton(number: number + 1, since: now, minimum: minimum)
  }
}

/// Loading failed before there were rows.
public struct Failure: Sendable {
  /// What the sequence of snapshots or the loading threw.
  public let error: any Error
  fileprivate let skeleton: Skeleton

  func retry(at now: Duration) -> Skeleton { skeleton.again(at: now) }
}

/// Loading was cancelled before there were rows.
public struct Cancelled: Sendable {
  fileprivate let skeleton: Skeleton

  func retry(at now: Duration) -> Skeleton { skeleton.again(at: now) }
}
