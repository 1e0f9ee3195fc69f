extension RealmFile {
  /// Opens a damaged file for reading what is left of it.
  ///
  /// Tables are read one by one, their rows leaf by leaf. What contradicts the format is left out: a table, a run of
  /// rows, or the value of a cell, which then reads as null (see `RealmRow.isLost`). A table that has suffered in the
  /// active snapshot is taken from the one before, where more of its rows are left there. `salvageReport` counts
  /// what is missing.
  ///
  /// Only damage is overlooked. Throws what `init(path:)` throws for encrypted, unsupported and empty files and such
  /// as are no Realm files, and `damaged` or `halfUpgraded` where no table is left.
  public convenience init(salvaging path: String) throws(RealmFileError) {
    try self.init(salvaging: PlainFile(path: path))
  }

  /// Salvages a database whose plaintext comes from somewhere else, such as a decrypting layer.
  package convenience init(salvaging source: any ByteSource) throws(RealmFileError) {
    let candidates = try SalvageHeaders(source)
    let image = try ByteImage(source: source)
    var groups: [SalvagedGroup] = []
    var failure: RealmFileError?
    func take(_ header: Header, isActive: Bool) throws(RealmFileError) {
      let snapshot = Snapshot(
        image: image, header: header, isSalvaging: true, isOlder: !isActive)
      do throws(RealmFileError) {
        groups.append(try SalvagedGroup(snapshot))
      } catch {
        let explained = snapshot.explain(error)
        guard case .damaged = explained else { throw explained }
        failure = failure ?? explained
      }
    }
    for (header, isActive) in candidates.headers { try take(header, isActive: isActive) }
    if !groups.contains(where: \.hasTables) {
      for header in try candidates.searched(source) { try take(header, isActive: false) }
    }
    // The one with the most tables; the first of them, which is the latest.
    let most = groups.map(\.tableCount).max() ?? 0
    guard let main = groups.first(where: { $0.tableCount == most }),
      most > 0 || (main.entries.isEmpty && failure == nil)
    else {
      throw candidates.damage ?? groups.first?.halfUpgraded ?? failure
        ?? .damaged(what: "no table is left", offset: 0)
    }
    var (tables, lost): ([RealmTable], [SalvageReport.LostTable]) = ([], [])
    for entry in main.entries {
      switch try entry.better(others: groups.compactMap { $0.entry(slot: entry.slot) }) {
      case .success(let table): tables.append(table)
      case .failure(let cause): lost.append(.init(name: entry.name, cause: cause))
      }
    }
    self.init(
      tables: tables, losses: Losses(tables: lost, cause: candidates.damage ?? failure ?? main.damage),
      snapshot: main.snapshot)
  }

  /// Reads every cell of a file that was opened with `init(salvaging:)`, and counts what is lost.
  ///
  /// Takes as long as reading the whole file. For a file opened with `init(path:)` it throws the first damage.
  public func salvageReport() throws(RealmFileError) -> SalvageReport {
    var reports: [SalvageReport.Table] = []
    for table in tables { reports.append(try table.salvageReport()) }
    return SalvageReport(tables: reports, lostTables: losses.tables, cause: losses.cause)
  }
}

/// What is lost of a file apart from rows and cells.
struct Losses {
  var tables: [SalvageReport.LostTable] = []
  var cause: RealmFileError?
}

extension RealmTable {
  fileprivate func salvageReport() throws(RealmFileError) -> SalvageReport.Table {
    let rows = rows()
    let columnCount = columns.count
    var tally = LossTally()
    var (rowsRead, cellsRead) = (0, 0)
    while let row = try rows.next() {
      rowsRead += 1
      for column in 0..<columnCount {
        if let loss = try row.cluster.loss(column: column, row: row.index) {
          tally.add(loss)
        } else {
          cellsRead += 1
        }
      }
    }
    let lostCells = tally.count
    for cause in rows.losses.causes { tally.add(cause) }
    return SalvageReport.Table(
      name: name, statedRows: statedRowCount, rows: rowsRead, cells: cellsRead, lostCells: lostCells,
      lostColumns: unreadColumns.filter { $0.why == .damaged }.map(\.name),
      isFromOlderSnapshot: isFromOlderSnapshot, causes: tally.causes)
  }
}
