import FerryKernel
import FerryStore
import TestKit

/// A record of the kinds that a domain has: a choice from elsewhere, a list, a number, a time.
struct Stamp: Record, Equatable {
  typealias Key = Identifier<Stamp>
  let id: Identifier<Stamp>
  var title: String
  var kind: StampKind
  var tags: [String]
  var price: Double?
  var madeAt: Timestamp

  static let table = Table<Stamp>(
    "stamp", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("title", \.title), Column("kind", \.kind),
    Column("tags", members: \.tags), Column("price", \.price), Column("made_at", \.madeAt),
    search: SearchIndex(\.title, \.tags),
    make: Stamp.init(id:title:kind:tags:price:madeAt:))
}

enum StampKind: OpenChoice {
  case plain, rare, unknown(String)

  init(rawValue: String) {
    self = rawValue == "plain" ? .plain : rawValue == "rare" ? .rare : .unknown(rawValue)
  }

  var rawValue: String {
    switch self {
    case .plain: "plain"
    case .rare: "rare"
    case .unknown(let raw): raw
    }
  }
}

/// A domain that keeps to every law, and what is wrong with it otherwise.
enum Stamps {
  static let crossing = Crossing(
    "stamp", Stamp.self,
    fields: LegacyField<Identifier<Stamp>>("id"), LegacyField<String>("title"), LegacyField<String>("kind"),
    LegacyField<Timestamp>("made-at"), latest: { $0.madeAt }
  ) { id, title, kind, madeAt in
    Stamp(id: id, title: title, kind: StampKind(rawValue: kind), tags: [], price: nil, madeAt: madeAt)
  }

  static func encode(_ stamp: Stamp) -> JSONObject {
    var record: JSONObject = [
      "title": .string(stamp.title), "kind": .string(stamp.kind.rawValue),
      "tags": .array(stamp.tags.map { .string($0) }), "madeAt": .integer(stamp.madeAt.nanoseconds),
    ]
    record["price"] = stamp.price.map { .number($0) }
    return record
  }

  static func decode(_ id: Identifier<Stamp>, _ record: JSONReader) throws -> Stamp {
    Stamp(
      id: id, title: try record.text("title"), kind: StampKind(rawValue: try record.text("kind")),
      tags: try record.items("tags").map { try $0.text() }, price: try record.ifPresent("price")?.number(),
      madeAt: Timestamp(nanoseconds: try record.integer("madeAt")))
  }

  static let feed = Feed("stamps", of: Stamp.self, encode: encode, decode: decode)

  static func domain(
    tables: [TableDeclaration] = [Stamp.table.declaration], crossing: Crossing = Stamps.crossing,
    feed: Feed? = Stamps.feed
  ) -> Domain {
    Domain(
      "stamp", "Stamps", tables: tables, crossings: [crossing], feeds: feed.map { [$0] } ?? [])
  }

  static let sound = domain()

  /// Its feed forgets a column.
  static let forgetful = domain(
    feed: Feed("stamps", of: Stamp.self) { stamp in
      var record = encode(stamp)
      record["price"] = nil
      return record
    } decode: { id, record in
      try decode(id, record)
    })

  /// Its feed turns a kind that it doesn't know into another one.
  static let presumptuous = domain(
    feed: Feed("stamps", of: Stamp.self, encode: encode) { id, record in
      var stamp = try decode(id, record)
      if case .unknown = stamp.kind { stamp.kind = .plain }
      return stamp
    })

  /// Its feed writes a revision of its own into each record that it pulls.
  static let restless = domain(
    feed: Feed("stamps", of: Stamp.self, encode: encode) { id, record in
      var stamp = try decode(id, record)
      stamp.madeAt = Timestamp(nanoseconds: stamp.madeAt.nanoseconds &+ 1)
      return stamp
    })

  /// It takes no kind but those that it knows.
  static let narrow = Domain(
    "narrow", "Stamps of two kinds", tables: [Narrow.table.declaration],
    crossings: [
      Crossing(
        "narrow", Narrow.self, fields: LegacyField<Identifier<Narrow>>("id"), LegacyField<String>("kind")
      ) { id, kind in
        Narrow(id: id, kind: Narrow.Kind(rawValue: kind) ?? .plain)
      }
    ])

  struct Narrow: Record {
    enum Kind: String, ColumnValue { case plain = "word1", rare = "word2" }
    typealias Key = Identifier<Narrow>
    let id: Identifier<Narrow>
    var kind: Kind

    static let table = Table<Narrow>(
      "narrow", key: \.id, columns: Column("id", \.id), Column("kind", \.kind), make: Narrow.init(id:kind:))
  }

  /// Its rows are the device's, under keys that two accounts share.
  static let communal = Domain(
    "communal", "Stamps of nobody", tables: [Communal.table.declaration],
    crossings: [
      Crossing(
        device: "communal", Communal.self, fields: LegacyField<Identifier<Communal>>("id"),
        LegacyField<String>("title")
      ) { _, id, title in
        Communal(id: id, title: title)
      }
    ])

  /// The same, and what crosses for one account overwrites what crossed for the other.
  struct Communal: Record {
    typealias Scope = DeviceScope
    typealias Key = Identifier<Communal>
    let id: Identifier<Communal>
    var title: String

    static let table = Table<Communal>(
      "communal", key: \.id, columns: Column("id", \.id), Column("title", \.title),
      make: Communal.init(id:title:))
  }

  /// It makes a new identity each time a row crosses.
  static let forgetfulOfKeys = domain(
    crossing: Crossing(
      "stamp", Stamp.self, fields: LegacyField<String>("title"), LegacyField<String>("kind")
    ) { title, kind in
      var random = SystemRandomNumberGenerator()
      return Stamp(
        id: .make(using: &random), title: title, kind: StampKind(rawValue: kind), tags: [], price: nil,
        madeAt: Timestamp(nanoseconds: 0))
    })

  /// It says that it wrote rows which it dropped.
  static let lying = Domain(
    "lying", "Stamps that are not there", tables: [Communal.table.declaration],
    crossings: [
      Crossing(
        device: "communal", Communal.self, fields: LegacyField<LegacyKey>("id"), LegacyField<String>("title")
      ) { account, key, title in
        guard let id = Identifier<Communal>("\(account)/\(key.identifier)") else { throw RowRefusal("no id") }
        return Communal(id: id, title: title)
      } append: { records, transaction in
        var counts = try transaction.upsert(Array(records.dropLast(3)))
        counts.inserted += min(records.count, 3)
        return counts
      }
    ])

  // MARK: - Writes

  static func stamp(_ id: String, _ title: String) -> Stamp? {
    Identifier<Stamp>(id).map {
      Stamp(id: $0, title: title, kind: .plain, tags: [], price: nil, madeAt: Timestamp(nanoseconds: 0))
    }
  }

  static func put(_ account: AccountStore, _ titles: [String]) async throws {
    let stamps = titles.compactMap { stamp($0, $0) }
    try await account.write { try $0.upsert(stamps) }
  }
}
