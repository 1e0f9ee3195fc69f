import FerryKernel
import FerryStore
import LogDomain
import TestKit

/// Crosses a generated library and dies at an operation of its disk.
///
///     crash-child library FOLDER SEED FAULT OPERATION
enum LibraryChild {
  static func run(_ arguments: [String]) async throws {
    guard arguments.count == 4, let seed = UInt64(arguments[1]),
      let fault = Int32(arguments[2]).flatMap(Fault.init), let operation = Int(arguments[3])
    else { throw GoldenFault("there is no such case: \(arguments)") }
    let disk = try FaultDisk(folder: arguments[0] + ".lost")
    let rig = try FaultRig(GeneratedLibrary(seed: seed, log: .log), folder: arguments[0]) { spill, store in
      try await LogDAO.drain(spill, into: store.device)
    }
    disk.plan(fault, at: operation)
    _ = try await rig.run(on: disk, number: 0)
  }
}
