/// What becomes of a property's value before the domain's crossing sees it.
public enum Conversion: Sendable, Equatable {
  /// Nothing.
  case none
  /// Values that the map names become others; what it doesn't name stays as it is, so that a raw value which
  /// nobody knew lives on where the field can hold it, and else puts its row into quarantine.
  case map([Translation])
  /// A number of units since an epoch becomes a time.
  case time(TimeUnit)
  /// A link becomes the key of the row that it leads to.
  case key

  /// A value of the legacy file, as the map's key writes it, and the value it becomes.
  public struct Translation: Sendable, Equatable {
    /// A number in decimal digits, `true`, `false`, or a text.
    public let old: Located<String>
    /// What it becomes.
    public let new: Located<MappingValue>

    /// Joins a value to what it becomes.
    public init(old: Located<String>, new: Located<MappingValue>) { (self.old, self.new) = (old, new) }
  }

  /// How a legacy app counted time.
  public enum TimeUnit: String, Sendable, CaseIterable {
    /// Since 1970, as UNIX does.
    case seconds, milliseconds, microseconds
    /// Since 2001, as Apple's reference date does.
    case secondsSince2001 = "seconds-since-2001"
  }
}

/// Where a canonical field's value comes from.
public struct FieldOrigin: Sendable, Equatable {
  /// The property's name in the legacy file; nil where every row gets `constant`.
  public let property: Located<String>?
  /// What every row gets.
  public let constant: Located<MappingValue>?
  /// What becomes of the property's value.
  public let conversion: Conversion
  /// Where the conversion is said; the property where there is none.
  public let conversionPosition: SourcePosition
  /// What a row gets that has no value.
  public let fallback: Located<MappingValue>?

  /// The property's value as it is.
  public init(_ property: Located<String>) {
    self.init(property, .none, at: property.position)
  }

  /// The property's value, converted.
  public init(
    _ property: Located<String>, _ conversion: Conversion, at position: SourcePosition,
    fallback: Located<MappingValue>? = nil
  ) {
    (self.property, constant, self.conversion) = (property, nil, conversion)
    (conversionPosition, self.fallback) = (position, fallback)
  }

  /// The same value for every row.
  public init(constant: Located<MappingValue>) {
    (property, self.constant, conversion) = (nil, constant, .none)
    (conversionPosition, fallback) = (constant.position, nil)
  }
}
