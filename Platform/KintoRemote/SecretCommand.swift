#if !os(iOS)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A program that prints a secret, run in a process group of its own with none of this process's files open.
  ///
  /// Foundation's `Process` learns of a program's end from a file that whatever the program leaves running holds open,
  /// and so waits for that as well.
  struct SecretCommand {
    private let words: [String]
    private let program: String

    /// How long a program may take.
    private static let patience = Duration.seconds(60)
    /// What is beyond any secret is read and let go, so that the program can end.
    private static let longest = 1 << 16

    init(_ words: [String], _ program: String) { (self.words, self.program) = (words, program) }

    /// What it prints until it ends. Where it takes too long or nobody waits any more, it is killed with all that it has
    /// started.
    ///
    /// - Throws: `SecretError.commandFailed`; `CancellationError` in a task that is cancelled.
    func output() throws -> [UInt8] {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw failed(String(cString: strerror(errno))) }
      _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
      defer { close(ends[0]) }
      let process: pid_t
      do {
        defer { close(ends[1]) }
        process = try start(printingTo: ends[1])
      }
      let (bytes, status): ([UInt8], Int32)
      do {
        (bytes, status) = try read(ends[0], until: process)
      } catch {
        kill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        throw error
      }
      guard status == 0 else {
        throw failed(
          status & 0x7F == 0
            ? "it ended with status \(status >> 8 & 0xFF)" : "signal \(status & 0x7F) ended it")
      }
      return bytes
    }

    /// - Returns: what it printed, and how it ended, as `waitpid` says it. Whatever is thrown, it goes on.
    private func read(_ output: Int32, until process: pid_t) throws -> ([UInt8], Int32) {
      var bytes: [UInt8] = []
      var isOpen = true
      var ended: Int32?
      let end = ContinuousClock.now + SecretCommand.patience
      while true {
        try Task.checkCancellation()
        guard ContinuousClock.now < end else {
          throw failed("it goes on after \(SecretCommand.patience.components.seconds) s")
        }
        var status: Int32 = 0
        // Asked before the last look at what it printed, so that nothing is missed.
        if ended == nil, waitpid(process, &status, WNOHANG) == process { ended = status }
        // A piece at a time: one that prints without end has no longer than another.
        if isOpen, isReadable(output, wait: ended == nil ? 20 : 0) {
          isOpen = take(output, into: &bytes)
        } else if let ended {
          return (bytes, ended)
        } else if !isOpen {
          usleep(5000)
        }
      }
    }

    private func isReadable(_ output: Int32, wait: Int32) -> Bool {
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      return poll(&descriptor, 1, wait) > 0
    }

    /// - Returns: whether there may be more.
    private func take(_ output: Int32, into bytes: inout [UInt8]) -> Bool {
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = readOnce(output, &piece)
      if count > 0, bytes.count < SecretCommand.longest { bytes += piece[..<count] }
      return count > 0 || (count < 0 && errno == EINTR)
    }

    private func start(printingTo output: Int32) throws -> pid_t {
      var actions = FileActions()
      var attributes = Attributes()
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, output, 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
      #if canImport(Darwin)
        flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
      #else
        // Closing what isn't open is no error.
        for file in 3..<min(4096, Int32(sysconf(Int32(_SC_OPEN_MAX)))) {
          posix_spawn_file_actions_addclose(&actions, file)
        }
      #endif
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setpgroup(&attributes, 0)
      posix_spawnattr_setflags(&attributes, Int16(flags))
      let arguments = words.map { strdup($0) } + [nil]
      let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for text in arguments + variables { free(text) } }
      var process: pid_t = 0
      let code = posix_spawn(&process, program, &actions, &attributes, arguments, variables)
      guard code == 0 else { throw failed(String(cString: strerror(code))) }
      return process
    }

    private func failed(_ why: String) -> SecretError { .commandFailed(program: program, why: why) }

    #if canImport(Darwin)
      private typealias FileActions = posix_spawn_file_actions_t?
      private typealias Attributes = posix_spawnattr_t?
    #else
      private typealias FileActions = posix_spawn_file_actions_t
      private typealias Attributes = posix_spawnattr_t
    #endif
  }
#endif
