import FaultVFS
import Foundation

/// What a store's statements cost, whoever runs them: counted by SQLite itself, in steps of its virtual machine, and
/// so the same on every machine and under every load.
///
/// proof: the C side has a lock around everything but `free`, which comes when nobody has the value any more.
public final class StatementMeter: @unchecked Sendable {
  /// What a statement has cost.
  public struct Cost: Sendable {
    public let sql: String
    public let runs: Int
    public let steps: Int
    /// Steps through a table or an index from its one end to the other.
    public let scanned: Int
    /// Rows of indexes that were made for the statement alone.
    public let indexed: Int
  }

  private let meter: OpaquePointer

  /// Meters the connections of stores that are opened below a folder from now on. They are closed before it goes.
  public init(folder: String) throws {
    guard let meter = statement_meter_make(URL(fileURLWithPath: folder).resolvingSymlinksInPath().path) else {
      throw GoldenFault("there is no memory for a meter")
    }
    self.meter = meter
  }

  deinit { statement_meter_free(meter) }

  /// What `work` costs, statement by statement. Nobody else uses the store meanwhile.
  public func costs<Result>(of work: () async throws -> Result) async rethrows -> (Result, [Cost]) {
    statement_meter_begin(meter)
    let result = try await work()
    let costs = (0..<statement_meter_count(meter)).map { number in
      let cost = statement_meter_cost(meter, number)
      return Cost(
        sql: String(cString: cost.sql), runs: Int(cost.runs), steps: Int(cost.steps),
        scanned: Int(cost.scanned), indexed: Int(cost.indexed))
    }
    return (result, costs)
  }
}
