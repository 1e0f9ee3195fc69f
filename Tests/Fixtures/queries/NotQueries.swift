// swift-format-ignore-file

// None of this is a query, and the compiler says so: what has no SQL form, what Swift wouldn't take either, what
// reaches into another scope. A test checks each line's diagnostic.
import FerryStore
import Foundation

func notConditions(_ since: Timestamp, _ words: [String], _ isWanted: Bool) {
  _ = Item.where { $0.title.lowercased() == "a" }  // expect: has no member 'lowercased'
  _ = Item.where { $0.title.hasPrefix("a") }  // expect: has no member 'hasPrefix'
  _ = Item.where { $0.title.count == 1 }  // expect: has no member 'count'
  _ = Item.where { $0.title.isEmpty }  // expect: has no member 'isEmpty'
  _ = Item.where { $0.title.contains { $0 == "a" } }  // expect: does not accept a closure
  _ = Item.where { $0.title.contains(/a+/) }  // expect: cannot convert value of type 'Regex<Substring>'
  _ = Item.where { $0.sender == "a" }  // expect: no dynamic member 'sender'
  _ = Item.where { $0.kind.rawValue == "primary" }  // expect: has no member 'rawValue'
  _ = Item.where { $0.size + 1 == 2 }  // expect: cannot convert value of type 'Bool'
  _ = Item.where { (1...).contains($0.size) }  // expect: cannot convert value of type 'Bool'
  _ = Item.where { item in words.contains { item.title == $0 } }  // expect: cannot convert value of type 'Bool'
  _ = Item.where { words.allSatisfy($0.title.contains) }  // expect: cannot convert value of type 'Bool'
  _ = Item.where { $0.isRead ? $0.title == "a" : $0.title == "b" }  // expect: to expected condition type 'Bool'
  _ = Item.where { if $0.isRead { return $0.title == "a" } else { return $0.title == "b" } }  // expect: to expected condition type 'Bool'
  _ = Item.where { $0.isRead && isWanted }  // expect: cannot convert value of type 'Bool'
  _ = Item.where { "a" == $0.title }  // expect: operator '==' cannot be applied
}

func notComparable(_ since: Timestamp) {
  _ = Item.where { $0.score > 0.5 }  // expect: cannot convert value of type
  _ = Item.where { $0.due < since }  // expect: cannot convert value of type
  _ = Item.where { $0.isRead < true }  // expect: cannot convert value of type 'Bool'
  _ = Item.where { $0.kind < .archived }  // expect: requires that 'Kind' conform to 'Comparable'
  _ = Item.where { $0.picture < Data() }  // expect: requires that 'Data' conform to 'Comparable'
  _ = Item.where { $0.isRead < $0.isRead }  // expect: conform to 'Comparable'
  _ = Item.where { $0.joined(Folder.self, by: \.folder).name < "a" }  // expect: cannot convert value of type 'Bool'
}

func notOptional() {
  _ = Item.where { $0.isStarred }  // expect: QueryExpression<Item, Bool?>
  _ = Item.where { !$0.isStarred }  // expect: QueryExpression<Item, Bool?>
  _ = Item.where { $0.preview.contains("a") }  // expect: Say what nil stands for
  _ = Item.where { $0.preview.starts(with: "a") }  // expect: Say what nil stands for
  _ = Item.where { $0.preview.ignoringCase == "a" }  // expect: Say what nil stands for
  _ = Item.where { $0.preview?.contains("a") == true }  // expect: cannot use optional chaining
  _ = Item.where { $0.score! == 0.5 }  // expect: cannot force unwrap
  _ = Item.where { $0.size == nil }  // expect: operator '==' cannot be applied
  _ = Item.where { $0.size ?? 0 == 1 }  // expect: to expected argument type 'QueryExpression<Item, Int?>'
}

func notOfOneType() {
  _ = Item.where { $0.size == "1" }  // expect: operator '==' cannot be applied
  _ = Item.where { $0.size == 1.5 }  // expect: operator '==' cannot be applied
  _ = Item.where { $0.kind == "primary" }  // expect: operator '==' cannot be applied
  _ = Item.where { $0.kind == .prmary }  // expect: member 'prmary' cannot be resolved
  _ = Item.where { $0.folder == $0.id }  // expect: Identifier<Folder>?>' and 'QueryExpression<Item, Item.Key>'
  _ = Item.where { ["a"].contains($0.size) }  // expect: cannot convert value of type 'String'
  _ = Item.where { $0.title && $0.isRead }  // expect: cannot convert value of type 'QueryExpression<Item, String>'
}

func notRelated(_ isNamed: QueryExpression<Folder, Bool>) {
  _ = Item.where { _ in isNamed }  // expect: QueryExpression<Folder, Bool>
  _ = Folder.where { $0.joined(Item.self, by: \.folder).title == "a" }  // expect: has no member 'folder'
  _ = Folder.where { $0.has(Item.self, by: \.title) }  // expect: no exact matches in call to instance method 'has'
  _ = Folder.where { $0.has(Setting.self, by: \.folder) }  // expect: 'DeviceScope') and 'AccountScope' be equivalent
  _ = Setting.all.with(Folder.self, by: \.folder)  // expect: 'DeviceScope') and 'AccountScope' be equivalent
}

func notReadable(_ snapshot: borrowing Snapshot<AccountScope>) throws {
  _ = Item.all.order { $0.title }  // expect: to closure result type 'Order<Item>'
  _ = try snapshot.fetch(Setting.all)  // expect: instance method 'fetch' requires the types 'AccountScope'
  _ = try snapshot.sum(Item.all) { $0.title }  // expect: generic parameter 'Value' could not be inferred
  _ = try snapshot.sum(Item.all) { $0.updatedAt }  // expect: requires that 'Timestamp' conform to 'Summable'
  _ = try snapshot.min(Item.all) { $0.isRead }  // expect:
  _ = Item.all.after("a")  // expect: to expected argument type 'Item'
}

struct Place: Codable {
  var street: String
}

struct Note: Record {
  typealias Key = Identifier<Note>
  let id: Key
  var tags: [String]
  var place: Place?
  var origin: Place

  static let table = Table<Note>(
    "note", key: \.id,
    columns: Column("id", \.id), Column("tags", members: \.tags), Column("place", json: \.place),
    Column("origin", json: \.origin), make: { Note(id: $0, tags: $1, place: $2, origin: $3) })
}

func notAskedOfListsAndJSON(_ place: Place) {
  _ = Note.where { $0.tags == ["a"] }  // expect: operator '==' cannot be applied
  _ = Note.where { $0.tags == nil }  // expect: cannot convert value of type 'Bool'
  _ = Note.where { $0.tags.contains(1) }  // expect: cannot convert value of type 'Int'
  _ = Note.where { $0.tags.count == 1 }  // expect: has no member 'count'
  _ = Note.where { $0.tags.contains { $0 == "a" } }  // expect: does not accept a closure
  _ = Note.where { $0.place == place }  // expect: requires that 'Place' conform to 'ColumnValue'
  _ = Note.where { $0.place.street == "a" }  // expect: has no member 'street'
  _ = Note.where { $0.origin == place }  // expect: requires that 'Place' conform to 'ColumnValue'
  _ = Note.where { $0.origin == nil }  // expect: requires that 'Place' conform to 'ColumnValue'
  _ = Note.all.order { $0.tags.ascending }  // expect: has no member 'ascending'
  _ = Note.all.order { $0.place.ascending }  // expect: has no member 'ascending'
}
