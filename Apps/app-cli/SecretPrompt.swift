import FerryConsole
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a secret from the terminal without showing it.
enum SecretPrompt {
  /// - Throws: `Failure` where nothing was typed, or the person gave up.
  static func read(_ question: String) throws -> String {
    write(question)
    var shown = termios()
    guard tcgetattr(STDIN_FILENO, &shown) == 0 else {
      throw failure("The terminal can't be asked for a secret.")
    }
    var hidden = shown
    // Letter by letter and without signals, so that whoever gives up leaves a terminal that shows again what is typed.
    hidden.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0 else {
      throw failure("The terminal can't hide what is typed.")
    }
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      write("\n")
    }
    var line: [UInt8] = []
    while let byte = next() {
      switch byte {
      case 0x0a, 0x0d: return try text(of: line)
      case 0x03:
        throw Failure(
          "It was interrupted.", code: "interrupted", remedy: "Nothing was kept.", exitCode: .interrupted)
      case 0x04 where line.isEmpty: return try text(of: line)
      case 0x7f, 0x08:
        // A whole character, of however many bytes.
        while let last = line.popLast(), last & 0xc0 == 0x80 {}
      case 0x15: line = []
      default: line.append(byte)
      }
    }
    return try text(of: line)
  }

  private static func text(of line: [UInt8]) throws -> String {
    let text = String(decoding: line, as: UTF8.self)
    guard !line.isEmpty, text.utf8.elementsEqual(line) else {
      throw failure("Nothing was typed that can be a secret.")
    }
    return text
  }

  private static func next() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = Foundation.read(STDIN_FILENO, &byte, 1)
      if count == 1 { return byte }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  private static func write(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func failure(_ sentence: String) -> Failure {
    Failure(sentence, code: "account.noSecret", remedy: "Say --secret-file instead.", exitCode: .noPermission)
  }
}
