import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What a work took.
struct Cost {
  /// CPU time, user and system, in seconds.
  private(set) var cpu = 0.0
  /// Time by the clock, in seconds.
  private(set) var wall = 0.0
  /// The most memory that the process had, in bytes; 0 for a work in this process. A process that was started
  /// counts from the peak of the one that started it.
  private(set) var peak = 0
  /// What a gauge found.
  private(set) var value = 0.0

  init(_ usage: rusage, wall: Double) {
    self.wall = wall
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    #if canImport(Darwin)
      peak = usage.ru_maxrss
    #else
      peak = usage.ru_maxrss * 1024
    #endif
  }

  private init(cpu: Double, wall: Double) { (self.cpu, self.wall) = (cpu, wall) }
  private init(value: Double) { self.value = value }

  /// Runs `work` once. A process runs this program again; `job` tells it which work.
  static func of(_ work: Work, job: String) async throws -> Cost {
    switch work {
    case .program(let arguments): return try ofProcess("/usr/bin/env", arguments)
    case .process:
      return try ofProcess(
        Bundle.main.executablePath ?? CommandLine.arguments[0], [], adding: "\(Child.variable)=\(job)")
    case .here(let prepare):
      let run = try await prepare()
      let (cpu, wall) = (seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC))
      try await run.body()
      let cost = Cost(cpu: seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall: seconds(CLOCK_MONOTONIC) - wall)
      try await run.finish()
      return cost
    case .gauge(let body): return Cost(value: try await body())
    }
  }

  /// The most memory that this process has had, in bytes. (Linux counts that of the process that started it, too;
  /// so what is asked is the program's own.)
  static func ownPeak() throws -> Int {
    #if canImport(Darwin)
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #else
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
      return (Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1024
    #endif
  }

  /// What a clock of this process says.
  static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }

  private static func ofProcess(
    _ path: String, _ arguments: [String], adding variable: String? = nil
  ) throws -> Cost {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let variables = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" } + (variable.map { [$0] } ?? [])
    let (words, environment) = (CStrings([path] + arguments), CStrings(variables))
    var identifier = pid_t()
    let start = seconds(CLOCK_MONOTONIC)
    let code = withExtendedLifetime((words, environment)) {
      posix_spawn(&identifier, path, &actions, nil, words.pointers, environment.pointers)
    }
    guard code == 0 else { throw BenchError(command: [path] + arguments, status: code) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchError(command: [path] + arguments, status: status) }
    return Cost(usage, wall: seconds(CLOCK_MONOTONIC) - start)
  }
}

/// A file's size in bytes.
func size(of path: String) throws -> Int {
  try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
}

/// A program that could not be run, or failed.
struct BenchError: Error, CustomStringConvertible {
  let command: [String]
  let status: Int32

  var description: String { "\(command.joined(separator: " ")) failed (\(status))." }
}

/// Texts as a C program gets them.
private final class CStrings {
  private(set) var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) { pointers = texts.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }
}
