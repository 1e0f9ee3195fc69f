// From a row to another one: along a reference that its table declares, and back along one that the other's does.

extension RowColumns {
  /// The columns of the row that a reference leads to; nil in all of them where the reference is nil or leads to
  /// no row.
  ///
  ///     Item.where { $0.joined(Folder.self, by: \.folder).name == "Inbox" }
  ///
  /// - Parameter reference: a column declared with `to: Target.self`.
  public func joined<Target: Record>(
    _ target: Target.Type, by reference: any KeyPath<Subject, Target.Key> & Sendable
  ) -> JoinedColumns<Root, Target> where Target.Scope == Subject.Scope { join(reference) }

  /// The same along a reference that may be absent.
  public func joined<Target: Record>(
    _ target: Target.Type, by reference: any KeyPath<Subject, Target.Key?> & Sendable
  ) -> JoinedColumns<Root, Target> where Target.Scope == Subject.Scope { join(reference) }

  private func join<Target: Record>(_ reference: any PartialKeyPath<Subject> & Sendable)
    -> JoinedColumns<Root, Target>
  {
    JoinedColumns(row: RowReference(source: .joined(Join(row.source, Subject.self, reference, Target.self))))
  }

  /// Whether any record of another table refers to this one and meets the condition.
  ///
  ///     Folder.where { $0.has(Item.self, by: \.folder) { !$0.isRead } }
  ///
  /// - Parameter reference: a column of the other table, declared with `to:` this one.
  public func has<Related: Record>(
    _ related: Related.Type, by reference: any KeyPath<Related, Subject.Key> & Sendable,
    where condition: (RelatedColumns<Root, Related>) -> QueryExpression<Root, Bool>
  ) -> QueryExpression<Root, Bool> where Related.Scope == Subject.Scope {
    exists(reference) { condition($0) }
  }

  /// The same along a reference that may be absent.
  public func has<Related: Record>(
    _ related: Related.Type, by reference: any KeyPath<Related, Subject.Key?> & Sendable,
    where condition: (RelatedColumns<Root, Related>) -> QueryExpression<Root, Bool>
  ) -> QueryExpression<Root, Bool> where Related.Scope == Subject.Scope {
    exists(reference) { condition($0) }
  }

  /// Whether any record of another table refers to this one.
  public func has<Related: Record>(
    _ related: Related.Type, by reference: any KeyPath<Related, Subject.Key> & Sendable
  ) -> QueryExpression<Root, Bool> where Related.Scope == Subject.Scope { exists(reference) { _ in nil } }

  /// The same along a reference that may be absent.
  public func has<Related: Record>(
    _ related: Related.Type, by reference: any KeyPath<Related, Subject.Key?> & Sendable
  ) -> QueryExpression<Root, Bool> where Related.Scope == Subject.Scope { exists(reference) { _ in nil } }

  private func exists<Related: Record>(
    _ reference: any PartialKeyPath<Related> & Sendable,
    _ condition: (RelatedColumns<Root, Related>) -> QueryExpression<Root, Bool>?
  ) -> QueryExpression<Root, Bool> {
    let (table, target) = (Related.table, Subject.table.declaration)
    if let fault = table.fault(ofReference: reference, to: target) {
      return QueryExpression(node: .fault(fault))
    }
    let rows = RelatedRows(table.declaration)
    let columns = RelatedColumns<Root, Related>(row: RowReference(source: .related(rows)))
    let tie = Node.refers(
      table.column(reference, of: .related(rows)), .column(row.source, target.keyIndex))
    let all = condition(columns).map { tie.and($0.node) } ?? tie
    return QueryExpression(node: .exists(SubSelect(rows: rows, condition: all)))
  }
}

extension Join {
  convenience init<Subject: Record, Target: Record>(
    _ source: Source, _: Subject.Type, _ reference: any PartialKeyPath<Subject> & Sendable, _: Target.Type
  ) {
    let (table, target) = (Subject.table, Target.table.declaration)
    self.init(
      from: source, column: table.indexOf[ColumnPath(path: reference)] ?? 0, table: target,
      fault: table.fault(ofReference: reference, to: target))
  }
}

extension Table {
  /// Why a property is no reference to a table; nil where it is one.
  fileprivate func fault(ofReference path: any PartialKeyPath<R> & Sendable, to target: TableDeclaration)
    -> StoreError?
  {
    guard let index = indexOf[ColumnPath(path: path)] else {
      return .notAColumn(table: name, path: "\(path)")
    }
    let column = declaration.columns[index]
    guard column.references?.name == target.name else {
      return .notAReference(table: name, column: column.name, to: target.name)
    }
    return nil
  }
}
