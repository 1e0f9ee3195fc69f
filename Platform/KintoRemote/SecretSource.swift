import FerryKernel
import FerryStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where an account's secret is kept. Never on a command line, which every user of the machine can read.
public enum SecretSource: Sendable, Equatable {
  /// A file that only its owner may read; its first line.
  case file(String)
  /// What a program prints; its first line. The program's path comes first, no shell is between.
  case command([String])
  /// A variable of the environment.
  case environment(String)

  /// Reads it.
  ///
  /// - Throws: `SecretError`, of which no sentence holds any of what was read; `CancellationError` in a task that is
  ///   cancelled while a program runs.
  public func read() throws -> Secret {
    switch self {
    case .file(let path): try SecretSource.secret(try SecretSource.content(of: path), "the file \(path)")
    case .command(let words):
      try SecretSource.secret(try SecretSource.output(of: words), "what \(words.first ?? "") prints")
    case .environment(let name):
      try SecretSource.secret(
        Array((ProcessInfo.processInfo.environment[name] ?? "").utf8), "the variable \(name)")
    }
  }

  private static func secret(_ bytes: [UInt8], _ place: String) throws -> Secret {
    let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
    let text = String(decoding: line, as: UTF8.self)
    guard text.utf8.elementsEqual(line), let secret = Secret(text) else {
      throw SecretError.noSecret(place: place)
    }
    return secret
  }

  private static func content(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw SecretError.unreadable(path: path, why: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var state = stat()
    guard fstat(descriptor, &state) == 0 else {
      throw SecretError.unreadable(path: path, why: String(cString: strerror(errno)))
    }
    guard state.st_mode & S_IFMT == S_IFREG else {
      throw SecretError.unreadable(path: path, why: "it is no file")
    }
    guard state.st_mode & 0o077 == 0 else {
      throw SecretError.open(path: path, mode: String(state.st_mode & 0o777, radix: 8))
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = readOnce(descriptor, &bytes)
    guard count >= 0 else { throw SecretError.unreadable(path: path, why: String(cString: strerror(errno))) }
    return Array(bytes[..<count])
  }

  private static func output(of words: [String]) throws -> [UInt8] {
    guard let program = words.first else {
      throw SecretError.commandFailed(program: "", why: "it has no name")
    }
    #if os(iOS)
      throw SecretError.commandFailed(program: program, why: "iOS runs no commands")
    #else
      return try SecretCommand(words, program).output()
    #endif
  }
}

/// The system's `read`, which a method of that name hides.
func readOnce(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
  read(descriptor, &bytes, bytes.count)
}

/// Why there is no secret.
public enum SecretError: FerryError, Equatable {
  case unreadable(path: String, why: String)
  /// Others may read the file.
  case open(path: String, mode: String)
  case commandFailed(program: String, why: String)
  /// There is nothing, or nothing that can be sent.
  case noSecret(place: String)

  public var code: String {
    switch self {
    case .unreadable: "secret.unreadable"
    case .open: "secret.open"
    case .commandFailed: "secret.commandFailed"
    case .noSecret: "secret.none"
    }
  }

  public var sentence: String {
    switch self {
    case .unreadable(let path, let why): "The secret in \(path) can't be read: \(why)."
    case .open(let path, let mode): "Others may read the secret in \(path): its mode is \(mode)."
    case .commandFailed(let program, let why): "The command \(program) gives no secret: \(why)."
    case .noSecret(let place): "There is no secret in \(place)."
    }
  }

  public var remedy: String {
    switch self {
    case .unreadable: "Check the path in ferry.yaml."
    case .open(let path, _): "Run: chmod 600 \(path)"
    case .commandFailed: "Run it by hand to see what it lacks."
    case .noSecret: "Put the account's password there, in one line."
    }
  }
}
