import FerryKernel
import FerryStore
import FerrySync

/// A legacy library by chance: 42 classes over six domains, and a log. It has dirty flags, duplicates, orphans,
/// times beyond every range and rows that can't cross, for two accounts, and a server that has most of what was
/// left to it. Every name begins with its account's user.
public struct GeneratedLibrary: Sendable {
  public let seed: UInt64
  public let source: MemoryLegacySource
  /// What an earlier attempt read: other rows.
  public let earlierSource: MemoryLegacySource
  private let log: Domain
  private let changes: [Change]

  /// What the server was told, in order.
  private struct Change: Sendable {
    let feed: String
    let account: AccountID
    let id: String
    let content: JSONObject?
  }

  public static let accounts = [LibraryRows.alice, LibraryRows.bob]

  private static let rooms = [
    PieceDomain(number: 0, strategy: .copy, dependsOn: []),
    PieceDomain(number: 1, strategy: .resync, dependsOn: [0]),
    PieceDomain(number: 2, strategy: .resync, dependsOn: []),
    PieceDomain(number: 3, strategy: .discard, dependsOn: [1]),
    PieceDomain(number: 4, strategy: .copy, dependsOn: [2, 3]),
    PieceDomain(number: 5, strategy: .resync, dependsOn: [4]),
  ]

  /// - Parameter log: the domain that comes last, with an entity `log-entry` of `id`, `level`, `message`, `at`.
  public init(seed: UInt64, log: Domain) {
    self.seed = seed
    self.log = log
    var random = SplitMix64(seed: seed)
    // One class has more rows than a page.
    let large = (room: Int.random(in: 0..<6, using: &random), place: Int.random(in: 0..<7, using: &random))
    var classes: [(AccountID, [MemoryLegacySource.Class])] = []
    var earlier: [(AccountID, [MemoryLegacySource.Class])] = []
    var changes: [Change] = []
    for account in GeneratedLibrary.accounts {
      var found: [MemoryLegacySource.Class] = []
      var foundEarlier: [MemoryLegacySource.Class] = []
      for room in GeneratedLibrary.rooms {
        for place in 0..<PieceDomain.places {
          let isLarge = large == (room.number, place) && account == GeneratedLibrary.accounts.last
          let count = isLarge ? 540 : Int.random(in: 0...4, using: &random)
          let rows = GeneratedLibrary.rows(count, of: account, &random)
          let name = "Class\(room.number)x\(place)"
          found.append(.init(name, GeneratedLibrary.properties, rows))
          foundEarlier.append(
            .init(name, GeneratedLibrary.properties, GeneratedLibrary.rows(6, of: account, &random)))
          guard room.strategy == .resync else { continue }
          changes += GeneratedLibrary.answer(
            to: rows, "pieces-\(room.number)-\(place)", account, &random)
        }
      }
      let lines = (0..<Int64.random(in: 0...9, using: &random)).map { line -> [LegacyValue] in
        [.integer(line), .integer(line % 6), .text("line \(line)"), .time(seconds: line, nanoseconds: 1)]
      }
      found.append(.init("LogEntry", ["id", "level", "text", "at"], lines))
      foundEarlier.append(.init("LogEntry", ["id", "level", "text", "at"], []))
      classes.append((account, found))
      earlier.append((account, foundEarlier))
    }
    source = MemoryLegacySource(classes)
    var other = MemoryLegacySource(earlier)
    other.version = 1
    earlierSource = other
    self.changes = changes
  }

  /// The tables of the pieces.
  public var tables: [String] {
    GeneratedLibrary.rooms.flatMap { room in
      (0..<PieceDomain.places).map { "piece_\(room.number)_\($0)" }
    }
  }

  public var domains: [Domain] { GeneratedLibrary.rooms.map(\.domain) + [log] }

  /// The roadmap that the rows are for.
  ///
  /// - Parameters:
  ///   - enabled: how many of the six domains are on; the log always is.
  ///   - name: the property that the pieces' names come from.
  public func roadmap(enabled: Int = 6, name: String = "name") -> String {
    "version: 1\ndomains:\n"
      + GeneratedLibrary.rooms.map {
        $0.step(isCore: $0.number < 2, isEnabled: $0.number < enabled, name: name)
      }.joined() + """
          - domain: \(log.name)
            strategy: copy
            legacy:
              log-entry: {class: LogEntry, fields: {id: id, level: level, message: text, at: at}}

        """
  }

  /// The server, which is the same each time.
  public func remote() -> ScriptedRemote {
    let remote = ScriptedRemote(pageSize: 3)
    for change in changes {
      if let content = change.content {
        remote.put(change.feed, change.account, change.id, content)
      } else {
        remote.delete(change.feed, change.account, change.id)
      }
    }
    return remote
  }

  // MARK: By chance

  private static let properties = ["id", "name", "changed", "owner", "unsent", "comment"]

  private static func rows(_ count: Int, of account: AccountID, _ random: inout SplitMix64) -> [[LegacyValue]]
  {
    var rows: [[LegacyValue]] = []
    for index in 0..<count {
      if let other = rows.randomElement(using: &random), Int.random(in: 0..<5, using: &random) == 0 {
        // Another row with its key, the same or not.
        var twin = other
        if Bool.random(using: &random) { twin[1] = .text("\(account.user) twin \(index)") }
        if Bool.random(using: &random) { twin[2] = time(&random) }
        rows.append(twin)
        continue
      }
      let isRefused = Int.random(in: 0..<12, using: &random) == 0
      rows.append([
        .integer(isRefused ? -1 : Int64(index)),
        Int.random(in: 0..<15, using: &random) == 0 ? .null : .text("\(account.user) \(random.text())"),
        time(&random),
        // Half of them lead nowhere.
        random.perhaps { .integer(Int64.random(in: 0...9, using: &$0)) } ?? .null,
        .flag(Int.random(in: 0..<3, using: &random) == 0), .text("\(account.user) comment \(index)"),
      ])
    }
    return rows
  }

  private static func time(_ random: inout SplitMix64) -> LegacyValue {
    switch Int.random(in: 0..<6, using: &random) {
    // `Date.distantPast` and what lies before it.
    case 0: .time(seconds: -62_135_769_600, nanoseconds: 0)
    case 1: .time(seconds: .max / 2, nanoseconds: 999_999_999)
    default: .time(seconds: .random(in: -9...1_800_000_000, using: &random), nanoseconds: 7)
    }
  }

  private static func answer(
    to rows: [[LegacyValue]], _ feed: String, _ account: AccountID, _ random: inout SplitMix64
  ) -> [Change] {
    var changes: [Change] = []
    for case .integer(let number) in rows.map(\.first) where number >= 0 {
      let id = LegacyKey.integer(number).identifier
      let content: JSONObject = [
        "name": .string("\(account.user) \(random.text())"), "changedAt": .integer(random.integer()),
      ]
      switch Int.random(in: 0..<8, using: &random) {
      // The server never had it.
      case 0: continue
      case 1:
        changes.append(Change(feed: feed, account: account, id: id, content: content))
        changes.append(Change(feed: feed, account: account, id: id, content: nil))
      case 2: changes.append(Change(feed: feed, account: account, id: id, content: ["name": 7]))
      default: changes.append(Change(feed: feed, account: account, id: id, content: content))
      }
    }
    if Bool.random(using: &random) {
      let content: JSONObject = [
        "name": .string("\(account.user) from another device"), "changedAt": 5, "owner": "i99",
      ]
      changes.append(Change(feed: feed, account: account, id: "i1000", content: content))
    }
    return changes
  }
}
