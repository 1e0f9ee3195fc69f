import Foundation

/// A folder of a test's own, gone when nothing holds it any more.
public final class GoldenFolder: Sendable {
  public let url: URL
  private let isKept: Bool
  public var path: String { url.path }

  /// A folder that is there already, and stays.
  init(at path: String) {
    url = URL(fileURLWithPath: path)
    isKept = true
  }

  public init() throws {
    isKept = false
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "ferry-\(UUID().uuidString.prefix(13))")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    if isKept { return }
    // A store that was in it may be about to be closed by a queue's thread, which takes its last files away.
    var chances = 100
    while true {
      do {
        return try FileManager.default.removeItem(at: url)
      } catch {
        chances -= 1
        if chances > 0 { continue }
        return FileHandle.standardError.write(Data("\(url.path) could not be removed: \(error)\n".utf8))
      }
    }
  }

  /// A path in the folder.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  /// A text on which stores and JSON stumble.
  public mutating func text() -> String {
    let parts = [
      "", "a", "한글", "\u{1112}\u{1161}\u{11ab}", "á", "a\u{301}", "\u{0}", "\n\t\r", "👩‍👩‍👧‍👦", "𠀀", "\"\\",
      "\u{7f}\u{85}",
      "\u{2028}", "\u{feff}", "; DROP TABLE item; --", "%_", "null", "-1", "\u{10ffff}", "ملاحظة",
    ]
    return (0..<Int.random(in: 0...4, using: &self)).map { _ in parts.randomElement(using: &self) ?? "" }
      .joined()
  }

  /// An integer of any size, its ends more often than chance has it.
  public mutating func integer() -> Int64 {
    let ends: [Int64] = [.min, .max, 0, -1, 1, 1 << 53, 1 << 53 + 1]
    return Bool.random(using: &self)
      ? ends.randomElement(using: &self) ?? 0 : .random(in: .min ... .max, using: &self)
  }

  /// `make`'s value, or nil.
  public mutating func perhaps<Value>(_ make: (inout SplitMix64) -> Value) -> Value? {
    Bool.random(using: &self) ? make(&self) : nil
  }
}
