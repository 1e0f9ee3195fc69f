// What texts can be asked. They are compared by their UTF-8 bytes; `ignoringCase` first folds the case away.

extension QueryExpression where Value == String {
  /// Whether the bytes of `text` occur in the column's.
  public func contains(_ text: String) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .contains(node, text))
  }
  /// Whether the column's bytes begin with those of `text`.
  public func starts(with text: String) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .starts(node, text))
  }
  /// The text without regard to case: `Item.where { $0.title.ignoringCase.contains("été") }`.
  public var ignoringCase: CaselessText<R> { CaselessText(node: .folded(node)) }
}

// Only so that the compiler can say what to write.
extension QueryExpression where Value == String? {
  @available(*, unavailable, message: "Say what nil stands for: ($0.note ?? \"\").contains(…)")
  public func contains(_ text: String) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .contains(node, text))
  }
  @available(*, unavailable, message: "Say what nil stands for: ($0.note ?? \"\").starts(with: …)")
  public func starts(with text: String) -> QueryExpression<R, Bool> {
    QueryExpression<R, Bool>(node: .starts(node, text))
  }
  @available(*, unavailable, message: "Say what nil stands for: ($0.note ?? \"\").ignoringCase")
  public var ignoringCase: CaselessText<R> { CaselessText(node: .folded(node)) }
}

/// A text without regard to case: as Unicode maps letters to upper and lower case, scalar by scalar and in every
/// language alike. `É` is `é`, `ß` is `SS`, `Σ` is `ς`; `e` isn't `é`, and a letter that is composed with its
/// accent isn't one that is followed by it. No index serves it.
public struct CaselessText<R: Record>: Sendable {
  let node: Node

  /// Whether both are the same without regard to case.
  public static func == (left: CaselessText, right: String) -> QueryExpression<R, Bool> {
    QueryExpression(node: .equal(left.node, .literal(.text(CaseFolding.fold(right)))))
  }
  /// Whether they differ in more than case.
  public static func != (left: CaselessText, right: String) -> QueryExpression<R, Bool> {
    QueryExpression(node: .not(.equal(left.node, .literal(.text(CaseFolding.fold(right))))))
  }
  /// Whether `text` occurs in it, without regard to case.
  public func contains(_ text: String) -> QueryExpression<R, Bool> {
    QueryExpression(node: .contains(node, CaseFolding.fold(text)))
  }
  /// Whether it begins with `text`, without regard to case.
  public func starts(with text: String) -> QueryExpression<R, Bool> {
    QueryExpression(node: .starts(node, CaseFolding.fold(text)))
  }
  /// By the bytes of what is left without case.
  public var ascending: Order<R> { Order(node: node, isDescending: false) }
  /// The other way round.
  public var descending: Order<R> { Order(node: node, isDescending: true) }
}
