/// How the members of a list are stored: in the side table each as a value, in the row all as one JSON array.
struct MemberShape: Sendable, Equatable {
  let storage: ColumnShape.Storage
  let isOptional: Bool

  init(_ shape: ColumnShape) {
    storage = shape.storage
    isOptional = shape.isOptional
  }
}

extension MemberShape {
  /// The JSON array of these members. Bytes are written as hexadecimal digits; an infinity as a number that is
  /// beyond what a Double holds.
  static func json(of members: [StoredValue]) -> String {
    JSONTree.list(
      members.map { member in
        switch member {
        case .null: .null
        case .integer(let value): .number(String(value))
        case .real(let value): .number(value.isInfinite ? (value < 0 ? "-1e999" : "1e999") : "\(value)")
        case .text(let value): .text(value)
        case .blob(let bytes): .text(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
      }
    ).canonical
  }

  /// The members of a JSON array; nil where the text isn't one of members of this shape.
  func members(in json: String) -> [StoredValue]? {
    guard case .list(let trees) = JSONTree(parsing: json) else { return nil }
    var members: [StoredValue] = []
    for tree in trees {
      guard let member = member(tree) else { return nil }
      members.append(member)
    }
    return members
  }

  private func member(_ tree: JSONTree) -> StoredValue? {
    switch (tree, storage) {
    case (.null, _): isOptional ? .null : nil
    case (.number(let digits), .integer): Int64(digits).map { .integer($0) }
    case (.number(let digits), .real): Double(digits).map { .real($0) }
    case (.text(let value), .text): .text(value)
    case (.text(let digits), .blob): [UInt8](hexDigits: digits).map { .blob($0) }
    default: nil
    }
  }
}

extension [UInt8] {
  fileprivate init?(hexDigits text: String) {
    let digits = text.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    self = bytes
  }
}
