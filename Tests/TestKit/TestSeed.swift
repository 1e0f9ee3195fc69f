import Foundation

/// The seed of a test that goes by chance: `FERRY_SEED`, so that a run can be had again, or one of its own. It is
/// printed, so that a failure says which it was.
public enum TestSeed {
  public static func value(_ own: UInt64) -> UInt64 {
    let seed = ProcessInfo.processInfo.environment["FERRY_SEED"].flatMap(UInt64.init) ?? own
    print("FERRY_SEED=\(seed)")
    return seed
  }
}
