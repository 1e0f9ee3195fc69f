/// How far a feed was pulled: `1796007401748`, with `~goal` where the feed itself is known to be further, and `!`
/// where nothing at or below that can appear any more.
///
/// Kinto on PostgreSQL gives a record its timestamp before it commits it, so a record can appear below one that was
/// pulled already. A pull therefore begins a while before its cursor.
struct KintoCursor: Equatable {
  /// The revision that the next page begins behind.
  var revision: Int64
  /// The highest revision that the feed was known to have. It is beyond `revision` while a pull goes through the
  /// while before its cursor again, and where the newest change was a deletion whose tombstone was purged.
  var goal: Int64
  /// Whether the server's clock was far enough beyond `goal` for every transaction to have ended: then, and only
  /// then, "nothing has changed since" is to be believed.
  var isSettled: Bool

  init(revision: Int64, goal: Int64, isSettled: Bool = false) {
    (self.revision, self.goal, self.isSettled) = (revision, goal, isSettled)
  }

  init?(_ text: String) {
    var rest = Substring(text)
    isSettled = rest.last == "!"
    if isSettled { rest.removeLast() }
    let parts = rest.split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count <= 2, let revision = Int64(parts[0]), revision >= 0 else { return nil }
    self.revision = revision
    goal = revision
    if parts.count == 2 {
      guard let further = Int64(parts[1]), further > revision else { return nil }
      goal = further
    }
  }

  var text: String {
    "\(revision)\(goal > revision ? "~\(goal)" : "")\(isSettled ? "!" : "")"
  }
}
