import Foundation
import TestKit
import Testing

/// Three devices on one Kinto server with PostgreSQL and several threads, which all write at once, while workers, the
/// server and its database are killed and started again. A worker is a process of its own, as under cron.
///
///     FERRY_SEED=7 swift test --filter 'Three devices on one Kinto'
///
/// A seed chooses what everybody does; when it happens, the machine decides.
@Suite(.serialized, .waitsOnThreads) struct `Three devices on one Kinto server` {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seeds: [UInt64] =
    environment["FERRY_SEED"].flatMap(UInt64.init).map { [$0] }
    ?? Array(1...(environment["FERRY_KINTO_SEEDS"].flatMap(UInt64.init) ?? 3))
  private static let seconds = environment["FERRY_KINTO_SECONDS"].flatMap(Int64.init) ?? 15

  @Test(arguments: seeds)
  func `come to the same cards, and no acknowledged write is lost but what the server lost itself`(
    seed: UInt64
  )
    async throws
  {
    print("FERRY_SEED=\(seed)")
    // Every third has the lock that cures the races; the others are as a plain installation is.
    let isCured = seed % 3 == 0
    let lab = try await KintoLab(
      KintoFixture.own(isCured ? .lockedPostgresql : .postgresql), seed: seed, isCured: isCured)
    try await lab.play(for: .seconds(Self.seconds))
    try await lab.settle()
    try await lab.check()
    await lab.close()
  }
}
