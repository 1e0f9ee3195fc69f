import TestKit

extension SoundRun {
  /// The operations of which the outcome may differ: every one but the pages within a transaction. Of those that
  /// don't end a phase, every tenth transaction's end.
  var points: [Int] {
    var points: Set<Int> = []
    var (commits, pages) = (0, 0)
    for (index, change) in changes.enumerated() {
      let number = index + 1
      switch change {
      case "write ferry.sqlite-wal": continue
      case "write ferry.sqlite":
        pages += 1
        if pages.isMultiple(of: 10) { points.insert(number) }
      case "commit ferry.sqlite-wal":
        commits += 1
        if commits.isMultiple(of: 10) { points.formUnion([number, number + 1]) }
      case "sync ferry.sqlite-wal":
        // The frame's two writes come before it.
        points.formUnion([number - 2, number - 1, number, number + 1])
      default: points.insert(number)
      }
    }
    return points.filter { 1...changes.count ~= $0 }.sorted()
  }

  /// Around the last syncs of the log, where the last phase ends, the gate opens and the spill is drained.
  var lastPoints: [Int] {
    let syncs = changes.indices.filter { changes[$0] == "sync ferry.sqlite-wal" }.suffix(4)
    return syncs.flatMap { [$0 - 1, $0, $0 + 1, $0 + 2] }.filter { 1...changes.count ~= $0 }
  }

  /// Some of the points: of each kind of operation as many as of another, but more of those that end a phase.
  func points(_ count: Int, _ random: inout SplitMix64) -> [Int] {
    var byKind = Dictionary(grouping: points) { kind(of: changes[$0 - 1]) }.sorted { $0.key < $1.key }.map {
      $0.value.shuffled(using: &random)
    }
    var found: [Int] = []
    while found.count < count, byKind.contains(where: { !$0.isEmpty }) {
      for index in byKind.indices {
        let endsPhases = byKind[index].first.map { changes[$0 - 1].hasSuffix("-wal") } ?? false
        found += byKind[index].suffix(endsPhases ? 4 : 1)
        byKind[index].removeLast(min(byKind[index].count, endsPhases ? 4 : 1))
      }
    }
    return found.shuffled(using: &random).prefix(count).sorted()
  }

  /// `write room-3.ndjson.tmp` is of the kind of `write room-4.ndjson.tmp`.
  private func kind(of change: String) -> String {
    change.replacing(/room-\d|log\.ndjson/, with: "room").replacing(/spill\..*/, with: "spill")
  }
}
