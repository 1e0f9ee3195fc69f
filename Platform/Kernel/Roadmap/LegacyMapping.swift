/// Where the rows of one entity come from: a class of the legacy file and its properties.
public struct LegacyMapping: Sendable, Equatable {
  /// A canonical field and where its value comes from.
  public struct Field: Sendable, Equatable {
    /// The field's name in the domain's crossing.
    public let canonical: Located<String>
    /// Where its value comes from.
    public let origin: FieldOrigin

    /// The property's name in the legacy file; nil for a constant.
    public var property: Located<String>? { origin.property }

    /// Joins a field to its property.
    public init(canonical: Located<String>, property: Located<String>) {
      self.init(canonical: canonical, origin: FieldOrigin(property))
    }

    /// Joins a field to where its value comes from.
    public init(canonical: Located<String>, origin: FieldOrigin) {
      self.canonical = canonical
      self.origin = origin
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
  /// Rows that a person has deleted and whose server hasn't heard of it: no record is made of them, and the
  /// deletion waits to be pushed. Any of the conditions is enough; none: there are no such rows.
  public let pendingDeletes: [Condition]
  /// The property that names the user whose row it is; nil where all are the file's one account's.
  public let account: Located<String>?
  /// Where the mapping begins.
  public let position: SourcePosition

  /// Joins the parts of a mapping.
  public init(
    entity: Located<String>, className: Located<String>, fields: [Field], preserve: Preserve = .none,
    pendingDeletes: [Condition] = [], account: Located<String>? = nil, position: SourcePosition
  ) {
    self.entity = entity
    self.className = className
    self.fields = fields
    self.preserve = preserve
    self.pendingDeletes = pendingDeletes
    self.account = account
    self.position = position
  }
}

/// Which rows are carried although the strategy wouldn't: what exists on this device only.
public enum Preserve: Sendable, Equatable {
  /// None.
  case none
  /// All of them.
  case all
  /// Those for which any of the conditions holds.
  case matching([Condition])
}

/// Something that holds for a legacy row, or doesn't.
public struct Condition: Sendable, Equatable {
  /// What is compared.
  public enum Subject: Sendable, Equatable {
    /// A canonical field, as the crossing sees it.
    case field(Located<String>)
    /// A property of the class, as the file has it; it needn't be mapped.
    case property(Located<String>)
  }

  /// What is compared.
  public let subject: Subject
  /// What it must equal.
  public let value: Located<MappingValue>

  /// Joins what is compared to what it must equal.
  public init(_ subject: Subject, equals value: Located<MappingValue>) {
    (self.subject, self.value) = (subject, value)
  }

  /// The name of what is compared.
  public var name: Located<String> {
    switch subject {
    case .field(let name), .property(let name): name
    }
  }
}
