// What a terminal sends: UTF-8 for characters, C0 controls for keys held with Ctrl, and for the others the
// sequences of ECMA-48 as xterm has them, which every terminal in use sends.

/// Makes keys of the bytes that a terminal sends, however they are cut into pieces.
public struct KeyDecoder: Sendable {
  /// Longer sequences and pastes aren't kept.
  private static let longestSequence = 64
  static let longestPaste = 1 << 20

  private var buffer: [UInt8] = []
  private var pasted: [UInt8]?

  public init() {}

  /// Whether what has come so far may be the beginning of more: an Esc is a key by itself, and the first byte of
  /// an arrow's. Where nothing more comes within some 50 ms, say so with ``flush()``.
  public var isWaiting: Bool { !buffer.isEmpty && pasted == nil }

  /// Takes bytes and gives the keys that are whole.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    buffer += bytes
    var keys: [Key] = []
    while !buffer.isEmpty, let (key, length) = pasted == nil ? next() : paste() {
      buffer.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// Nothing more came: what was waited with is what it is.
  public mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    let isEscape = buffer[0] == 0x1B
    let rest = buffer.dropFirst()
    buffer = []
    return [isEscape ? .escape : .unknown] + (isEscape ? feed(Array(rest)) : [])
  }

  /// The key at the buffer's beginning, nil where it is none, and its length; nil as long as it isn't whole.
  private mutating func next() -> (Key?, Int)? {
    switch buffer[0] {
    case 0x1B: return escape()
    case 0x0D, 0x0A: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7F, 0x08: return (.backspace, 1)
    case 0x01...0x1A: return (.control(Character(Unicode.Scalar(buffer[0] + 0x60))), 1)
    case 0x00...0x1F: return (.unknown, 1)
    default: return character()
    }
  }

  private func character() -> (Key?, Int)? {
    let length =
      switch buffer[0] {
      case 0x20...0x7E: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard length > 0 else { return (.unknown, 1) }
    let bytes = buffer.prefix(length)
    guard bytes.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 }) else { return (.unknown, 1) }
    guard bytes.count == length else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes), let character = text.first, text.count == 1 else {
      return (.unknown, length)
    }
    let isControl = text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) }
    return (isControl ? .unknown : .text(character), length)
  }

  private mutating func escape() -> (Key?, Int)? {
    guard buffer.count > 1 else { return nil }
    switch buffer[1] {
    case UInt8(ascii: "["): return sequence()
    case UInt8(ascii: "O"):
      guard buffer.count > 2 else { return nil }
      return (KeyDecoder.named(buffer[2]) ?? .unknown, 3)
    default: return (.escape, 1)  // What follows is a key of its own.
    }
  }

  /// `ESC [`, parameters, a final byte (ECMA-48, section 5.4).
  private mutating func sequence() -> (Key?, Int)? {
    let body = buffer.dropFirst(2)
    guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return buffer.count > KeyDecoder.longestSequence ? (.unknown, buffer.count) : nil
    }
    // What isn't a final byte breaks the sequence off, and is a key of its own.
    guard (0x40...0x7E).contains(buffer[end]) else { return (.unknown, end) }
    let length = end + 1
    guard buffer[end] == UInt8(ascii: "~") else { return (KeyDecoder.named(buffer[end]) ?? .unknown, length) }
    let number = String(decoding: body[..<end].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    switch number {
    case "1", "7": return (.home, length)
    case "3": return (.delete, length)
    case "4", "8": return (.end, length)
    case "5": return (.pageUp, length)
    case "6": return (.pageDown, length)
    case "200":
      pasted = []
      return (nil, length)
    default: return (.unknown, length)
    }
  }

  private static func named(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "M"): .enter
    default: nil
    }
  }

  /// Takes what is pasted up to its end, which may come later.
  private mutating func paste() -> (Key?, Int)? {
    let end = Array("\u{1B}[201~".utf8)
    let start = buffer.indices.first { buffer[$0...].starts(with: end.prefix(buffer.count - $0)) }
    let text = buffer[..<(start ?? buffer.count)]
    let room = KeyDecoder.longestPaste - (pasted?.count ?? 0)
    pasted? += text.prefix(room)
    guard let start, buffer.count - start >= end.count else {
      buffer.removeFirst(text.count)
      return nil
    }
    let whole = String(decoding: pasted ?? [], as: UTF8.self)
    pasted = nil
    return (.paste(whole), start + end.count)
  }
}
