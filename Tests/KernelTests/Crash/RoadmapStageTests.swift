import FerryKernel
import Foundation
import LogDomain
import TestKit
import Testing

/// From every earlier stage of the roadmap the later ones come to the same end: domains may be enabled one at a
/// time, or many at once.
@Suite struct RoadmapStageTests {
  @Test func `Whichever domains were on before, the end is that of a straight run`() async throws {
    let sound = try await SoundRun(seed: 42, .new)
    for first in 0...5 {
      for second in Set([first + 1, 6]) {
        let folder = try GoldenFolder()
        let rig = try FaultCase.rig(sound.library, folder)
        let disk = try FaultDisk(folder: folder.path("disk"))
        disk.plan(.none)
        for (number, enabled) in [first, second, 6].enumerated() {
          let (report, _) = try await rig.run(on: disk, number: number * 1000, enabled: enabled)
          #expect(report.isOver == (enabled == 6), "\(first), \(second): \(report.stateNames)")
        }
        let found = try StoreDump.lines(of: rig.storePath)
        #expect(StoreDump.differences(sound.expected, found).prefix(5) == [], "\(first), then \(second)")
        #expect(try rig.faultsOfAccounts() == [])
      }
    }
  }
}
