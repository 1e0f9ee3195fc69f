import Foundation

/// Which of a disk's operations a test makes fail, one run after the other, until one has none to fail any more.
///
/// In `make soak` each fails in each way. In `make test` the ways take turns.
public enum Operations {
  /// - Parameters:
  ///   - way: how they fail.
  ///   - ways: all that the test tries.
  ///   - spacing: of how many operations one is enough for `make test`.
  public static func failing<Way: Equatable>(_ way: Way, of ways: [Way], spacing: Int = 1)
    -> StrideTo<Int>
  {
    guard ProcessInfo.processInfo.environment["FERRY_SOAK"] == nil, let turn = ways.firstIndex(of: way) else {
      return stride(from: 1, to: .max, by: 1)
    }
    return stride(from: 1 + turn * spacing, to: .max, by: ways.count * spacing)
  }
}
