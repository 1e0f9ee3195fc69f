import FerryKernel
import FerryStore
import Foundation
import LogDomain
import TestKit

/// Logs numbers, one after the other, and drains them into the table now and then, until it is killed. It says each
/// number that it has logged.
///
///     crash-child log FOLDER NUMBER
enum LogChild {
  static func run(_ arguments: [String]) async throws {
    guard arguments.count == 2, var number = Int(arguments[1]) else {
      throw GoldenFault("there is no such case: \(arguments)")
    }
    let url = URL(fileURLWithPath: "\(arguments[0])/ferry.sqlite")
    let store = try Store.open(at: url, schemas: [Domain.log.schema])
    let spill = try LogSpill(path: "\(arguments[0])/log.spill", drainedAtMost: 0)
    while true {
      spill.append(
        LogLine(
          at: FixedClock.now(), level: number.isMultiple(of: 50) ? .fault : .info, category: "test",
          message: "\(number)"))
      print(number)
      fflush(nil)
      if number.isMultiple(of: 7) { try await LogDAO.drain(spill, into: store.device) }
      number += 1
    }
  }
}
