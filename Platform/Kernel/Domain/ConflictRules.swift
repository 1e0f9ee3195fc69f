/// How a field is settled that was changed on both sides to different values.
public enum ConflictRule: Sendable, Equatable {
  /// The server's value, which others have seen already.
  case serverWins
  /// This device's value.
  case clientWins
  /// The value of the side whose member of this name is larger (a number, or a text by its bytes); the server's
  /// where they are equal or can't be compared.
  case latest(by: String)
  /// Of two lists what either side added, without what either removed: the server's order first.
  case union
  /// The record of the server stays under its id, and this device's becomes a record of its own under another.
  case keepBoth
}

/// How a deletion on one side and a change on the other are settled.
public enum DeletionRule: Sendable, Equatable {
  /// The changed record stays, and comes back where it was deleted.
  case editWins
  /// The record goes on both sides.
  case deletionWins
}

/// How the conflicts of a feed's records are settled: field by field, since two people who changed two fields of one
/// record are in no conflict at all.
///
///     ConflictRules(.latest(by: "updatedAt"), fields: ["tags": .union])
public struct ConflictRules: Sendable {
  /// What becomes of a record that one side deleted and the other changed.
  public let deletion: DeletionRule
  private let others: ConflictRule
  private let fields: [(name: String, rule: ConflictRule)]

  /// - Parameters:
  ///   - others: for every field that isn't named.
  ///   - fields: by the members' names.
  public init(
    _ others: ConflictRule = .serverWins, fields: KeyValuePairs<String, ConflictRule> = [:],
    deletion: DeletionRule = .editWins
  ) {
    (self.others, self.deletion) = (others, deletion)
    self.fields = fields.map { (name: $0.key, rule: $0.value) }
  }

  /// The rule of a field.
  public func rule(of name: String) -> ConflictRule {
    fields.first { $0.name.hasSameBytes(as: name) }?.rule ?? others
  }
}
