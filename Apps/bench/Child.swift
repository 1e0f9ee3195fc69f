import FerryConsole
import Foundation

/// This program, started by itself to do one work.
enum Child {
  static let variable = "FERRY_BENCH_JOB"

  static func run(_ name: String) async -> Never {
    do {
      if let part = ObserverJobs.parts[name] ?? CrossingJobs.parts[name] {
        try await part()
      } else if let job = Bench.jobs.first(where: { $0.name == name }), case .process(let body) = job.work {
        try body()
      } else {
        exit(ExitCode.usage.rawValue)
      }
      exit(ExitCode.ok.rawValue)
    } catch {
      FileHandle.standardError.write(Data("\(name): \(error)\n".utf8))
      exit(ExitCode.failure.rawValue)
    }
  }

  /// Starts this program as a part of a work.
  ///
  /// - Returns: what ends it, and gives what it printed.
  static func start(_ part: String) throws -> @Sendable () async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.environment = ProcessInfo.processInfo.environment.merging([variable: part]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    let (ends, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = {
      end.yield($0.terminationStatus)
      end.finish()
    }
    try process.run()
    let output = pipe.fileHandleForReading
    return {
      for await status in ends where status != 0 { throw BenchError(command: [part], status: status) }
      return String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
    }
  }
}
