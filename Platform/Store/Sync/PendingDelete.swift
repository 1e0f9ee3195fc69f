extension Transaction where Scope == AccountScope {
  /// Puts a deletion into the outbox that was made before the crossing and that no server has heard of, if the
  /// record is one that travels at all.
  ///
  /// - Parameter record: what the row was; it may be in the table no more.
  public func enqueueDeletion<R: Record>(of record: R) throws where R.Scope == AccountScope {
    try access.session.checkWrite(R.table.declaration)
    guard R.table.tracking.covers(record) else { return }
    try enqueueDelete(R.self, R.table.key(of: record))
  }
}
