import FerryKernel
import FerryStore

/// A number as a type.
public protocol Numbered: Sendable { static var number: Int { get } }
public enum N0: Numbered { public static let number = 0 }
public enum N1: Numbered { public static let number = 1 }
public enum N2: Numbered { public static let number = 2 }
public enum N3: Numbered { public static let number = 3 }
public enum N4: Numbered { public static let number = 4 }
public enum N5: Numbered { public static let number = 5 }
public enum N6: Numbered { public static let number = 6 }

/// A record of the generated library, which has 42 tables of them: `Room` and `Place` only tell a table from
/// the others.
public struct Piece<Room: Numbered, Place: Numbered>: Record, Equatable {
  public typealias Key = Identifier<Piece>
  public let id: Identifier<Piece>
  public var name: String
  public var changedAt: Timestamp
  /// It may lead nowhere.
  public var owner: Identifier<Piece<Room, N0>>?

  public init(
    id: Identifier<Piece>, name: String, changedAt: Timestamp, owner: Identifier<Piece<Room, N0>>?
  ) {
    (self.id, self.name, self.changedAt, self.owner) = (id, name, changedAt, owner)
  }

  public static var table: Table<Piece> {
    PieceTables.table {
      Table(
        "piece_\(Room.number)_\(Place.number)", key: \.id, tracking: .all,
        columns: Column("id", \.id), Column("name", \.name), Column("changed_at", \.changedAt),
        Column("owner", \.owner, to: Piece<Room, N0>.self),
        make: Piece.init(id:name:changedAt:owner:))
    }
  }

  static var crossing: Crossing {
    let latest: @Sendable (Piece) -> Timestamp = { $0.changedAt }
    return Crossing(
      "piece-\(Room.number)-\(Place.number)", Piece.self,
      fields: LegacyField<Identifier<Piece>>("id"), LegacyField<String>("name"),
      LegacyField<Timestamp>("changed-at"), LegacyField<Identifier<Piece<Room, N0>>?>("owner"),
      LegacyField<Bool?>("is-unsent"),
      latest: Place.number.isMultiple(of: 2) ? latest : nil
    ) { id, name, changedAt, owner, _ in
      Piece(id: id, name: name, changedAt: changedAt, owner: owner)
    }
  }

  static var feed: Feed {
    Feed("pieces-\(Room.number)-\(Place.number)", of: Piece.self) { piece in
      ["name": .string(piece.name), "changedAt": .integer(piece.changedAt.nanoseconds)]
    } decode: { id, record in
      Piece(
        id: id, name: try record.text("name"),
        changedAt: Timestamp(nanoseconds: try record.integer("changedAt")),
        owner: try record.identifier("owner"))
    }
  }
}

/// A generic type can't keep a value of its own.
private enum PieceTables {
  private static let made = Locked<[ObjectIdentifier: any Sendable]>([:])

  static func table<R: Record>(make: () -> Table<R>) -> Table<R> {
    if let known = made.withLock({ $0[ObjectIdentifier(R.self)] }) as? Table<R> { return known }
    let table = make()
    made.withLock { $0[ObjectIdentifier(R.self)] = table }
    return table
  }
}

/// One of the six domains of the generated library.
struct PieceDomain {
  let number: Int
  let strategy: Strategy
  let dependsOn: [Int]

  static let places = 7

  var name: String { "room-\(number)" }

  private static let numbers: [any Numbered.Type] = [
    N0.self, N1.self, N2.self, N3.self, N4.self, N5.self, N6.self,
  ]

  var domain: Domain {
    let parts = PieceDomain.numbers.map { PieceDomain.parts(PieceDomain.numbers[number], $0) }
    return Domain(
      name, "Pieces of room \(number)", dependsOn: dependsOn.map { "room-\($0)" },
      tables: parts.map(\.table), crossings: parts.map(\.crossing),
      feeds: strategy == .resync ? parts.map(\.feed) : [])
  }

  /// How the roadmap has it.
  ///
  /// - Parameter name: the property that the pieces' names come from.
  func step(isCore: Bool, isEnabled: Bool, name: String) -> String {
    var text = "  - domain: \(self.name)\n    strategy: \(strategy)\n"
    if isCore { text += "    core: true\n" }
    if !isEnabled { text += "    enabled: false\n" }
    text += "    legacy:\n"
    for place in 0..<PieceDomain.places {
      let preserve = preserve(place).map { "preserve: \($0), " } ?? ""
      text += "      piece-\(number)-\(place): {class: Class\(number)x\(place), \(preserve)fields: "
      text += "{id: id, name: \(name), changed-at: changed, owner: owner, is-unsent: unsent}}\n"
    }
    return text
  }

  func preserve(_ place: Int) -> String? {
    guard strategy != .copy else { return nil }
    return switch place {
    case 0, 1, 2: "{where: {is-unsent: true}}"
    case 3: "all"
    default: nil
    }
  }

  private static func parts<Room: Numbered, Place: Numbered>(_: Room.Type, _: Place.Type)
    -> (table: TableDeclaration, crossing: Crossing, feed: Feed)
  {
    let piece = Piece<Room, Place>.self
    return (piece.table.declaration, piece.crossing, piece.feed)
  }
}
