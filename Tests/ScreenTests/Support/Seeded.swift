import Foundation

/// What a seed gives, for ever the same: SplitMix64.
struct Seeded: RandomNumberGenerator {
  /// `FERRY_SEED`, so that a run can be had again, or a fixed one.
  static let seed = ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap(UInt64.init) ?? 20_261_130
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}

struct Line: Identifiable, Equatable, Sendable {
  let id: String
  var text = ""

  init(_ id: String, _ text: String = "") {
    self.id = id
    self.text = text
  }
}

func lines(_ ids: String...) -> [Line] { ids.map { Line($0) } }
