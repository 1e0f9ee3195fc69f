/// Where the rows of one entity come from: a class of the legacy file and its properties.
public struct LegacyMapping: Sendable, Equatable {
  /// A canonical field and the property of the legacy class that holds it.
  public struct Field: Sendable, Equatable {
    /// The field's name in the domain's crossing.
    public let canonical: Located<String>
    /// The property's name in the legacy file.
    public let property: Located<String>

    /// Joins a field to its property.
    public init(canonical: Located<String>, property: Located<String>) {
      self.canonical = canonical
      self.property = property
    }
  }

  /// The entity's name in the domain's crossing.
  public let entity: Located<String>
  /// The class's name in the legacy file.
  public let className: Located<String>
  /// The fields in the order of the file, each once. Empty only where no row of the class is carried.
  public let fields: [Field]
  /// Which rows are carried although the strategy wouldn't.
  public let preserve: Preserve
  /// Where the mapping begins.
  public let position: SourcePosition

  /// Joins the parts of a mapping.
  public init(
    entity: Located<String>, className: Located<String>, fields: [Field], preserve: Preserve = .none,
    position: SourcePosition
  ) {
    self.entity = entity
    self.className = className
    self.fields = fields
    self.preserve = preserve
    self.position = position
  }
}

/// Which rows are carried although the strategy wouldn't: what exists on this device only.
public enum Preserve: Sendable, Equatable {
  /// None.
  case none
  /// All of them.
  case all
  /// Those whose canonical field equals the value.
  case matching(field: Located<String>, value: PreserveValue)
}

/// A value to compare a field with.
public enum PreserveValue: Sendable, Equatable {
  /// A whole number.
  case integer(Int64)
  /// `true` or `false`.
  case bool(Bool)
  /// Text.
  case text(String)
}
