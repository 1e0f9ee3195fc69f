import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a terminal's driver treats what is typed.
struct TerminalMode: Sendable {
  private var settings: termios

  /// - Returns: nil where the descriptor is no terminal.
  init?(of descriptor: Int32) {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.settings = settings
  }

  /// The same with each key handed on as it comes, Ctrl-C and the like included, and none shown.
  var raw: TerminalMode {
    var copy = self
    cfmakeraw(&copy.settings)
    return copy
  }

  /// Sets it at once: waiting until all that was written is out could be for ever.
  func set(on descriptor: Int32) {
    var settings = settings
    while tcsetattr(descriptor, TCSANOW, &settings) != 0, errno == EINTR {}
  }
}
