import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// What a work took.
struct Cost {
  /// CPU time, user and system, in seconds.
  let cpu: Double
  /// The most memory that the process had, in bytes; 0 for a work in this process. A process that was started
  /// counts from the peak of the one that started it.
  let peak: Int

  init(_ usage: rusage) {
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime)
    #if canImport(Darwin)
      peak = usage.ru_maxrss
    #else
      peak = usage.ru_maxrss * 1024
    #endif
  }

  private init(cpu: Double, peak: Int) { (self.cpu, self.peak) = (cpu, peak) }

  /// Runs `work` once. A process runs this program again; `job` tells it which work.
  static func of(_ work: Work, job: String) throws -> Cost {
    switch work {
    case .program(let arguments): return try ofProcess("/usr/bin/env", arguments)
    case .process:
      return try ofProcess(
        Bundle.main.executablePath ?? CommandLine.arguments[0], [], adding: "\(Child.variable)=\(job)")
    case .here(let body):
      let before = ownNanoseconds()
      try body()
      return Cost(cpu: Double(ownNanoseconds() - before) / 1_000_000_000, peak: 0)
    }
  }

  private static func ownNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
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
    let code = withExtendedLifetime((words, environment)) {
      posix_spawn(&identifier, path, &actions, nil, words.pointers, environment.pointers)
    }
    guard code == 0 else { throw BenchError(command: [path] + arguments, status: code) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else { throw BenchError(command: [path] + arguments, status: status) }
    return Cost(usage)
  }
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
