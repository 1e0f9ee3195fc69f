/// The names of the tables, also where their number is damaged.
struct TableNames {
  /// What is wrong with the list of names.
  private(set) var damage: RealmFileError?
  private let names: ShortStrings
  private let trusted: Int

  /// Names for `count` tables. Elements beyond those that the node states are names too if they have the form of one.
  init(_ node: Node, count: Int, _ snapshot: Snapshot) throws(RealmFileError) {
    let stated = try ShortStrings(node, "the list of table names")
    trusted = min(stated.count, count)
    guard stated.count != count else {
      names = stated
      return
    }
    damage = node.damage("there are \(stated.count) table names for \(count) tables")
    guard stated.count < count, count * stated.width <= snapshot.end - node.ref - Node.headerSize else {
      names = stated
      return
    }
    try snapshot.image.require(node.ref, Node.headerSize + count * stated.width)
    names = ShortStrings(stated, count: count)
  }

  /// The name of the table in this slot; nil where it is lost.
  func name(_ slot: Int) -> String? {
    guard slot < names.count else { return nil }
    do throws(RealmFileError) {
      guard let bytes = try names.bytes(slot), !bytes.isEmpty else { return nil }
      let name = String(decoding: bytes, as: UTF8.self)
      let isPlausible = bytes.allSatisfy { $0 >= 0x20 } && !name.unicodeScalars.contains("\u{FFFD}")
      return slot < trusted || isPlausible ? name : nil
    } catch {
      return nil
    }
  }
}
