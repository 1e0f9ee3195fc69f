/// Changes a database file so that it may contradict the format, by its structure or byte by byte.
struct FuzzMutation {
  var bytes: [UInt8]
  private var generator: SeededGenerator
  /// Where nodes begin.
  private let nodes: [Int]

  /// A few changes to `original`, the same for the same seed.
  init(of original: [UInt8], seed: UInt64) {
    bytes = original
    generator = SeededGenerator(seed: seed)
    nodes = Self.nodes(original)
    guard bytes.count > 24 else { return }
    for _ in 0..<Int.random(in: 1...8, using: &generator) { change() }
    if chance(40) { resize() }
  }

  static func nodes(_ bytes: [UInt8]) -> [Int] {
    stride(from: 24, to: max(24, bytes.count - 16), by: 8).filter { place in
      bytes[place] == 0x41 && bytes[place + 1] == 0x41 && bytes[place + 2] == 0x41 && bytes[place + 3] == 0x41
    }
  }

  /// True once in `count` times.
  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }

  private mutating func change() {
    guard let node = nodes.randomElement(using: &generator) else { return flip(in: 0..<bytes.count) }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: flip(in: 0..<bytes.count)
    case 1: flip(in: 0..<24)
    case 2: header()
    case 3: flip(in: node + 4..<node + 8)
    case 4: size(of: node)
    case 5: bytes[node + 4] = UInt8.random(in: 0...255, using: &generator)
    case 6: copy(to: node)
    case 7: flip(in: node + 8..<min(node + 40, bytes.count))
    default: element(of: node)
    }
  }

  private mutating func flip(in range: Range<Int>) {
    guard let place = range.randomElement(using: &generator) else { return }
    bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
  }

  /// The header names another snapshot or format.
  private mutating func header() {
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: bytes[23] ^= 1
    case 1:
      let format = [0, 2, 3, 5, 9, 10, 11, 20, 21, 22, 23, 24].randomElement(using: &generator) ?? 24
      for place in 20...21 { bytes[place] = UInt8(format) }
    default:
      guard let top = nodes.randomElement(using: &generator) else { return }
      write(Int64(top), width: 8, at: 8 * Int(bytes[23] & 1))
    }
  }

  private mutating func size(of node: Int) {
    let sizes = [0, 1, 2, 3, 255, 256, 257, 1000, 1001, 0x1_0000, 0xFF_FFFF]
    let old = Int(bytes[node + 5]) << 16 | Int(bytes[node + 6]) << 8 | Int(bytes[node + 7])
    let size = (sizes + [old + 1, max(old - 1, 0), 2 * old]).randomElement(using: &generator) ?? 0
    for index in 0..<3 { bytes[node + 7 - index] = UInt8(truncatingIfNeeded: size >> (8 * index)) }
  }

  /// A piece of another node over this one.
  private mutating func copy(to node: Int) {
    guard let from = nodes.randomElement(using: &generator) else { return }
    let count = min(8 * Int.random(in: 1...16, using: &generator), bytes.count - max(from, node))
    for index in 0..<max(count, 0) { bytes[node + index] = bytes[from + index] }
  }

  /// An element of a node of refs or integers becomes another ref, a number, or an extreme.
  private mutating func element(of node: Int) {
    let width = (1 << Int(bytes[node + 4] & 7)) >> 4
    let count = Int(bytes[node + 6]) << 8 | Int(bytes[node + 7])
    guard width > 0, count > 0, bytes[node + 4] & 0x18 == 0 else { return flip(in: node + 8..<node + 16) }
    let place = node + 8 + width * Int.random(in: 0..<count, using: &generator)
    guard place + width <= bytes.count else { return }
    let other = Int64(nodes.randomElement(using: &generator) ?? node)
    let values: [Int64] = [
      other, other, other, other + 8, Int64(node), 0, 1, 3, 2 * Int64(count) + 1, -1, -2, -8, 7, .max, .min,
      Int64(bytes.count), Int64(bytes.count) - 8, other << 1 | 1, 0x7FFF_FFFF, 513, 1 << 33 | 1,
    ]
    write(values.randomElement(using: &generator) ?? 0, width: width, at: place)
  }

  private mutating func write(_ value: Int64, width: Int, at place: Int) {
    for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: value >> Int64(8 * index)) }
  }

  /// The file is cut, or zeros follow a cut.
  private mutating func resize() {
    let length = Int.random(in: 0...bytes.count, using: &generator)
    let zeros = chance(2) ? bytes.count - length : 0
    bytes = Array(bytes[..<length]) + [UInt8](repeating: 0, count: zeros)
  }
}
