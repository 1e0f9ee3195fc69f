import FerryKernel
import FerryStore

/// A record with a field for each rule that a conflict can be settled by.
public struct Card: Record, Equatable {
  public typealias Key = CardID
  public let id: CardID
  /// The server wins.
  public var title: String
  /// This device wins.
  public var note: String?
  /// The later one wins, as `changedAt` says.
  public var rank: Int64
  public var changedAt: Timestamp
  /// United.
  public var tags: [String]
  /// Kept twice.
  public var body: String
  public var kind: CardKind
  /// Never travels.
  public var isLocal: Bool

  public init(
    id: CardID, title: String = "", note: String? = nil, rank: Int64 = 0,
    changedAt: Timestamp = Timestamp(nanoseconds: 0), tags: [String] = [], body: String = "",
    kind: CardKind = .plain, isLocal: Bool = false
  ) {
    (self.id, self.title, self.note, self.rank, self.changedAt) = (id, title, note, rank, changedAt)
    (self.tags, self.body, self.kind, self.isLocal) = (tags, body, kind, isLocal)
  }

  public static let table = Table<Card>(
    "card", key: \.id, tracking: .rows { !$0.isLocal },
    columns: Column("id", \.id), Column("title", \.title), Column("note", \.note), Column("rank", \.rank),
    Column("changed_at", \.changedAt), Column("tags", json: \.tags), Column("body", \.body),
    Column("kind", \.kind), Column("is_local", \.isLocal),
    make: Card.init(id:title:note:rank:changedAt:tags:body:kind:isLocal:))
}

public typealias CardID = Identifier<Card>

public enum CardKind: OpenChoice {
  case plain, lined
  case unknown(String)

  public init(rawValue: String) {
    switch rawValue {
    case "plain": self = .plain
    case "lined": self = .lined
    default: self = .unknown(rawValue)
    }
  }

  public var rawValue: String {
    switch self {
    case .plain: "plain"
    case .lined: "lined"
    case .unknown(let raw): raw
    }
  }
}

extension Domain {
  /// Cards that a server holds.
  public static let card = cards()

  /// - Parameter deletion: what becomes of a card that one side deleted and the other changed.
  public static func cards(deletion: DeletionRule = .editWins) -> Domain {
    Domain(
      "card", "Cards", tables: [Card.table.declaration],
      crossings: [
        Crossing("card", Card.self, fields: LegacyField<CardID>("id"), LegacyField<String>("title")) {
          id, title in Card(id: id, title: title)
        }
      ],
      feeds: [
        Feed(
          "cards", of: Card.self,
          conflicts: ConflictRules(
            .serverWins,
            fields: [
              "note": .clientWins, "rank": .latest(by: "changedAt"), "changedAt": .latest(by: "changedAt"),
              "tags": .union, "body": .keepBoth,
            ], deletion: deletion)
        ) { card in
          var record: JSONObject = [
            "title": .string(card.title), "rank": .integer(card.rank),
            "changedAt": .integer(card.changedAt.nanoseconds), "tags": .array(card.tags.map { .string($0) }),
            "body": .string(card.body), "kind": .string(card.kind.rawValue),
          ]
          record["note"] = card.note.map { .string($0) }
          return record
        } decode: { id, record in
          Card(
            id: id, title: try record.text("title"), note: try record.ifPresent("note")?.text(),
            rank: try record.integer("rank"),
            changedAt: Timestamp(nanoseconds: try record.integer("changedAt")),
            tags: try record.items("tags").map { try $0.text() }, body: try record.text("body"),
            kind: CardKind(rawValue: try record.text("kind")))
        }
      ])
  }
}
