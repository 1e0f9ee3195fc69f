import Foundation
import TestKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A short process, run as nobody else's: with none of this process's files open and no signal blocked.
///
/// Foundation's `Process` hands its child the signals that a thread of Dispatch has blocked, and a file that tells when
/// it has ended, which whatever that leaves running holds open. And it can't be run by the thousand: it reads the list
/// of open files past the end of an entry, and every so often that is past the end of a page.
enum Spawned {
  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - arguments: the executable's path first.
  ///   - output: the file that gets standard output.
  ///   - errors: the file that gets standard error; nil: the same one.
  ///   - folder: the working directory; nil: this process's.
  /// - Returns: what it exits with; nil where a signal ended it.
  static func run(
    _ arguments: [String], environment: [String: String], output: String, errors: String? = nil,
    in folder: String? = nil
  ) throws -> Int32? {
    // Not every system's `posix_spawn` can change the working directory.
    let arguments = folder.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + arguments } ?? arguments
    var actions = FileActions()
    var attributes = Attributes()
    guard posix_spawn_file_actions_init(&actions) == 0, posix_spawnattr_init(&attributes) == 0 else {
      throw GoldenFault("no memory for a process")
    }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if let errors {
      posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 1, 2)
    }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    #if canImport(Darwin)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT))
    #else
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
      // Closing what isn't open is no error.
      for file in 3..<min(4096, Int32(sysconf(Int32(_SC_OPEN_MAX)))) {
        posix_spawn_file_actions_addclose(&actions, file)
      }
    #endif
    var process: pid_t = 0
    let words = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let code = posix_spawn(&process, arguments[0], &actions, &attributes, words, variables)
    guard code == 0 else {
      throw GoldenFault("\(arguments[0]) can't be run: \(String(cString: strerror(code)))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw GoldenFault("\(arguments[0]) can't be waited for") }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif
}
