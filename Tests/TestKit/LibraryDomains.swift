import Dispatch
import FerryKernel
import FerryStore

/// A small world for tests that need no real domain: shelves with books on them, notes that nobody else has,
/// and a diary that comes last.
public enum Library {
  /// What `book` prefers of two books with one key.
  public enum Preference: Sendable { case latest, higherRow }

  /// - Parameter preference: how duplicates of a book are settled.
  public static func domains(
    preferring preference: Preference = .latest, queue: DispatchQueue? = DispatchQueue(label: "library.diary")
  ) -> [Domain] {
    [shelf, book(preferring: preference), diary(queue: queue)]
  }

  public static let shelf = Domain(
    "shelf", "Where books stand", tables: [Shelf.table.declaration],
    crossings: [
      Crossing("shelf", Shelf.self, fields: LegacyField<ShelfID>("id"), LegacyField<String>("name")) {
        id, name in
        Shelf(id: id, name: name)
      }
    ],
    feeds: [
      Feed("shelves", of: Shelf.self) { shelf in
        ["name": .string(shelf.name)]
      } decode: { id, record in
        Shelf(id: id, name: try record.text("name"))
      }
    ])

  public static func book(preferring preference: Preference = .latest) -> Domain {
    let latest: @Sendable (Book) -> Timestamp = { $0.changedAt }
    return Domain(
      "book", "What stands on shelves, and notes about it", dependsOn: ["shelf"],
      tables: [Book.table.declaration, Note.table.declaration],
      crossings: [
        Crossing(
          "book", Book.self,
          fields: LegacyField<BookID>("id"), LegacyField<String>("title"),
          LegacyField<Timestamp>("changed-at"),
          LegacyField<Bool?>("is-unsent"),
          latest: preference == .latest ? latest : nil
        ) { id, title, changedAt, _ in
          Book(id: id, title: title, changedAt: changedAt)
        },
        Crossing("note", Note.self, fields: LegacyField<NoteID>("id"), LegacyField<String>("text")) {
          id, text in
          Note(id: id, text: text)
        },
      ],
      feeds: [
        Feed("books", of: Book.self) { book in
          ["title": .string(book.title), "changedAt": .integer(book.changedAt.nanoseconds)]
        } decode: { id, record in
          Book(
            id: id, title: try record.text("title"),
            changedAt: Timestamp(nanoseconds: try record.integer("changedAt")))
        }
      ])
  }

  public static func diary(queue: DispatchQueue?) -> Domain {
    Domain(
      "diary", "What happened here", tables: [DiaryLine.table.declaration],
      crossings: [
        Crossing(
          device: "line", DiaryLine.self, fields: LegacyField<LegacyKey>("id"), LegacyField<String>("text")
        ) { account, key, text in
          guard let id = Identifier<DiaryLine>("\(account)/\(key.identifier)") else {
            throw RowRefusal("no id")
          }
          return DiaryLine(id: id, text: text)
        }
      ],
      isLast: true, queue: queue)
  }

  /// Everything from the server but what it can't have; the diary as it is.
  public static let roadmap = "version: 1\ndomains:\n" + shelfStep + bookStep + diaryStep

  public static let shelfStep = """
      - domain: shelf
        core: true
        strategy: resync
        legacy:
          shelf: {class: ShelfRow, fields: {id: id, name: name}}

    """

  public static let bookStep = """
      - domain: book
        strategy: resync
        legacy:
          book:
            class: BookRow
            preserve: {where: {is-unsent: true}}
            fields: {id: id, title: title, changed-at: changed, is-unsent: unsent}
          note: {class: NoteRow, preserve: all, fields: {id: id, text: text}}

    """

  public static let diaryStep = """
      - domain: diary
        strategy: copy
        legacy:
          line: {class: LineRow, fields: {id: id, text: text}}

    """

  /// The books copied as they are.
  public static let copiedBookStep = bookStep.replacing("resync", with: "copy")
    .replacing("        preserve: {where: {is-unsent: true}}\n", with: "").replacing(
      "preserve: all, ", with: "")
}

public struct Shelf: Record, Equatable {
  public typealias Key = ShelfID
  public let id: ShelfID
  public var name: String

  public init(id: ShelfID, name: String) { (self.id, self.name) = (id, name) }

  public static let table = Table<Shelf>(
    "shelf", key: \.id, tracking: .all, columns: Column("id", \.id), Column("name", \.name),
    make: Shelf.init(id:name:))
}

public typealias ShelfID = Identifier<Shelf>

public struct Book: Record, Equatable {
  public typealias Key = BookID
  public let id: BookID
  public var title: String
  public var changedAt: Timestamp

  public init(id: BookID, title: String, changedAt: Timestamp) {
    (self.id, self.title, self.changedAt) = (id, title, changedAt)
  }

  public static let table = Table<Book>(
    "book", key: \.id, tracking: .all,
    columns: Column("id", \.id), Column("title", \.title), Column("changed_at", \.changedAt),
    make: Book.init(id:title:changedAt:))
}

public typealias BookID = Identifier<Book>

/// Never leaves the device.
public struct Note: Record, Equatable {
  public typealias Key = NoteID
  public let id: NoteID
  public var text: String

  public init(id: NoteID, text: String) { (self.id, self.text) = (id, text) }

  public static let table = Table<Note>(
    "note", key: \.id, columns: Column("id", \.id), Column("text", \.text), make: Note.init(id:text:))
}

public typealias NoteID = Identifier<Note>

/// Of the device, not of an account.
public struct DiaryLine: Record, Equatable {
  public typealias Scope = DeviceScope
  public typealias Key = Identifier<DiaryLine>
  public let id: Identifier<DiaryLine>
  public var text: String

  public init(id: Identifier<DiaryLine>, text: String) { (self.id, self.text) = (id, text) }

  public static let table = Table<DiaryLine>(
    "diary_line", key: \.id, columns: Column("id", \.id), Column("text", \.text),
    make: DiaryLine.init(id:text:))
}
