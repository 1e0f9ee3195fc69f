import FerryStore

extension Plan {
  /// Where an entity's rows come from, and what is made of their values.
  public struct Entity: Sendable {
    public let crossing: Crossing
    public let className: String
    /// The properties to read, each once: those of the fields, then those that only conditions look at.
    public let properties: [String]
    /// For each field of the crossing.
    let fields: [FieldSource]
    let preserve: Preservation
    let pendingDeletes: [Comparison]
    let mapping: LegacyMapping
    /// Whether the fields are the properties, one by one.
    fileprivate let isStraight: Bool

    init(
      crossing: Crossing, className: String, properties: [String], fields: [FieldSource],
      preserve: Preservation, pendingDeletes: [Comparison], mapping: LegacyMapping
    ) {
      (self.crossing, self.className, self.properties) = (crossing, className, properties)
      (self.fields, self.preserve, self.pendingDeletes) = (fields, preserve, pendingDeletes)
      self.mapping = mapping
      isStraight =
        fields.count == properties.count
        && fields.enumerated().allSatisfy { index, field in
          if case .property(index, .none, nil) = field { true } else { false }
        }
    }
  }

  /// Where a field's value comes from.
  enum FieldSource: Sendable {
    /// The mapping leaves it out.
    case absent
    case constant(LegacyValue)
    /// A place in `properties`.
    case property(Int, ValueConversion, fallback: LegacyValue?)
  }

  /// Which rows cross whatever the strategy.
  enum Preservation: Sendable {
    case none, all
    /// Any is enough.
    case matching([Comparison])
  }

  /// A condition, by places.
  enum Comparison: Sendable {
    case field(Int, LegacyValue)
    case property(Int, LegacyValue)
  }
}

/// A legacy row as its crossing sees it.
struct MappedRow {
  /// What is to become of it.
  enum Fate: Sendable {
    /// The strategy has it.
    case plain
    /// It is carried whatever the strategy, because this device alone has it.
    case preserved
    /// No record is made of it; its deletion waits to be pushed.
    case deleted
  }

  /// The values in the order of the crossing's fields.
  let row: LegacyRow
  let fate: Fate
}

extension Plan.Entity {
  /// Converts the values of a row that has those of `properties`.
  func mapped(_ row: LegacyRow) -> MappedRow {
    if isStraight { return MappedRow(row: row, fate: fate(row.values, row.values)) }
    let values = fields.map { field -> LegacyValue in
      switch field {
      case .absent: .null
      case .constant(let value): value
      case .property(let index, .none, nil): row.values[index]
      case .property(let index, let conversion, let fallback):
        if case .null = row.values[index] {
          fallback ?? .null
        } else {
          conversion.value(of: row.values[index])
        }
      }
    }
    return MappedRow(
      row: LegacyRow(position: row.position, values: values, refusal: row.refusal),
      fate: fate(row.values, values))
  }

  private func fate(_ properties: [LegacyValue], _ fields: [LegacyValue]) -> MappedRow.Fate {
    func holds(_ comparison: Plan.Comparison) -> Bool {
      switch comparison {
      case .field(let index, let value): fields[index].isSame(as: value)
      case .property(let index, let value): properties[index].isSame(as: value)
      }
    }
    if pendingDeletes.contains(where: holds) { return .deleted }
    switch preserve {
    case .none: return .plain
    case .all: return .preserved
    case .matching(let comparisons): return comparisons.contains(where: holds) ? .preserved : .plain
    }
  }

  /// Whether the rows that it preserves were never sent, and so must be pushed.
  var preservesUnsent: Bool { crossing.table.isTracked }
}

extension LegacyValue {
  /// Equality with a value that a mapping wrote, where a whole number is also that number.
  fileprivate func isSame(as other: LegacyValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left == right
    case (.flag(let left), .flag(let right)): left == right
    case (.null, .null): true
    case (.number(let left), .integer(let right)): left == Double(right)
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    default: self == other
    }
  }
}
