/// The name of a record of one kind: an opaque text, made once, never changed, compared by bytes.
///
/// There is no way to make one that stands for "not known yet": the placeholders that `Kind` declares, by
/// default `-1` and the empty text, are refused at construction (traps K1).
public struct Identifier<Kind: IdentifierKind>: Sendable, CustomStringConvertible {
  /// The text, as it is stored and sent.
  public let rawValue: String

  /// The identifier with this text; nil where the text is one of `Kind.placeholders`.
  @inlinable
  public init?(_ rawValue: String) {
    for placeholder in Kind.placeholders
    where placeholder.utf8.count == rawValue.utf8.count && placeholder.utf8.elementsEqual(rawValue.utf8) {
      return nil
    }
    self.rawValue = rawValue
  }

  /// A new identifier, unique without asking anybody: a random UUID in lower case.
  public static func make(using generator: inout some RandomNumberGenerator) -> Identifier {
    var (high, low) = (generator.next() as UInt64, generator.next() as UInt64)
    high = high & 0xffff_ffff_ffff_0fff | 0x4000  // RFC 9562, section 5.4: version 4
    low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000  // section 4.1: variant 10
    func hex(_ word: UInt64) -> String {
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    let digits = Array((hex(high) + hex(low)).unicodeScalars)
    var text = String.UnicodeScalarView()
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return Identifier(unchecked: String(text))
  }

  private init(unchecked rawValue: String) { self.rawValue = rawValue }

  /// The text.
  public var description: String { rawValue }
}

/// What an identifier names; usually the record type itself.
public protocol IdentifierKind: SendableMetatype {
  /// Texts that are no identifier of this kind.
  static var placeholders: [String] { get }
}

extension IdentifierKind {
  /// `-1` and the empty text.
  public static var placeholders: [String] { ["-1", ""] }
}

extension Identifier: Hashable {
  /// By their bytes.
  public static func == (left: Identifier, right: Identifier) -> Bool {
    left.rawValue.hasBytes(of: right.rawValue)
  }
  public func hash(into hasher: inout Hasher) {
    var copy = rawValue
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Identifier: ColumnValue {
  public static var shape: ColumnShape { ColumnShape(storage: .text, meaning: .identifier) }
  @inlinable
  public static func read(_ row: borrowing Row, _ index: Int32) throws(StoreError) -> Identifier {
    guard let value = Identifier(try String.read(row, index)) else {
      throw row.badValue(index, Identifier.self)
    }
    return value
  }
  @inlinable
  public func bind(_ binder: borrowing Binder, _ index: Int32) throws(StoreError) {
    try rawValue.bind(binder, index)
  }
  public var stored: StoredValue { .text(rawValue) }
}

extension Identifier: Comparable {
  /// By bytes, as the store orders them.
  public static func < (left: Identifier, right: Identifier) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
