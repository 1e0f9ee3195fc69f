import Dispatch
import Foundation
import TestKit
import Testing

#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  /// A secret that a person types.
  @Suite(.waitsOnThreads) struct `A typed secret` {
    /// A terminal: what is written to one end is typed at the other, and what that one shows is read here.
    private final class TypedTerminal {
      let near: Int32
      let far: FileHandle

      init() throws {
        near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var number: UInt32 = 0
        var locked: Int32 = 0
        // TIOCGPTN and TIOCSPTLCK, which C makes of macros that Swift doesn't see.
        guard near >= 0, ioctl(near, 0x8004_5430, &number) == 0, ioctl(near, 0x4004_5431, &locked) == 0 else {
          throw GoldenFault("there is no terminal to be had: \(String(cString: strerror(errno)))")
        }
        let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw GoldenFault("the terminal has no other end") }
        far = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      }

      deinit { close(near) }

      func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(near, $0.baseAddress, $0.count) }
      }

      /// What it shows by now.
      func shown() -> String {
        var question = pollfd(fd: near, events: Int16(POLLIN), revents: 0)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while poll(&question, 1, 0) > 0 {
          let count = read(near, &buffer, buffer.count)
          if count <= 0 { break }
          bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
      }

      /// Whether it shows what is typed.
      var echoes: Bool {
        var state = termios()
        return tcgetattr(far.fileDescriptor, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
      }
    }

    /// Types at `account add` and tells how it ended and what was kept.
    private func add(_ typed: String) throws -> (status: Int32, kept: String?, shown: String, echoes: Bool) {
      let demo = try Demo.migrated()
      try demo.replace("directory: remote", with: "kinto: http://127.0.0.1:9/v1", in: "ferry.yaml")
      let terminal = try TypedTerminal()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: try Tool(Tool.cli).path)
      process.arguments = ["account", "add", "alice@home", "--offline"]
      process.currentDirectoryURL = demo.folder.url
      process.standardInput = terminal.far
      process.standardOutput = FileHandle.nullDevice
      let errors = Pipe()
      process.standardError = errors
      let ended = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in ended.signal() }
      try process.run()
      // What is typed before the question would be thrown away with the switch that hides it.
      var asked = Data()
      while !String(decoding: asked, as: UTF8.self).contains("Secret of alice@home: ") {
        let more = errors.fileHandleForReading.availableData
        if more.isEmpty { break }
        asked += more
      }
      var patience = 6000
      while terminal.echoes, patience > 0 {
        usleep(10_000)
        patience -= 1
      }
      terminal.type(typed)
      ended.wait()
      let path = demo.folder.path("store/secrets/alice@home.secret")
      let kept = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
      return (process.terminationStatus, kept, terminal.shown(), terminal.echoes)
    }

    @Test func `is kept and not shown, and the terminal shows again what is typed`() throws {
      let (status, kept, shown, echoes) = try add("s3cret ✓\n")
      #expect(status == 0)
      #expect(kept == "s3cret ✓\n")
      #expect(!shown.contains("s3cret"))
      #expect(echoes)
    }

    @Test func `may be mended while it is typed`() throws {
      // All of it anew after ^U, and the last character, of two bytes, taken back.
      #expect(try add("wrong\u{15}right\u{e9}\u{7f}!\n").kept == "right!\n")
    }

    @Test(arguments: [("\u{3}", 130), ("\n", 77), ("\u{4}", 77)] as [(String, Int32)])
    func `that isn't typed after all is none, and the terminal is as it was`(typed: String, code: Int32)
      throws
    {
      let (status, kept, _, echoes) = try add(typed)
      #expect(status == code)
      #expect(kept == nil)
      #expect(echoes)
    }
  }
#endif
