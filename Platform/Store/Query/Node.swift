/// The tree behind an expression.
indirect enum Node: Sendable {
  /// A column of a row, counted as the row's table declares them.
  case column(Source, Int)
  /// What is wrong with the expression; an error once the query is used.
  case fault(StoreError)
  case literal(StoredValue)
  /// Swift's `==`, also for nil: SQL's IS.
  case equal(Node, Node)
  case less(Node, Node, orEqual: Bool)
  /// Flat, however long: a chain as deep as it is long would be too much for SQLite's parser at a hundred terms,
  /// and for a thread's stack at some thousands.
  case all([Node])
  case any([Node])
  case not(Node)
  case isIn(Node, [StoredValue])
  /// The first, or the second where it is nil.
  case coalesce(Node, Node)
  /// A text with its case folded away, as `CaseFolding` does it.
  case folded(Node)
  case contains(Node, String)
  case starts(Node, String)
  /// Whether there is such a row of another table.
  case exists(SubSelect)
  /// Whether what the store keeps beside a row answers so.
  case beside(Source, BesideSelect)
  /// Whether both are the same value and neither is nil: how a reference meets a key. In SQL it may be NULL, so
  /// it stands nowhere but in a sub-select's condition, as a term of its outermost AND.
  case refers(Node, Node)
}

extension Node {
  func and(_ other: Node) -> Node {
    func terms(_ node: Node) -> [Node] { if case .all(let terms) = node { terms } else { [node] } }
    return .all(terms(self) + terms(other))
  }

  func or(_ other: Node) -> Node {
    func terms(_ node: Node) -> [Node] { if case .any(let terms) = node { terms } else { [node] } }
    return .any(terms(self) + terms(other))
  }
}

/// The row that a column is of.
enum Source: Sendable {
  /// The one that the query is about.
  case root
  /// The one that a reference leads to, or none.
  case joined(Join)
  /// One of those that a sub-select goes through.
  case related(RelatedRows)
}

/// A reference that is followed from a row to the one that it names.
final class Join: Sendable {
  let from: Source
  /// The column of `from` that is the reference.
  let column: Int
  let table: TableDeclaration
  /// Why there is no such reference; nil where there is.
  let fault: StoreError?

  init(from: Source, column: Int, table: TableDeclaration, fault: StoreError? = nil) {
    (self.from, self.column, self.table, self.fault) = (from, column, table, fault)
  }

  /// Whether both lead from the same row by the same reference: a query follows it once.
  func isSame(as other: Join) -> Bool {
    guard column == other.column, table.name == other.table.name else { return false }
    return switch (from, other.from) {
    case (.root, .root): true
    case (.joined(let left), .joined(let right)): left.isSame(as: right)
    case (.related(let left), .related(let right)): left === right
    default: false
    }
  }
}

/// The rows that a sub-select goes through, one at a time. It is a reference, so that a column is of these rows
/// and not of another sub-select's over the same table.
final class RelatedRows: Sendable {
  let table: TableDeclaration

  init(_ table: TableDeclaration) { self.table = table }
}

/// `EXISTS (SELECT 1 FROM … WHERE …)`.
struct SubSelect: Sendable {
  let rows: RelatedRows
  /// Over the columns of `rows` and of the rows outside, with what ties the two together.
  let condition: Node
}
