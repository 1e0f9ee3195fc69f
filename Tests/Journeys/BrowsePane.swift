import FerryConsole
import Foundation
import TestKit

/// `app-cli browse` in a terminal: keys in, screen out. The terminal is tmux, which is nobody's of this house: that
/// columns line up there is no agreement with ourselves.
final class BrowsePane {
  /// What is on the screen, and what the terminal says of itself.
  struct Screen: CustomStringConvertible {
    let lines: [String]
    var description: String { lines.map { "|\($0)" }.joined(separator: "\n") }

    func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
    /// The one line that has a text in it.
    func line(_ text: String) -> String? { lines.first { $0.contains(text) } }
  }

  /// How long anything may take on a machine that does a lot besides.
  private static let patience = 90.0

  /// Its folder stays while the browser runs.
  private let demo: Demo
  private let scratch: GoldenFolder
  private let tmux: String
  private var socket: String { scratch.path("s") }

  /// Starts a browser over a demo.
  ///
  /// - Parameter link: where to go first.
  init(
    _ demo: Demo, _ arguments: [String] = [], columns: Int = 100, rows: Int = 24,
    environment: [String: String] = [:]
  ) throws {
    self.demo = demo
    scratch = try GoldenFolder()
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { "\($0)/tmux" }.first(where: FileManager.default.isExecutableFile(atPath:))
    guard let found else { throw GoldenFault("there is no tmux; `make install-server` brings it") }
    tmux = found
    // The inner shell becomes the browser, and its number is known. The outer one tells how that ended and what the
    // terminal is like then.
    let script = """
      cd '\(demo.folder.path)'
      \(environment.map { "\($0.key)='\($0.value)' " }.joined())sh -c 'echo $$ >"\(scratch.path("pid"))"; exec "$0" "$@"' "$@"
      echo "exit $?" >"\(scratch.path("exit"))"
      stty -a >"\(scratch.path("stty"))"
      echo afterwards
      exec cat
      """
    try run(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-c", script, "sh"]
        + [try Tool(Tool.cli).path, "browse"] + arguments)
  }

  deinit {
    do { try run(["kill-server"]) } catch {
      // It is gone already.
    }
  }

  /// The browser's process.
  func process() throws -> Int32 {
    guard let number = Int32(try text("pid").trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw GoldenFault("no pid")
    }
    return number
  }

  /// Presses keys, as tmux names them: `Enter`, `Escape`, `Down`, `C-c`, or a letter.
  func press(_ keys: String...) throws { try run(["send-keys"] + keys) }

  func type(_ text: String) throws { try run(["send-keys", "-l", text]) }

  func resize(columns: Int, rows: Int) throws {
    try run(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  func screen() throws -> Screen {
    let lines = try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
    return Screen(lines: lines.map(String.init))
  }

  /// The screen with the codes for its colours.
  func colours() throws -> String { try run(["capture-pane", "-pe"]) }

  /// Whether the other screen is shown, and whether the cursor is.
  func modes() throws -> (isOther: Bool, hasCursor: Bool) {
    let words = try run(["display-message", "-p", "#{alternate_on} #{cursor_flag}"]).split(separator: " ")
    return (words.first == "1", words.last?.first == "1")
  }

  /// Waits until the screen is as it should be.
  @discardableResult func wait(for what: String, _ isThere: (Screen) throws -> Bool) throws -> Screen {
    var last: Screen?
    let isFound = try BrowsePane.poll {
      let screen = try screen()
      last = screen
      return try isThere(screen)
    }
    guard isFound, let last else { throw GoldenFault("no \(what) in\n\(last?.description ?? "")") }
    return last
  }

  /// Waits until all of these are on the screen at once: a screen may be seen while it is half drawn.
  @discardableResult func wait(for texts: String..., without others: [String] = []) throws -> Screen {
    try wait(for: texts.joined(separator: " and ")) { screen in
      texts.allSatisfy(screen.contains) && !others.contains(where: screen.contains)
    }
  }

  /// Waits until the browser has ended.
  ///
  /// - Returns: what it exited with, and how the terminal's driver stands then.
  func end() throws -> (code: String, stty: String) {
    try wait(for: "afterwards")
    return (try text("exit").trimmingCharacters(in: .whitespacesAndNewlines), try text("stty"))
  }

  /// Whether a process has ended; one that nobody has asked about yet has, too.
  static func isGone(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0 else { return true }
    guard let status = FileManager.default.contents(atPath: "/proc/\(process)/status") else { return false }
    return String(decoding: status, as: UTF8.self).contains("State:\tZ")
  }

  /// Takes the terminal away.
  func lose() throws { try run(["kill-server"]) }

  /// Asks again and again until something is so, and gives up at last.
  static func poll(_ isSo: () throws -> Bool) throws -> Bool {
    let end = Date().addingTimeInterval(patience)
    while true {
      if try isSo() { return true }
      guard Date() < end else { return false }
      usleep(20_000)
    }
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))), as: UTF8.self)
  }

  @discardableResult private func run(_ arguments: [String]) throws -> String {
    let output = scratch.path("output")
    var environment = ["LC_ALL": "C.UTF-8"]
    for name in ["PATH", "HOME", "TMPDIR"] { environment[name] = ProcessInfo.processInfo.environment[name] }
    let status = try Spawned.run(
      [tmux, "-S", socket, "-u"] + arguments, environment: environment, output: output)
    guard status == 0 else {
      throw GoldenFault(
        "tmux \(arguments.first ?? ""): \(status.map { "exit \($0)" } ?? "killed"), \(try text("output"))")
    }
    return try text("output")
  }
}
